"""Who is signed in, for the header of every page."""

from __future__ import annotations

from dataclasses import dataclass

from django import template
from django.template import Context

from oipsce_site.people.matrix import Act, acts_somewhere
from oipsce_site.people.models import User
from oipsce_site.people.permitted import held_in
from review.presenters.holds import say_notice
from review.queries.header import held_roles

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
    sees_figures: bool = False
    sees_report_cards: bool = False
    sees_compliance: bool = False
    sees_alerts: bool = False
    sees_retention: bool = False
    sees_people: bool = False
    sees_clients: bool = False
    is_administrator: bool = False
    notices: tuple[ShownNotice, ...] = ()


@register.simple_tag(takes_context=True)
def signed_in_person(context: Context) -> SignedInPerson:
    """Return who is signed in; empty words for nobody."""
    user = context.get("user")
    if not isinstance(user, User):
        return SignedInPerson("", "")
    held = held_roles(user)
    roles = held_in(held.roles)
    return SignedInPerson(
        name=user.printed_name,
        places=", ".join(held.sites),
        sees_queue=acts_somewhere(Act.READ_CALLS, roles),
        sees_imports=acts_somewhere(Act.SEE_IMPORTS, roles),
        sees_audits=acts_somewhere(Act.FETCH_AUDITS, roles),
        sees_calibration=acts_somewhere(Act.READ_CALLS, roles)
        or acts_somewhere(Act.SEE_ROUNDS, roles),
        sees_figures=acts_somewhere(Act.SEE_FIGURES, roles)
        or acts_somewhere(Act.SEE_OWN_FIGURES, roles),
        sees_report_cards=acts_somewhere(Act.SEE_REPORT_CARDS, roles),
        sees_compliance=acts_somewhere(Act.OVERSEE_CALLS, roles),
        sees_alerts=acts_somewhere(Act.EXPORT_AUDITS, roles)
        or acts_somewhere(Act.MANAGE_PEOPLE, roles),
        sees_retention=acts_somewhere(Act.FETCH_AUDITS, roles)
        or acts_somewhere(Act.APPROVE_ERASURE, roles),
        sees_people=acts_somewhere(Act.SEE_PEOPLE, roles),
        sees_clients=acts_somewhere(Act.MANAGE_CLIENTS, roles),
        is_administrator=acts_somewhere(Act.MANAGE_PEOPLE, roles),
        notices=tuple(ShownNotice(one.id, one.call_id, say_notice(one)) for one in held.notices),
    )
