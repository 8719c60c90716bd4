"""Who is signed in, for the header of every page."""

from __future__ import annotations

from dataclasses import dataclass

from django import template
from django.template import Context

from oipsce_site.people.models import User
from oipsce_site.people.queries import sites_of
from review.permissions import imports_seen

register = template.Library()


@dataclass(frozen=True, slots=True)
class SignedInPerson:
    """A name, the sites that the person sees, in words, and whether imports are theirs to see."""

    name: str
    places: str
    sees_imports: bool


@register.simple_tag(takes_context=True)
def signed_in_person(context: Context) -> SignedInPerson:
    """Return who is signed in; empty words for nobody."""
    user = context.get("user")
    if not isinstance(user, User):
        return SignedInPerson("", "", sees_imports=False)
    places = ", ".join(site.name for site in sites_of(user))
    return SignedInPerson(user.printed_name, places, sees_imports=imports_seen(user) != frozenset())
