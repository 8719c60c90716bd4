"""How many calls each catalog version judges, for the pages of catalogs.

Catalogs know nothing of calls; their templates ask here, for the sites of whoever is signed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django import template
from django.contrib.auth.models import AnonymousUser
from django.template import Context

from oipsce_site.people.models import User
from review.queries import count_judged_calls

register = template.Library()


@register.simple_tag(takes_context=True)
def judged_calls(context: Context) -> Mapping[UUID, int] | None:
    """Return the number of the reader's calls by version; None for one who reads no calls."""
    user = context.get("user")
    return count_judged_calls(user if isinstance(user, User) else AnonymousUser())


@register.filter
def of_version(counts: Mapping[UUID, int], version_id: UUID) -> int:
    """Look a version's number up."""
    return counts.get(version_id, 0)
