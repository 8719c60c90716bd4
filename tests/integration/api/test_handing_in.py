"""Whole calls by the API: taken once, refused with a sentence, asked for by their own site."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from oipsce_site.administration.actions.clients import revoke_client
from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.queries import entries_of, verify
from oipsce_site.people.models import ApiClient, Scope
from oipsce_site.people.roles import Role
from review.core.transcript import MAX_BYTES
from review.models import Alert, ApiAnswer, Call
from tests.factories import catalog_source, fill_all, make_person, make_site, publish, raw_micro
from tests.programs import Program, client_behind, program

pytestmark = pytest.mark.django_db


@pytest.fixture
def dialler() -> Program:
    publish(catalog_source("micro"))
    return program()


def test_a_call_is_handed_in_filled_and_asked_for(dialler: Program) -> None:
    made = dialler.post("calls", raw_micro())
    assert made.status == 201, made.body
    [line] = made.body["calls"]
    assert (line["outcome"], line["state"], line["sentence"]) == ("created", "prefilling", "")
    waiting = dialler.get(f"calls/{line['id']}").body
    assert (waiting["verdict"], waiting["provisional"]) == (None, True)
    fill_all()
    found = dialler.get(f"calls/{line['id']}").body
    assert found["verdict"]["call_success"] == "fail"
    assert {row["phase"] for row in found["verdict"]["rows"]} >= {"PID"}
    words = [turn["text"] for turn in raw_micro()["turns"] if len(turn["text"]) > 20]
    assert words
    assert not [text for text in words if text in json.dumps(found)]
    # Its violations are told as those of a running call are.
    failed = [edge for edge in found["verdict"]["edges"] if edge["ok"] is False]
    assert Alert.objects.count() == len(failed) > 0
    chain = Call.objects.get().pk
    assert verify(chain) is None or verify(chain) == []
    acted = [read_body(entry.body) for entry in entries_of(chain)]
    ingested = next(one for one in acted if one["type"] == "call.ingest")
    assert ingested["actor"] == {
        "id": str(client_behind(dialler).pk),
        "kind": "api",
        "role": "ingest_client",
    }


def test_handed_in_again_nothing_is_doubled_and_other_bytes_are_refused(dialler: Program) -> None:
    first = dialler.post("calls", raw_micro(), once="k1")
    again = dialler.post("calls", raw_micro(), once="k1")
    assert (again.status, again.body) == (first.status, first.body)
    assert again.headers["Idempotency-Replayed"] == "true"
    other = dialler.post("calls", raw_micro(title="other"), once="k1")
    assert (other.status, other.body["code"]) == (422, "idempotency_key_reused")
    fresh = dialler.post("calls", raw_micro())
    assert (fresh.status, fresh.body["calls"][0]["outcome"]) == (200, "unchanged")
    changed = dialler.post("calls", raw_micro(title="other"))
    assert (changed.status, changed.body["code"]) == (409, "other_bytes")
    assert Call.objects.count() == 1
    # What was refused may be mended and sent under the same key.
    assert dialler.post("calls", b"{", once="k2").status == 422
    assert dialler.post("calls", raw_micro(id="k2"), once="k2").status == 201


def test_several_calls_and_every_format_that_is_read(dialler: Program) -> None:
    calls = [raw_micro(id="a"), {"id": "b"}, raw_micro(id="c")]
    several = {"calls": calls, "format": "oip-calls/1"}
    made = dialler.post("calls", several)
    assert made.status == 201
    assert [one["outcome"] for one in made.body["calls"]] == ["created", "created", "refused"]
    spoken = b"WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v agent>Hello\n"
    made = dialler.post("calls?name=x1.vtt", spoken)
    assert (made.status, made.body["format"]) == (201, "webvtt")
    assert made.body["calls"][0]["state"] == "needs_mapping"
    assert dialler.post("calls?format=nothing", spoken).body["code"] == "unknown_format"


@pytest.mark.parametrize(
    "body", [b"", b"\x00\x01\x02", b"[]", b"null", b'{"id": 1}', b'"x"', b"\xff\xfe" * 9]
)
def test_what_is_no_call_is_refused_with_a_sentence(dialler: Program, body: bytes) -> None:
    got = dialler.ask("POST", "calls", body)
    assert got.status == 422
    assert got.body["detail"].endswith((".", ")"))
    assert not Call.objects.exists()


def test_a_body_beyond_the_limit_is_not_read(dialler: Program) -> None:
    got = dialler.ask("POST", "calls", b"x", **{"Content-Length": str(MAX_BYTES + 1)})
    assert (got.status, got.body["code"]) == (413, "too_large")


#: (what opens it, method, place): what a key of each scope gets at its own site, and at another.
WRITE, READ = Scope.WRITE_CALLS, Scope.READ_VERDICTS
REACH: list[tuple[str, str, str, int, int, int, int]] = [
    #  address               method  place                          write own/other  read own/other
    ("api:calls", "POST", "calls", 201, 201, 403, 403),
    ("api:call", "GET", "calls/{stored}", 403, 403, 200, 404),
    ("api:call_events", "POST", "calls/{stored}/events", 200, 404, 403, 403),
    ("api:running_calls", "POST", "running-calls", 201, 201, 403, 403),
    ("api:running_call", "GET", "running-calls/{running}", 200, 404, 200, 404),
    ("api:running_turns", "POST", "running-calls/{running}/turns", 200, 404, 403, 403),
    ("api:running_events", "POST", "running-calls/{running}/events", 200, 404, 403, 403),
    ("api:running_end", "POST", "running-calls/{running}/end", 200, 404, 403, 403),
]
#: Addresses without a key: the schema, the page made from it, and what is not there.
OPEN = {"api:openapi": 200, "api:reference": 200, "api:root": 404, "api:nothing": 404}


def test_what_a_key_opens_by_scope_and_site(dialler: Program) -> None:
    north, south = make_site("north"), make_site("south")
    # The micro case's first turns, so that something may follow.
    turns = raw_micro()["turns"]
    stored = dialler.post("calls", raw_micro(id="stored")).body["calls"][0]["id"]
    # Events are attached once the call is filled.
    fill_all(call=UUID(stored))
    opened = dialler.post("running-calls", {**raw_micro(id="runs"), "turns": turns[:1]}).body
    ids = {"stored": stored, "running": opened["id"]}
    columns = [program(site, scope) for scope in (WRITE, READ) for site in (north, south)]
    event = {"source": "tool", "name": "look_up", "turn": turns[0]["n"]}
    for name, method, place, *expected in REACH:
        body: Any = {
            "api:calls": raw_micro(id="handed in"),
            "api:running_calls": {**raw_micro(id="opened"), "turns": []},
            "api:running_turns": {"turns": turns[1:]},
            "api:call_events": {"events": [event]},
            "api:running_events": {"events": [event]},
        }.get(name, {} if method == "POST" else None)
        got = [one.ask(method, place.format(**ids), body).status for one in columns]
        assert got == expected, name


def test_the_table_names_every_address_of_the_api() -> None:
    from tests.integration.views.world import addresses  # noqa: PLC0415 - reads the URL conf

    named = {name for name, *_ in REACH} | OPEN.keys()
    assert named == {name for name in addresses() if name.startswith("api:")}


def test_without_a_key_in_force_nothing_opens_and_a_session_is_no_key(dialler: Program) -> None:
    client = client_behind(dialler)
    browser = Client()
    browser.force_login(make_person(Role.SENIOR_REVIEWER))
    for key in ("", "oip_x", "oip_" + "0" * 32 + "_" + "a" * 43, dialler.key[:-1] + "."):
        got = Program(key, browser).post("calls", raw_micro())
        assert (got.status, got.body["code"]) == (401, "key")
        assert got.headers["WWW-Authenticate"] == "Bearer"
    later = datetime.now(UTC) + timedelta(days=91)
    ApiClient.objects.filter(pk=client.pk).update(made_at=later - timedelta(days=200))
    ApiClient.objects.filter(pk=client.pk).update(expires_at=later - timedelta(days=100))
    assert dialler.post("calls", raw_micro()).status == 401
    ApiClient.objects.filter(pk=client.pk).update(expires_at=later)
    assert dialler.post("calls", raw_micro()).status == 201
    by = make_person(Role.ADMINISTRATOR)
    revoke_client(client_id=client.pk, by=by, at=datetime.now(UTC))
    assert dialler.post("calls", raw_micro()).status == 401


def test_who_asks_too_often_is_told_when_to_ask_again() -> None:
    hasty = program(per_minute=2)
    answers = [hasty.get("calls/00000000-0000-4000-8000-00000000dead") for _ in range(3)]
    assert [one.status for one in answers] == [404, 404, 429]
    assert 1 <= int(answers[2].headers["Retry-After"]) <= 60
    past = datetime.now(UTC) - timedelta(seconds=61)
    ApiClient.objects.filter(pk=client_behind(hasty).pk).update(window_at=past)
    assert hasty.get("calls/00000000-0000-4000-8000-00000000dead").status == 404


def test_a_post_without_its_own_key_is_refused_and_other_methods_say_what_is_taken(
    dialler: Program,
) -> None:
    for key in ("", " ", "é", "x" * 201):
        got = dialler.ask("POST", "calls", raw_micro(), **{"Idempotency-Key": key})
        assert (got.status, got.body["code"]) == (400, "idempotency_key")
    got = dialler.ask("DELETE", "calls")
    assert (got.status, got.headers["Allow"]) == (405, "POST")
    assert not ApiAnswer.objects.exists()


def test_the_reference_is_served_from_here_and_names_every_operation() -> None:
    stranger = Client()
    schema = stranger.get(reverse("api:openapi")).json()
    page = stranger.get(reverse("api:reference"))
    assert page.status_code == 200
    text = page.content.decode()
    for path, methods in schema["paths"].items():
        assert f"<code>{path}</code>" in text
        for one in methods.values():
            assert f'id="{one["operationId"]}"' in text
    assert "http://" not in text
    assert "https://" not in text
    assert "<script" not in text
    assert "default-src 'none'" in page["Content-Security-Policy"]
