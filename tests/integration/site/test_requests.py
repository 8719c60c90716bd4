"""One request: its id, its line in the log, its size on the wire, and what a crash shows."""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Callable, Iterator
from typing import NoReturn
from uuid import UUID

import brotli
import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from oipsce_site import logs
from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.tasks import rehearse_version
from tests.factories import (
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)

# What the call, the error and the search below say, and no line may repeat.
CANARY = "zanzibar-canary"


@pytest.fixture
def lines() -> Iterator[Callable[[], list[str]]]:
    """Yield a function that returns every line logged so far, at the finest level, as written."""
    written: list[str] = []
    formatter = logs.JsonLineFormatter()

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(formatter.format(record))

    keeper, root = Keeper(), logging.getLogger()
    level = root.level
    root.addHandler(keeper)
    root.setLevel(logging.DEBUG)
    yield lambda: list(written)
    root.removeHandler(keeper)
    root.setLevel(level)


@pytest.fixture
def north(db: None) -> Site:
    return make_site("north")


@pytest.fixture
def reader(north: Site) -> Client:
    client = Client(headers={"host": "localhost:8000"}, raise_request_exception=False)
    client.force_login(make_person(Role.REVIEWER, site=north))
    return client


@pytest.fixture
def version_id(db: None) -> UUID:
    return publish(catalog_source("micro"))


@pytest.fixture
def call_id(north: Site, version_id: UUID) -> UUID:
    """Import and pre-fill a call that says the canary in every turn."""
    raw = raw_micro(title=f"About {CANARY}")
    for turn in raw["turns"]:
        turn["text"] += f" {CANARY}"
    return prefilled(read(raw), north)


def crash(*_: object, **__: object) -> NoReturn:
    raise ValueError(f"the caller said {CANARY}")


def fail_in_a_task(patch: pytest.MonkeyPatch, version_id: UUID) -> None:
    """Let a task end in an error as the worker runs it: Celery logs what it raised."""
    patch.setattr("review.tasks.rehearsals.rehearse", crash)
    assert rehearse_version.apply(kwargs={"version_id": str(version_id)}).failed()


@pytest.mark.django_db(transaction=True)
def test_no_line_repeats_a_word_of_a_call(
    lines: Callable[[], list[str]],
    reader: Client,
    call_id: UUID,
    version_id: UUID,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = reverse("review:call", args=[call_id])
    assert CANARY in reader.get(page).content.decode()
    reader.get(reverse("review:calls"), {"q": CANARY})
    fail_in_a_task(monkeypatch, version_id)
    monkeypatch.setattr("review.views.call.opened.show_call", crash)
    reader.get(page)
    written = lines()
    assert [line for line in written if CANARY in line] == []
    assert any("rehearse_version" in line and "(left out)" in line for line in written)
    answered = [json.loads(line) for line in written if '"answered"' in line]
    assert [(one["path"], one["status"]) for one in answered] == [
        (page, "200"),
        (reverse("review:calls"), "200"),
        (page, "500"),
    ]


@pytest.mark.django_db(transaction=True)
def test_a_crash_is_found_by_the_number_on_its_page(
    lines: Callable[[], list[str]],
    reader: Client,
    call_id: UUID,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("review.views.call.opened.show_call", crash)
    answer = reader.get(reverse("review:call", args=[call_id]))
    number = answer.headers["X-Request-Id"]
    assert answer.status_code == 500
    assert f"<code>{number}</code>" in answer.content.decode()
    assert CANARY not in answer.content.decode()
    [line] = [json.loads(one) for one in lines() if "Internal Server Error" in one]
    assert (line["request_id"], line["error"]) == (number, "ValueError")
    assert any(" crash" in place for place in line["frames"])


@pytest.mark.parametrize(
    ("given", "is_kept"),
    [
        ("proxy-7f3a.22", True),
        ("short", False),
        ("x" * 65, False),
        ("with blank", False),
        ('"}{"level":"CRITICAL', False),
        ("ünïcode-ünïcode", False),
    ],
)
def test_a_proxys_id_is_kept_when_it_is_plain(
    settings: Settings, given: str, is_kept: bool
) -> None:
    settings.REQUEST_ID_FROM_PROXY = True
    answer = Client(headers={"host": "localhost", "x-request-id": given}).get("/healthz")
    assert (answer.headers["X-Request-Id"] == given) is is_kept


def test_a_strangers_id_is_not() -> None:
    answer = Client(headers={"host": "localhost", "x-request-id": "stranger-1"}).get("/healthz")
    assert answer.headers["X-Request-Id"] != "stranger-1"


UNPACKED = {"br": brotli.decompress, "gzip": gzip.decompress}


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("gzip, br;q=0", "gzip"),
        ("gzip;q=1.0, br;q=0.5", "br"),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_pages_with_words_are_compressed_and_never_stored(
    reader: Client, call_id: UUID, accepted: str, encoding: str
) -> None:
    for name in (reverse("review:call", args=[call_id]), reverse("review:calls")):
        plain = reader.get(name)
        packed = reader.get(name, headers={"accept-encoding": accepted})
        assert packed.headers["Content-Encoding"] == encoding
        assert "Accept-Encoding" in plain.headers["Vary"]
        assert "Accept-Encoding" in packed.headers["Vary"]
        assert {one.headers["Cache-Control"] for one in (plain, packed)} == {"no-store"}
        assert "<h1" in UNPACKED[encoding](packed.content).decode()
        assert len(packed.content) < len(plain.content) / 2


@pytest.mark.parametrize("encoding", ["br", "gzip"])
@pytest.mark.django_db(transaction=True)
def test_the_length_of_a_compressed_page_tells_nothing(
    reader: Client, call_id: UUID, encoding: str
) -> None:
    """The same page has another length each time, so guesses cannot be told apart by it."""
    page = reverse("review:call", args=[call_id])
    answers = [reader.get(page, headers={"accept-encoding": encoding}) for _ in range(8)]
    assert len({len(answer.content) for answer in answers}) > 1
