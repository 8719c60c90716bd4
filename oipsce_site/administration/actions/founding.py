"""The first people of an installation, made by a command before anybody exists who could grant."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from oipsce_site.administration.actions.acting import Acting
from oipsce_site.people.models import Membership, Site, User
from oipsce_site.people.roles import ORGANISATION_ROLES, Role


@dataclass(frozen=True, slots=True)
class Appointment:
    """Who is to work here, in which role; `site` counts for a role that is held at one.

    `own_password` says that the password is the person's own; a password that somebody else chose
    has to be changed at the first sign-in.
    """

    username: str
    printed_name: str
    role: Role
    site: Site | None
    own_password: bool = True


def appoint_person(*, appointment: Appointment, password: str, by: str, at: datetime) -> User:
    """Make a person with one role. `by` is the command's name.

    Raises ValidationError for a name that is taken or refused.
    """
    role = appointment.role
    with transaction.atomic():
        acting = Acting.command(by, at)
        user = User.objects.create_user(appointment.username, appointment.printed_name, password)
        if not appointment.own_password:
            user.must_change_password = True
            user.save(update_fields=["must_change_password"])
        membership = Membership.objects.create(
            user=user,
            site=None if role in ORGANISATION_ROLES else appointment.site,
            role=role,
            granted_at=at,
        )
        facts = {
            "role": role.value,
            "site_id": str(membership.site_id) if membership.site_id else None,
        }
        acting.note(user, "person.appoint", facts)
    return user
