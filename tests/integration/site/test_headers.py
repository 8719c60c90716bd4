"""What every answer carries, and what the log never does."""

import json
import logging
import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
import redis
from django.contrib.sessions.models import Session
from django.db import InterfaceError, OperationalError
from django.test import Client
from django.utils import timezone

from oipsce_site import health, logs
from oipsce_site.people.models import User
from review.actions.workers import note_beat
from review.views import calls as calls_view

LOGIN = "/accounts/login/"
PASSWORD = "correct-horse-battery"


@pytest.fixture
def client() -> Client:
    """Return a browser's stand-in that asks for localhost."""
    return Client(headers={"host": "localhost:8000"})


@pytest.fixture
def person(db: None) -> User:
    """Return somebody who can sign in."""
    return User.objects.create_user("hal", "Hal Head", password=PASSWORD)


@pytest.mark.django_db
def test_every_page_forbids_inline_code_and_storing(client: Client) -> None:
    answer = client.get(LOGIN)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "no-store" in answer.headers["Cache-Control"]
    assert "HX-Request" in answer.headers["Vary"]
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert len(answer.headers["X-Request-Id"]) == 32


def test_a_page_at_the_address_is_sent_to_the_name() -> None:
    answer = Client(headers={"host": "127.0.0.1:8000"}).post(f"{LOGIN}?next=/a")
    assert answer.status_code == 307
    assert answer.headers["Location"] == f"http://localhost:8000{LOGIN}?next=/a"
    assert "Content-Security-Policy" in answer.headers


def test_health_answers_at_the_address_too() -> None:
    answer = Client(headers={"host": "127.0.0.1:8000"}).get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_a_missing_broker_or_worker_is_named_and_leaves_the_site_in_service(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> redis.Redis:
        raise redis.ConnectionError("closed")

    whole = {"database": True, "migrations": True, "guards": True, "broker": True, "worker": False}
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"status": "degraded", "parts": whole})
    note_beat(worker="w", at=timezone.now())
    assert client.get("/readyz").json()["status"] == "ready"
    monkeypatch.setattr(redis.Redis, "from_url", refuse)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["parts"]["broker"] is False


@pytest.mark.django_db
def test_a_part_that_people_need_takes_the_site_out_of_service(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "check_triggers", lambda: ["trigger no_change is disabled"])
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "not ready")


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError("gone"), InterfaceError("closed")])
def test_a_database_that_is_away_is_a_503_that_says_when_to_come_back(
    error: Exception, signed_in: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(calls_view, "list_calls", fail)
    signed_in.raise_request_exception = False
    answer = signed_in.get("/")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert answer.headers["X-Request-Id"] in answer.content.decode()


@pytest.mark.django_db
def test_nobody_signs_up(client: Client) -> None:
    values = {"username": "eve", "password1": PASSWORD, "password2": PASSWORD}
    client.post("/accounts/signup/", values)
    assert not User.objects.filter(username="eve").exists()


@pytest.fixture
def signed_in(client: Client, person: User) -> Client:
    """Return a client that signed in a while ago."""
    client.force_login(person, backend="allauth.account.auth_backends.AuthenticationBackend")
    Session.objects.update(expire_date=timezone.now() + timedelta(minutes=5))
    return client


def _minutes_left() -> float:
    return (Session.objects.get().expire_date - timezone.now()).total_seconds() / 60


def test_a_request_restarts_the_idle_clock(signed_in: Client) -> None:
    signed_in.get("/accounts/password/change/")
    assert 14 < _minutes_left() <= 15


def test_the_next_request_within_a_minute_writes_nothing(signed_in: Client) -> None:
    signed_in.get("/accounts/password/change/")
    Session.objects.update(expire_date=timezone.now() + timedelta(minutes=5))
    answer = signed_in.get("/accounts/password/change/")
    assert "sessionid" not in answer.cookies
    assert _minutes_left() <= 5


def test_after_a_minute_the_clock_is_restarted_again(
    signed_in: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_in.get("/accounts/password/change/")
    Session.objects.update(expire_date=timezone.now() + timedelta(minutes=5))
    later = time.time() + 61
    monkeypatch.setattr(time, "time", lambda: later)
    signed_in.get("/accounts/password/change/")
    assert _minutes_left() > 14


def test_a_page_that_polls_does_not(signed_in: Client) -> None:
    signed_in.get("/accounts/password/change/", headers={"X-Poll": "1"})
    assert _minutes_left() <= 5


def test_an_idle_session_is_over(signed_in: Client) -> None:
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    answer = signed_in.get("/accounts/password/change/")
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith(LOGIN)


@pytest.fixture
def line() -> Iterator[logging.LogRecord]:
    """Yield the record of an error whose message quotes a call."""
    token = logs.request_id.set("r1")
    try:
        raise ValueError("the caller said: my number is 123")
    except ValueError as error:
        info = (type(error), error, error.__traceback__)
        extra = {"call_id": "c1", "words": "my number is 123"}
        record = logging.LogRecord("oip", logging.ERROR, __file__, 1, "import failed", (), info)
        record.__dict__.update(extra)
        yield record
    finally:
        logs.request_id.reset(token)


def test_a_log_line_is_json_without_words_of_a_call(line: logging.LogRecord) -> None:
    text = logs.JsonLineFormatter().format(line)
    found = json.loads(text)
    assert "\n" not in text
    assert "my number" not in text
    assert (found["event"], found["request_id"], found["call_id"]) == ("import failed", "r1", "c1")
    assert found["error"] == "ValueError"
