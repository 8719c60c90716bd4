"""`appoint_administrator`: makes the first administrators of an installation.

Roles are granted by two administrators, so an installation starts with two of them. Prints a
one-time password, which has to be changed at the first sign-in.
"""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from oipsce_site.administration.actions.founding import Appointment, appoint_person
from oipsce_site.administration.passwords import new_password
from oipsce_site.people.roles import Role


class Command(BaseCommand):
    """Make an administrator and print the one-time password."""

    help = "Make an administrator; the one-time password is printed once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("username", help="sign-in name")
        parser.add_argument("--name", required=True, help="printed name")

    def handle(self, *_: object, **options: Any) -> None:
        """Make the person. Raises CommandError for a name that is taken or refused."""
        password = new_password()
        who = Appointment(
            options["username"], options["name"], Role.ADMINISTRATOR, None, own_password=False
        )
        try:
            user = appoint_person(
                appointment=who,
                password=password,
                by="appoint_administrator",
                at=datetime.now(UTC),
            )
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(f"{user.username} is an administrator. One-time password: {password}")
