"""Who is signed in, for the header of every page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django import template
from django.template import Context

from oipsce_site.people.models import Membership, User
from oipsce_site.people.queries import memberships_of
from oipsce_site.people.roles import Role
from review.permissions import EXPORTERS, IMPORTERS, READERS
from review.presenters.holds import say_notice
from review.queries.holds import notice_from, unseen_notices

register = template.Library()


@dataclass(frozen=True, slots=True)
class ShownNotice:
    """What a person is told until they put it away."""

    id: int
    call_id: str
    words: str


@dataclass(frozen=True, slots=True)
class SignedInPerson:
    """A name, the sites that the person sees in words, which pages are their business, and what
    they are told.
    """

    name: str
    places: str
    sees_queue: bool = False
    sees_imports: bool = False
    sees_audits: bool = False
    sees_calibration: bool = False
    sees_people: bool = False
    is_administrator: bool = False
    notices: tuple[ShownNotice, ...] = ()


@register.simple_tag(takes_context=True)
def signed_in_person(context: Context) -> SignedInPerson:
    """Return who is signed in; empty words for nobody."""
    user = context.get("user")
    if not isinstance(user, User):
        return SignedInPerson("", "")
    # The notices come with the memberships: every page asks for both, in one query.
    beside = memberships_of(user).select_related("site").annotate(notices=unseen_notices(user))
    held = list(beside.order_by("site__slug"))
    roles = {one.role for one in held}
    told = map(notice_from, held[0].notices if held else ())
    return SignedInPerson(
        name=user.printed_name,
        places=", ".join(dict.fromkeys(_sites(held))),
        sees_queue=bool(roles & set(READERS)) and Role.ADMINISTRATOR not in roles,
        sees_imports=bool(roles & {*IMPORTERS, Role.ADMINISTRATOR}),
        sees_audits=bool(roles & {*EXPORTERS, Role.AUDITOR}) and Role.ADMINISTRATOR not in roles,
        sees_calibration=bool(roles) and Role.ADMINISTRATOR not in roles,
        sees_people=bool(roles & {Role.ADMINISTRATOR, Role.AUDITOR}),
        is_administrator=Role.ADMINISTRATOR in roles,
        notices=tuple(ShownNotice(one.id, one.call_id, say_notice(one)) for one in told),
    )


def _sites(held: Sequence[Membership]) -> Iterator[str]:
    return (one.site.name for one in held if one.site is not None)
