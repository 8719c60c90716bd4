"""Signing in: what fails is counted and told, nobody is locked out elsewhere, two factors."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from oipsce_site.administration.actions.attempts import TryLater, begin_attempt
from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.queries import entries_of
from oipsce_site.ledger.record import ORGANISATION_CHAIN
from oipsce_site.people.models import SignInAttempt, User
from oipsce_site.people.roles import Role
from tests.factories import make_person, make_site
from tests.functional.test_account_pages import code_of
from tests.signers import SECRET, with_app

pytestmark = pytest.mark.django_db

HERE, THERE = "10.0.0.1", "10.0.0.2"
RIGHT = "a password"


@pytest.fixture
def nora() -> User:
    nora = make_person(Role.REVIEWER, site=make_site("north"), username="nora")
    nora.email = "nora@example.org"
    nora.save()
    return nora


@pytest.fixture(autouse=True)
def used_codes() -> None:
    """Let each test use the code of this half minute once."""
    cache.clear()


def knock(name: str, password: str, address: str = HERE, **more: Any) -> Any:
    """Send name and password by a browser of its own."""
    client = Client(REMOTE_ADDR=address, **more)
    return client.post(reverse("account_login"), {"login": name, "password": password})


def words(answer: Any) -> str:
    return str(answer.content.decode())


def facts(kind: str) -> list[Any]:
    bodies: list[Any] = [read_body(one.body) for one in entries_of(ORGANISATION_CHAIN)]
    return [one["facts"] for one in bodies if one["type"] == kind]


@pytest.mark.usefixtures("nora")
def test_a_wrong_password_and_an_unknown_name_are_told_apart_by_nobody() -> None:
    known, unknown = knock("nora", "wrong"), knock("nobody", "wrong")
    assert (known.status_code, unknown.status_code) == (200, 200)
    said = "The username and/or password you specified are not correct."
    assert said in words(known)
    assert said in words(unknown)


def test_a_failure_is_in_the_log_without_what_was_typed(nora: User) -> None:
    knock("nora", "hunter2-hunter2")
    knock("hunter2-hunter2", "nora")
    known, unknown = facts("sign_in.fail")
    assert (known["user_id"], unknown["user_id"]) == (str(nora.pk), None)
    assert (known["address"], known["count"], known["alert"]) == (HERE, 1, False)
    log = b"".join(one.body for one in entries_of(ORGANISATION_CHAIN))
    assert b"hunter2" not in log
    assert not SignInAttempt.objects.filter(whose__contains="hunter").exists()


@pytest.mark.usefixtures("nora")
def test_five_failures_make_the_next_one_wait_and_say_until_when() -> None:
    began = timezone.now()
    for _ in range(5):
        assert knock("nora", "wrong").status_code == 200
    refused = knock("nora", RIGHT)
    assert refused.status_code == 429
    ends = [began + timedelta(minutes=16 + more) for more in (0, 1)]
    assert any(f"Try again after {end:%H:%M} UTC" in words(refused) for end in ends)
    assert "Nothing is locked" in words(refused)
    alerts = [(one["alert"], one["waits"]) for one in facts("sign_in.fail")]
    assert alerts == [(False, False), (False, False), (True, False), (True, False), (True, True)]
    # What is refused is no failure: waiting comes to an end.
    assert SignInAttempt.objects.count() == 5


def test_nobody_is_locked_out_at_another_address(nora: User) -> None:
    for _ in range(6):
        knock("nora", "wrong")
    answer = knock("nora", RIGHT, THERE)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert facts("sign_in.done")[-1] == {"user_id": str(nora.pk), "address": THERE, "ended": 0}


@pytest.mark.usefixtures("nora")
def test_other_people_behind_the_address_sign_in() -> None:
    make_person(username="otto")
    for _ in range(6):
        knock("nora", "wrong")
    assert knock("otto", RIGHT).status_code == 302


@pytest.mark.usefixtures("nora")
def test_name_and_address_of_one_account_are_counted_together() -> None:
    for name in ("nora", "NORA", "nora@example.org", "Nora@example.org", " nora "):
        knock(name, "wrong")
    assert knock("nora@example.org", RIGHT).status_code == 429


@pytest.mark.usefixtures("nora")
def test_a_header_makes_no_other_address() -> None:
    for number in range(5):
        knock("nora", "wrong", headers={"x-forwarded-for": f"10.9.9.{number}"})
    assert knock("nora", RIGHT, headers={"x-forwarded-for": "10.9.9.9"}).status_code == 429


@pytest.mark.usefixtures("nora")
def test_a_household_of_ipv6_is_one_place() -> None:
    for number in range(5):
        knock("nora", "wrong", f"2001:db8:0:7::{number + 1:x}")
    assert knock("nora", RIGHT, "2001:db8:0:7::ffff").status_code == 429
    assert knock("nora", RIGHT, "2001:db8:0:8::1").status_code == 302


def test_a_spray_over_many_names_is_stopped_at_its_address() -> None:
    make_person(username="otto")
    now = timezone.now()
    SignInAttempt.objects.bulk_create(
        SignInAttempt(whose=f"{number:064}", address=HERE, at=now) for number in range(50)
    )
    refused = knock("otto", RIGHT)
    assert refused.status_code == 429
    assert "Too many wrong attempts from here." in words(refused)
    assert knock("otto", RIGHT, THERE).status_code == 302


def test_signing_in_forgets_the_failures_of_that_place_alone(nora: User) -> None:
    for _ in range(3):
        knock("nora", "wrong")
        knock("nora", "wrong", THERE)
    assert knock("nora", RIGHT).status_code == 302
    assert set(SignInAttempt.objects.values_list("address", flat=True)) == {THERE}
    assert User.objects.get(pk=nora.pk).last_login is not None


@pytest.mark.django_db(transaction=True)
def test_many_at_once_get_no_more_attempts_than_one_after_the_other() -> None:
    gate = Barrier(8)

    def attempt(_: int) -> bool:
        gate.wait()
        try:
            begin_attempt(name="nora", address=HERE, step="password", at=timezone.now())
        except TryLater:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(8))) == 5


def test_a_second_step_asks_for_the_code(nora: User) -> None:
    with_app(nora)
    client = at_the_second_step()
    assert client.get(reverse("review:calls")).status_code == 302
    answer = client.post(reverse("mfa_authenticate"), {"code": code_of(SECRET, time.time())})
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert client.get(reverse("review:calls")).status_code == 200


def test_a_code_is_right_once(nora: User) -> None:
    with_app(nora)
    code = code_of(SECRET, time.time())
    first, second = at_the_second_step(), at_the_second_step()
    assert first.post(reverse("mfa_authenticate"), {"code": code}).status_code == 302
    again = second.post(reverse("mfa_authenticate"), {"code": code})
    assert (again.status_code, "Incorrect code" in words(again)) == (200, True)


def test_a_recovery_code_is_right_once(nora: User) -> None:
    with_app(nora)
    code = RecoveryCodes.activate(nora).get_unused_codes()[0]
    for status in (302, 200):
        answer = at_the_second_step().post(reverse("mfa_authenticate"), {"code": code})
        assert answer.status_code == status


def test_five_wrong_codes_make_the_next_one_wait_whatever_the_password(nora: User) -> None:
    with_app(nora)
    for _ in range(5):
        answer = at_the_second_step().post(reverse("mfa_authenticate"), {"code": "000000"})
        assert "Incorrect code" in words(answer)
    right = code_of(SECRET, time.time())
    refused = at_the_second_step().post(reverse("mfa_authenticate"), {"code": right})
    assert "Too many wrong attempts for this account from here" in words(refused)
    elsewhere = at_the_second_step(THERE).post(reverse("mfa_authenticate"), {"code": right})
    assert elsewhere.status_code == 302
    assert [one["step"] for one in facts("sign_in.fail")] == ["code"] * 5


def at_the_second_step(address: str = HERE) -> Client:
    client = Client(REMOTE_ADDR=address)
    answer = client.post(reverse("account_login"), {"login": "nora", "password": RIGHT})
    assert answer["Location"] == reverse("mfa_authenticate")
    return client


@pytest.mark.parametrize("role", Role)
def test_every_role_sets_up_a_second_factor_first_where_one_is_asked_for(
    role: Role, settings: Settings
) -> None:
    settings.SECOND_FACTOR_REQUIRED = True
    person = make_person(role, site=make_site("north"))
    client = Client()
    client.force_login(person)
    for name in ("review:calls", "review:queue", "administration:people", "catalogs:catalogs"):
        assert client.get(reverse(name))["Location"] == reverse("second_factor_due")
    assert client.post(reverse("review:queue_next"))["Location"] == reverse("second_factor_due")
    due = client.get(reverse("second_factor_due"))
    assert due.status_code == 200
    for way in ("mfa_add_webauthn", "mfa_activate_totp"):
        assert f'href="{reverse(way)}"' in words(due)
        assert client.get(reverse(way))["Location"].startswith(reverse("account_reauthenticate"))
    with_app(person)
    assert client.get(reverse("review:calls")).status_code == 200
    assert client.get(reverse("second_factor_due"))["Location"] == reverse("mfa_index")


def test_codes_alone_are_no_second_factor(nora: User, settings: Settings) -> None:
    settings.SECOND_FACTOR_REQUIRED = True
    RecoveryCodes.activate(nora)
    client = Client()
    client.force_login(nora)
    assert client.get(reverse("review:calls"))["Location"] == reverse("second_factor_due")


def test_who_takes_the_last_one_away_is_asked_again_and_signed_out_elsewhere(
    nora: User, settings: Settings
) -> None:
    settings.SECOND_FACTOR_REQUIRED = True
    with_app(nora)
    here, there = at_the_second_step(), Client()
    here.post(reverse("mfa_authenticate"), {"code": code_of(SECRET, time.time())})
    there.force_login(nora)
    assert (status(here), status(there)) == (200, 200)
    here.post(reverse("account_reauthenticate"), {"password": RIGHT})
    taken = here.post(reverse("mfa_deactivate_totp"))
    assert taken["Location"] == reverse("mfa_index")
    assert not Authenticator.objects.filter(user=nora).exists()
    assert facts("person.factor_remove") == [{"user_id": str(nora.pk), "factor": "totp"}]
    assert here.get(reverse("review:calls"))["Location"] == reverse("second_factor_due")
    assert there.get(reverse("review:calls"))["Location"].startswith(reverse("account_login"))


def status(client: Client) -> int:
    return client.get(reverse("review:calls")).status_code
