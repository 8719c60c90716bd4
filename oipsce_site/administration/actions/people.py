"""Accounts: made, described anew, deactivated, activated again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction

from oipsce_site.administration.actions.acting import Acting, UnableToAdminister
from oipsce_site.administration.actions.sessions import delete_sessions
from oipsce_site.people.models import Membership, User
from oipsce_site.people.roles import Role


@dataclass(frozen=True, slots=True)
class Details:
    """What is said about a person. The sign-in name is given once."""

    username: str
    printed_name: str
    email: str


def create_person(*, details: Details, password: str, by: User, at: datetime) -> User:
    """Make an account without any role; its password must be changed at the first sign-in.

    Raises NotAllowed, or UnableToAdminister with the field of a value that is refused or taken.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        _check_address(details.email)
        try:
            user = User.objects.create_user(
                details.username, details.printed_name, password, details.email
            )
        except ValidationError as error:
            raise _refused(error) from error
        user.must_change_password = True
        acting.store(user, "must_change_password")
        acting.note(user, "person.create")
    return user


def describe_person(
    *, person_id: UUID, expected_revision: int, details: Details, by: User, at: datetime
) -> None:
    """Change the printed name and the address; the sign-in name in `details` is not looked at.

    Raises NotAllowed, NotThere, ChangedMeanwhile, or UnableToAdminister for a taken address.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        user = acting.load_person(person_id, expected_revision)
        _check_address(details.email, user)
        was = user.printed_name
        user.printed_name = details.printed_name.strip()
        user.email = User.objects.normalize_email(details.email)
        acting.store(user, "printed_name", "email")
        words = f"{was} → {user.printed_name}" if was != user.printed_name else ""
        acting.note(user, "person.describe", words=words)


def deactivate_person(
    *, person_id: UUID, expected_revision: int, reason: str, by: User, at: datetime
) -> None:
    """Close an account: it cannot sign in, its roles count no more, its sessions end at once.

    Raises NotAllowed, NotThere, ChangedMeanwhile, UnableToAdminister for oneself: so there is
    always an administrator left.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        user = acting.load_person(person_id, expected_revision)
        check_not_oneself(user, by, "Another administrator deactivates your account.")
        if not user.is_active:
            raise UnableToAdminister("The account is deactivated already.")
        user.is_active = False
        acting.store(user, "is_active")
        ended = delete_sessions(user, at=at)
        acting.note(user, "person.deactivate", {"sessions": ended}, words=reason)


def reactivate_person(
    *, person_id: UUID, expected_revision: int, reason: str, by: User, at: datetime
) -> None:
    """Open an account again; the roles that were not revoked meanwhile count again.

    Raises NotAllowed, NotThere, ChangedMeanwhile, or UnableToAdminister for an active account.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        user = acting.load_person(person_id, expected_revision)
        if user.is_active:
            raise UnableToAdminister("The account is active already.")
        user.is_active = True
        acting.store(user, "is_active")
        acting.note(user, "person.reactivate", words=reason)


def check_not_oneself(person: User, other: User, sentence: str) -> None:
    """Refuse an act on one's own account with this sentence. Raises UnableToAdminister.

    Who is the last administrator reads as well how to get a second one.
    """
    if person.pk != other.pk:
        return
    held = Membership.objects.filter(role=Role.ADMINISTRATOR, revoked_at__isnull=True)
    if held.filter(user__is_active=True).exclude(user=person).exists():
        raise UnableToAdminister(sentence)
    raise UnableToAdminister(
        f"{sentence} You are the last administrator of this installation: appoint another one "
        "first, with manage.py appoint_administrator."
    )


def _check_address(email: str, besides: User | None = None) -> None:
    taken = User.objects.filter(email__iexact=email)
    if besides is not None:
        taken = taken.exclude(pk=besides.pk)
    if email and taken.exists():
        raise UnableToAdminister("Another account has this address.", field="email")


def _refused(error: ValidationError) -> UnableToAdminister:
    """Return the first refusal with its field."""
    if not hasattr(error, "error_dict"):
        return UnableToAdminister(" ".join(error.messages))
    field, sentences = next(iter(error.message_dict.items()))
    return UnableToAdminister(" ".join(sentences), field="" if field == "__all__" else field)
