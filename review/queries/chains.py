"""Which site each chain of the decision log belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from oipsce_site.people.models import Site
from review.models import Call

_AT_ONCE = 5000


def sites_of_chains(chains: Sequence[UUID]) -> dict[UUID, UUID]:
    """Return the site of each of these chains that is about a call or a site.

    A chain of anything else, or of a call that nobody knows, is left out: it counts for the
    organisation, so that no chain falls through.
    """
    asked = list(chains)
    placed: dict[UUID, UUID] = {}
    for start in range(0, len(asked), _AT_ONCE):
        some = Call.objects.filter(pk__in=asked[start : start + _AT_ONCE])
        placed.update(some.values_list("pk", "site_id"))
    return placed | {site: site for site in Site.objects.values_list("pk", flat=True)}
