"""Accounts: what an administrator may do to whom, and what ends with it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from oipsce_site.administration.actions.acting import ChangedMeanwhile, NotThere, UnableToAdminister
from oipsce_site.administration.actions.people import (
    Details,
    create_person,
    deactivate_person,
    describe_person,
    reactivate_person,
)
from oipsce_site.administration.actions.sessions import end_sessions
from oipsce_site.administration.actions.sign_in import (
    choose_password,
    replace_password,
    reset_second_factor,
)
from oipsce_site.administration.passwords import new_password
from oipsce_site.administration.permissions import NotAllowed
from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.core.entry import commit_text
from oipsce_site.ledger.queries import entries_of
from oipsce_site.ledger.record import ORGANISATION_CHAIN
from oipsce_site.people.models import PersonAct, User
from oipsce_site.people.queries import roles_of
from oipsce_site.people.roles import Role
from tests.factories import NOON, make_person, make_site
from tests.integration.administration.acts import (
    ADMINISTRATION,
    OWN,
    administrator,
    deactivated,
    revision_of,
    with_factor,
)

pytestmark = pytest.mark.django_db

OTHERS = [role for role in Role if role is not Role.ADMINISTRATOR]
NEWCOMER = Details("newcomer", "New Comer", "")


def last_entry() -> Any:
    return read_body(list(entries_of(ORGANISATION_CHAIN))[-1].body)


def browser_of(person: User) -> Client:
    client = Client(headers={"host": "localhost:8000"})
    client.force_login(person)
    assert client.get(reverse("mfa_index")).status_code == 200
    return client


def is_signed_in(client: Client) -> bool:
    return client.get(reverse("mfa_index")).status_code == 200


@pytest.mark.parametrize("role", OTHERS)
def test_only_an_administrator_makes_accounts(role: Role) -> None:
    with pytest.raises(NotAllowed, match="Only administrators"):
        create_person(details=NEWCOMER, password="x", by=make_person(role), at=NOON)
    assert not User.objects.filter(username="newcomer").exists()


def test_an_account_starts_without_a_role_and_with_a_password_to_change() -> None:
    by = administrator()
    made = create_person(details=NEWCOMER, password="abcd-efgh", by=by, at=NOON)
    stored = User.objects.get(pk=made.pk)
    assert stored.check_password("abcd-efgh")
    assert stored.must_change_password
    assert roles_of(stored) == frozenset()
    assert last_entry()["actor"] == {"id": str(by.pk), "kind": "person", "role": "administrator"}
    assert last_entry()["facts"] == {"user_id": str(made.pk)}


@pytest.mark.parametrize(
    ("details", "field"),
    [
        (Details("taken", "Other", ""), "username"),
        (Details("Bad Name", "Other", ""), "username"),
        (Details("fresh", " ", ""), "printed_name"),
        (Details("fresh", "Other", "TAKEN@example.org"), "email"),
    ],
)
def test_a_refused_value_is_named(details: Details, field: str) -> None:
    User.objects.create_user("taken", "Tak En", email="taken@example.org")
    with pytest.raises(UnableToAdminister) as refusal:
        create_person(details=details, password="x", by=administrator(), at=NOON)
    assert refusal.value.field == field


def test_a_one_time_password_is_long_and_another_each_time() -> None:
    words = {new_password() for _ in range(100)}
    assert len(words) == 100
    assert {len(word) for word in words} == {19}
    assert not set("".join(words)) & set("0o1il")


def test_a_change_of_what_somebody_else_changed_is_refused() -> None:
    by, person = administrator(), make_person()
    first = Details("", "First", "")
    describe_person(person_id=person.pk, expected_revision=1, details=first, by=by, at=NOON)
    with pytest.raises(ChangedMeanwhile):
        describe_person(person_id=person.pk, expected_revision=1, details=first, by=by, at=NOON)
    stored = User.objects.get(pk=person.pk)
    assert (stored.revision, stored.changed_by, stored.changed_at) == (2, by, NOON)


def test_the_log_commits_to_a_new_name_and_does_not_hold_it() -> None:
    by, person = administrator(), make_person()
    details = Details("", "Wed Ded", "")
    describe_person(person_id=person.pk, expected_revision=1, details=details, by=by, at=NOON)
    act = PersonAct.objects.get(user=person, kind="person.describe")
    assert act.words == "Some Body → Wed Ded"
    assert act.nonce is not None
    assert last_entry()["facts"]["words"] == commit_text(bytes(act.nonce), act.words)
    assert "Wed" not in json.dumps(last_entry())


def test_deactivating_ends_every_session_at_once_and_reactivating_brings_none_back() -> None:
    person, by = make_person(Role.REVIEWER, site=make_site()), administrator()
    clients = [browser_of(person), browser_of(person)]
    now = timezone.now()
    deactivate_person(person_id=person.pk, expected_revision=1, reason="left", by=by, at=now)
    assert roles_of(person, make_site()) == frozenset()
    assert not any(is_signed_in(client) for client in clients)
    assert last_entry()["facts"]["sessions"] == 2
    reactivate_person(person_id=person.pk, expected_revision=2, reason="back", by=by, at=now)
    assert roles_of(person, make_site()) == {Role.REVIEWER}
    assert not any(is_signed_in(client) for client in clients)


def test_the_sessions_of_others_go_on() -> None:
    person, other = make_person(), make_person()
    client = browser_of(other)
    browser_of(person)
    ended = end_sessions(
        person_id=person.pk, session_id=None, by=administrator(), at=timezone.now()
    )
    assert ended == 1
    assert is_signed_in(client)
    assert Session.objects.count() == 1


def test_an_administrator_does_not_deactivate_themselves() -> None:
    by = administrator()
    with pytest.raises(UnableToAdminister, match="last administrator of this installation"):
        deactivate_person(person_id=by.pk, expected_revision=1, reason="x", by=by, at=NOON)
    administrator()
    with pytest.raises(UnableToAdminister, match="Another administrator deactivates"):
        deactivate_person(person_id=by.pk, expected_revision=1, reason="x", by=by, at=NOON)
    assert User.objects.get(pk=by.pk).is_active


def test_a_deactivated_administrator_acts_no_more() -> None:
    """Of two who deactivate each other the second one waits for the lock and finds this."""
    first, second = administrator(), administrator()
    deactivate_person(person_id=second.pk, expected_revision=1, reason="x", by=first, at=NOON)
    with pytest.raises(NotAllowed):
        deactivate_person(person_id=first.pk, expected_revision=1, reason="x", by=second, at=NOON)


def test_a_standing_that_holds_already_is_refused() -> None:
    by, person = administrator(), make_person()
    with pytest.raises(UnableToAdminister, match="active already"):
        reactivate_person(person_id=person.pk, expected_revision=1, reason="x", by=by, at=NOON)
    deactivated(person)
    with pytest.raises(UnableToAdminister, match="deactivated already"):
        deactivate_person(person_id=person.pk, expected_revision=2, reason="x", by=by, at=NOON)
    with pytest.raises(UnableToAdminister, match="activate it first"):
        replace_password(person_id=person.pk, expected_revision=2, password="x", by=by, at=NOON)


def test_a_replaced_password_ends_the_sessions_and_must_be_changed() -> None:
    person = make_person()
    client = browser_of(person)
    replace_password(
        person_id=person.pk,
        expected_revision=1,
        password="abcd-efgh",
        by=administrator(),
        at=timezone.now(),
    )
    stored = User.objects.get(pk=person.pk)
    assert stored.check_password("abcd-efgh")
    assert stored.must_change_password
    assert not is_signed_in(client)


def test_ones_own_password_is_recorded_as_ones_own() -> None:
    person = make_person()
    User.objects.filter(pk=person.pk).update(must_change_password=True)
    choose_password(password="my own long secret", by=person, at=NOON)
    stored = User.objects.get(pk=person.pk)
    assert stored.check_password("my own long secret")
    assert not stored.must_change_password
    assert stored.revision == 1
    assert last_entry()["actor"] == {"id": str(person.pk), "kind": "person", "role": "self"}


def test_a_second_factor_is_reset_with_its_reason() -> None:
    person, by = with_factor(make_person()), administrator()
    client = browser_of(person)
    reset_second_factor(
        person_id=person.pk, expected_revision=1, reason="phone lost", by=by, at=timezone.now()
    )
    assert not Authenticator.objects.filter(user=person).exists()
    assert not is_signed_in(client)
    act = PersonAct.objects.get(user=person)
    assert (act.words, act.by) == ("phone lost", by)
    with pytest.raises(UnableToAdminister, match="no second factor"):
        reset_second_factor(person_id=person.pk, expected_revision=2, reason="x", by=by, at=NOON)


def test_nobody_resets_what_is_their_own() -> None:
    by = with_factor(administrator())
    with pytest.raises(UnableToAdminister, match="Another administrator"):
        reset_second_factor(person_id=by.pk, expected_revision=1, reason="x", by=by, at=NOON)
    with pytest.raises(UnableToAdminister, match="your own password yourself"):
        replace_password(person_id=by.pk, expected_revision=1, password="x", by=by, at=NOON)
    assert revision_of(by) == 1


def test_somebody_who_is_not_there() -> None:
    by = administrator()
    with pytest.raises(NotThere):
        end_sessions(person_id=make_site().pk, session_id=None, by=by, at=NOON)


@pytest.mark.parametrize("name", sorted(ADMINISTRATION.keys() - OWN))
def test_no_act_is_open_to_who_is_no_administrator(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    act = ADMINISTRATION[name][1]()
    User.objects.update(is_active=False)
    with pytest.raises(NotAllowed):
        act()


def test_the_command_makes_administrators_with_a_password_to_change(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("appoint_administrator", "root", "--name", "Rita Root")
    made = User.objects.get(username="root")
    word = capsys.readouterr().out.split()[-1]
    assert made.check_password(word)
    assert made.must_change_password
    assert roles_of(made) == {Role.ADMINISTRATOR}
    with pytest.raises(CommandError, match="already exists"):
        call_command("appoint_administrator", "root", "--name", "Rita Root")
