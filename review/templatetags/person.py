"""Who is signed in, for the header of every page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django import template
from django.template import Context

from oipsce_site.people.models import Membership, User
from oipsce_site.people.queries import memberships_of
from oipsce_site.people.roles import Role
from review.permissions import EXPORTERS, IMPORTERS

register = template.Library()


@dataclass(frozen=True, slots=True)
class SignedInPerson:
    """A name, the sites that the person sees in words, and which pages are their business."""

    name: str
    places: str
    sees_imports: bool = False
    sees_audits: bool = False
    sees_people: bool = False
    is_administrator: bool = False


@register.simple_tag(takes_context=True)
def signed_in_person(context: Context) -> SignedInPerson:
    """Return who is signed in; empty words for nobody."""
    user = context.get("user")
    if not isinstance(user, User):
        return SignedInPerson("", "")
    held = list(memberships_of(user).select_related("site").order_by("site__slug"))
    roles = {one.role for one in held}
    return SignedInPerson(
        name=user.printed_name,
        places=", ".join(dict.fromkeys(_sites(held))),
        sees_imports=bool(roles & {*IMPORTERS, Role.ADMINISTRATOR}),
        sees_audits=bool(roles & {*EXPORTERS, Role.AUDITOR}) and Role.ADMINISTRATOR not in roles,
        sees_people=bool(roles & {Role.ADMINISTRATOR, Role.AUDITOR}),
        is_administrator=Role.ADMINISTRATOR in roles,
    )


def _sites(held: list[Membership]) -> Iterator[str]:
    return (one.site.name for one in held if one.site is not None)
