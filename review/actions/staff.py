"""The first sites and people of an installation, recorded in the organisation's chain.

They are made by a command, before anybody exists who could grant a role; later grants are acts of
administrators and have actions of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from oipsce_site.ledger.actors import worker
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import ORGANISATION_CHAIN, record
from oipsce_site.people.models import Membership, Site, User
from oipsce_site.people.roles import ORGANISATION_ROLES, Role


class UnableToSetUp(Exception):
    """The site or person cannot be made; the sentence says why."""


def open_site(*, site_id: UUID, slug: str, name: str, by: str, at: datetime) -> Site:
    """Make a site. `by` is the command's name. Raises UnableToSetUp for a slug that is taken."""
    with transaction.atomic():
        Site.objects.bulk_create([Site(id=site_id, slug=slug, name=name)], ignore_conflicts=True)
        site = Site.objects.get(slug=slug)
        if site.id != site_id:
            raise UnableToSetUp(f"There is a site {slug} already.")
        record(
            chain_id=ORGANISATION_CHAIN,
            about=About.ORGANISATION,
            kind="site.open",
            by=worker(by),
            at=at,
            facts={"site_id": str(site.id), "slug": slug},
        )
    return site


@dataclass(frozen=True, slots=True)
class Appointment:
    """Who is to work here, in which role; `site` counts for a role that is held at one."""

    username: str
    printed_name: str
    role: Role
    site: Site | None


def appoint_person(*, appointment: Appointment, password: str, by: str, at: datetime) -> User:
    """Make a person with one role. `by` is the command's name.

    Raises ValidationError for a name that is taken or refused.
    """
    role = appointment.role
    with transaction.atomic():
        user = User.objects.create_user(appointment.username, appointment.printed_name, password)
        membership = Membership.objects.create(
            user=user,
            site=None if role in ORGANISATION_ROLES else appointment.site,
            role=role,
            granted_at=at,
        )
        record(
            chain_id=ORGANISATION_CHAIN,
            about=About.ORGANISATION,
            kind="person.appoint",
            by=worker(by),
            at=at,
            facts={
                "user_id": str(user.id),
                "role": role.value,
                "site_id": str(membership.site_id) if membership.site_id else None,
            },
        )
    return user
