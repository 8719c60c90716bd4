"""Who acts in an import, as the decision log names them."""

from __future__ import annotations

from oipsce_site.ledger.actors import person, worker
from oipsce_site.ledger.core.entry import Actor
from oipsce_site.people.models import Site, User
from review.permissions import check_can_import


def importing_actor(importer: User | None, site: Site) -> Actor:
    """Return the actor: the operator of this machine for None, else the person in their role.

    Raises NotAllowed for a person who imports nothing at the site.
    """
    if importer is None:
        return worker("import_calls")
    return person(importer, check_can_import(importer, site))
