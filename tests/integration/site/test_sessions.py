"""Sessions: three at once, twelve hours, listed and ended by their owner, refused when ended."""

from __future__ import annotations

import time

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from oipsce_site.administration.actions.sessions import end_sessions
from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.queries import entries_of
from oipsce_site.ledger.record import ORGANISATION_CHAIN
from oipsce_site.people.models import EndedSession, User
from oipsce_site.people.roles import Role
from tests.factories import NOON, make_person, make_site

pytestmark = pytest.mark.django_db

HOUR = 3600


@pytest.fixture
def nora() -> User:
    return make_person(Role.REVIEWER, site=make_site("north"), username="nora")


def sign_in(name: str = "nora", browser: str = "Firefox") -> Client:
    client = Client(HTTP_USER_AGENT=browser)
    answer = client.post(reverse("account_login"), {"login": name, "password": "a password"})
    assert answer.status_code == 302
    return client


def status(client: Client) -> int:
    return client.get(reverse("review:calls")).status_code


def key_of(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def turn_back(client: Client, seconds: int) -> None:
    """Let a session have begun that much earlier."""
    session = client.session
    session["began"] = int(time.time()) - seconds
    session.save()


def table(client: Client) -> str:
    page = client.get(reverse("own_sessions")).content.decode()
    return page[page.index("<tbody>") : page.index("</tbody>")]


@pytest.mark.usefixtures("nora")
def test_a_fourth_sign_in_ends_the_oldest_and_tells_its_owner() -> None:
    first, second, third = sign_in(browser="Oldest"), sign_in(), sign_in()
    first_key = key_of(first)
    assert [status(one) for one in (first, second, third)] == [200, 200, 200]
    fourth = sign_in()
    page = fourth.get(reverse("review:calls")).content.decode()
    assert "You are signed in at 3 places at most: the session from 127.0.0.1 since" in page
    assert [status(one) for one in (second, third, fourth)] == [200, 200, 200]
    answer = first.get(reverse("review:queue"))
    assert answer["Location"] == f"{reverse('account_login')}?next=/queue/&ended=SURPLUS"
    door = first.get(answer["Location"]).content.decode()
    assert "you signed in at more places than are held at once" in door
    assert not Session.objects.filter(session_key=first_key).exists()
    assert not EndedSession.objects.filter(key_digest=first_key).exists()


@pytest.mark.usefixtures("nora")
def test_a_fragment_of_an_ended_session_is_401_with_the_reason() -> None:
    first = sign_in()
    for _ in range(3):
        sign_in()
    answer = first.get(reverse("review:calls"), headers={"HX-Request": "true"})
    assert answer.status_code == 401
    assert "signed in at more places" in answer.content.decode()
    assert "Sign in again." in answer.content.decode()


@pytest.mark.usefixtures("nora")
def test_other_people_have_three_of_their_own() -> None:
    make_person(username="otto")
    noras = [sign_in() for _ in range(3)]
    ottos = [sign_in("otto") for _ in range(3)]
    assert {status(one) for one in (*noras, *ottos)} == {200}


@pytest.mark.usefixtures("nora")
def test_a_session_ends_after_twelve_hours_however_busy() -> None:
    client = sign_in()
    turn_back(client, 12 * HOUR - 60)
    assert status(client) == 200
    turn_back(client, 12 * HOUR + 60)
    answer = client.get(reverse("review:calls"))
    assert answer["Location"] == f"{reverse('account_login')}?next=/&ended=LONG"
    page = client.get(answer["Location"]).content.decode()
    assert "Your session ended after twelve hours." in page
    assert status(client) == 302


@pytest.mark.usefixtures("nora")
def test_a_fragment_after_twelve_hours_is_401_and_a_new_sign_in_begins_anew() -> None:
    client = sign_in()
    turn_back(client, 13 * HOUR)
    answer = client.post(reverse("review:queue_next"), headers={"HX-Request": "true"})
    assert answer.status_code == 401
    client.post(reverse("account_login"), {"login": "nora", "password": "a password"})
    assert status(client) == 200
    assert time.time() - client.session["began"] < HOUR


def test_a_session_from_before_this_rule_gets_its_twelve_hours(nora: User) -> None:
    client = Client()
    client.force_login(nora)
    assert "began" not in client.session
    assert status(client) == 200
    assert "began" in client.session


@pytest.mark.usefixtures("nora")
def test_the_own_sessions_are_listed_and_one_is_ended() -> None:
    here, there = sign_in(browser="Here-Browser"), sign_in(browser="There-Browser")
    rows = table(here)
    assert rows.index("Here-Browser") < rows.index("There-Browser")
    assert rows.count("this one") == 1
    number = rows.partition('name="session" value="')[2].partition('"')[0]
    ended = here.post(reverse("own_sessions"), {"session": number}, follow=True)
    assert "1 session ended." in ended.content.decode()
    assert (status(here), status(there)) == (200, 302)
    door = there.get(reverse("review:calls"), follow=True).content.decode()
    assert "<h1>Sign in</h1>" in door


@pytest.mark.usefixtures("nora")
def test_all_others_are_ended() -> None:
    here, *others = [sign_in() for _ in range(3)]
    here.post(reverse("own_sessions"))
    assert [status(one) for one in (here, *others)] == [200, 302, 302]
    assert "Here only." in here.get(reverse("own_sessions")).content.decode()
    kinds = [read_body(one.body)["type"] for one in entries_of(ORGANISATION_CHAIN)]
    assert kinds[-1] == "person.own_sessions_end"


@pytest.mark.usefixtures("nora")
def test_another_persons_session_is_not_ended_by_its_number() -> None:
    make_person(username="otto")
    nora, otto = sign_in(), sign_in("otto")
    rows = table(sign_in("otto"))
    number = rows.partition('name="session" value="')[2].partition('"')[0]
    answer = nora.post(reverse("own_sessions"), {"session": number}, follow=True)
    assert "0 sessions ended." in answer.content.decode()
    assert (status(nora), status(otto)) == (200, 200)


@pytest.mark.usefixtures("nora")
@pytest.mark.parametrize("sent", ["x", "-1", "9" * 30, "1.5"])
def test_a_number_that_is_none_ends_nothing(sent: str) -> None:
    here, there = sign_in(), sign_in()
    assert here.post(reverse("own_sessions"), {"session": sent}).status_code in (302, 422)
    assert (status(here), status(there)) == (200, 200)


def test_an_administrator_ends_a_session_at_once_and_it_says_so(nora: User) -> None:
    client = sign_in()
    by = make_person(Role.ADMINISTRATOR)
    end_sessions(person_id=nora.pk, session_id=None, by=by, at=NOON)
    answer = client.get(reverse("review:calls"))
    assert answer["Location"].endswith("ended=ADMINISTRATOR")
    page = client.get(answer["Location"]).content.decode()
    assert "An administrator ended your session." in page


def test_the_door_repeats_no_other_words() -> None:
    page = Client().get(f"{reverse('account_login')}?ended=<b>you</b>").content.decode()
    assert "you</b>" not in page


@pytest.mark.usefixtures("nora")
def test_signing_in_changes_the_sessions_key() -> None:
    client = Client()
    client.get(reverse("account_login"))
    session = client.session
    session["planted"] = "x"
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""
    client.post(reverse("account_login"), {"login": "nora", "password": "a password"})
    assert key_of(client) != session.session_key
    assert not Session.objects.filter(session_key=session.session_key).exists()


@pytest.mark.usefixtures("nora")
def test_a_session_ends_with_a_new_password_elsewhere() -> None:
    here, there = sign_in(), sign_in()
    words = {"oldpassword": "a password"}
    words |= dict.fromkeys(("password1", "password2"), "quite-another-one-7")
    here.post(reverse("account_change_password"), words)
    assert (status(here), status(there)) == (200, 302)
