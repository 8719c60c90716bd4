"""A running call: opened, told turn by turn with its live state back, ended, judged as a whole."""

from __future__ import annotations

from typing import Any

import pytest

from review.actions.kept_calls import take_kept
from review.models import Alert, ApiReceipt, Call, Evaluation, RunningCall, RunningPart
from tests.factories import catalog_source, fill_all, make_site, publish
from tests.programs import Program, head, program, turns

pytestmark = pytest.mark.django_db


@pytest.fixture
def dialler() -> Program:
    publish(catalog_source("micro"))
    return program()


def test_a_call_is_told_turn_by_turn_and_judged_as_it_runs(
    dialler: Program, django_capture_on_commit_callbacks: Any
) -> None:
    opened = dialler.post("running-calls", head())
    assert (opened.status, opened.body["state"], opened.body["last_turn"]) == (201, "open", None)
    place = f"running-calls/{opened.body['id']}"
    states, after = [], None
    for turn in turns():
        with django_capture_on_commit_callbacks(execute=True):
            told = dialler.post(f"{place}/turns", {"after": after, "turns": [turn]})
        assert told.status == 200, told.body
        after = told.body["last_turn"]
        states.append(told.body["state"])
    assert after == turns()[-1]["n"]
    assert states[-1] == "violated", states
    # For ever: what was violated at one turn is violated at every later one.
    assert states == sorted(states, key=lambda state: state == "violated")
    violated = [one for one in told.body["verdict"]["edges"] if one["ok"] is False]
    edge = violated[0]
    assert told.body["reasons"][0] == {
        "code": edge["code"],
        "about": f"{edge['parent']}→{edge['child']}",
        "text": edge["why"],
    }
    # Read by another process it is the same.
    take_kept(RunningCall.objects.get().pk)
    assert dialler.get(place).body["verdict"] == told.body["verdict"]
    assert Alert.objects.count() == len(violated)

    ended = dialler.post(f"{place}/end", {})
    assert (ended.status, ended.body["outcome"]) == (200, "created"), ended.body
    assert ended.body["id"] == opened.body["id"]
    row = RunningCall.objects.get()
    assert (bytes(row.wrapped_key), bytes(row.sealed_head)) == (b"", b"")
    assert not RunningPart.objects.exists()
    fill_all()
    stored = Call.objects.get()
    assert (stored.pk, stored.ended, stored.turn_count) == (row.pk, True, len(turns()))
    assert Evaluation.objects.get().order_safe == "FAIL"
    # Told once: the pre-fill of the whole call finds the same edge.
    assert (Alert.objects.count(), ApiReceipt.objects.count()) == (len(violated), 1)
    verdict = dialler.get(f"calls/{row.pk}").body
    assert (verdict["state"], verdict["provisional"]) == ("awaiting_review", True)
    assert verdict["verdict"]["order_safe"] == "fail"
    assert dialler.post(f"{place}/turns", {"turns": turns()}).status == 409
    assert dialler.post(f"{place}/end", {}).status == 409
    assert dialler.get(place).body["ended"] is True


def test_told_in_one_part_or_in_many_the_call_is_the_same(dialler: Program) -> None:
    whole = dialler.post("running-calls", {**head(id="whole"), "turns": turns()})
    first = dialler.post("running-calls", head(id="parts"))
    for turn in turns():
        parts = dialler.post(f"running-calls/{first.body['id']}/turns", {"turns": [turn]})
    assert parts.body["verdict"] == whole.body["verdict"]


REFUSED: list[tuple[str, Any, int, str]] = [
    ("turns", {"turns": []}, 422, "nothing_told"),
    ("turns", [], 422, "not_an_object"),
    ("turns", b"{", 422, "bad_json"),
    ("turns", b'{"turns": NaN}', 422, "invalid_json_nan"),
    ("turns", b"[" * 200, 422, "too_deep"),
    ("turns", {"turns": [{"n": 2, "text": "x\u0000"}]}, 422, "nul_character"),
    ("turns", {"turns": [{"n": -1, "text": "x"}]}, 422, "bad_value"),
    ("turns", {"turns": [{"n": 2**40, "text": "x"}]}, 422, "bad_value"),
    ("turns", {"turns": [{"n": 0, "text": "again"}]}, 422, "turn_not_next"),
    ("turns", {"after": 7, "turns": [{"n": 8, "text": "x"}]}, 409, "conflict"),
    ("turns", {"turns": "many"}, 422, "bad_value"),
    ("events", {"events": [{"source": "tool", "name": "x"}]}, 422, "event_without_place"),
    (
        "events",
        {"events": [{"source": "ui", "name": "x", "turn": 99}]},
        422,
        "event_without_place",
    ),
    ("events", {"events": [{"source": "ear", "name": "x", "turn": 0}]}, 422, "bad_value"),
    ("end", [], 422, "not_an_object"),
    ("turns", b"", 422, "empty"),
    ("turns", b'{"x":"' + b"y" * 2_000_001 + b'"}', 413, "too_large"),
]


def test_what_cannot_be_told_is_refused_with_a_sentence_and_changes_nothing(
    dialler: Program,
) -> None:
    opened = dialler.post("running-calls", {**head(), "turns": turns()[:1]}).body
    place = f"running-calls/{opened['id']}"
    before = dialler.get(place).body
    for address, body, status, code in REFUSED:
        got = dialler.ask("POST", f"{place}/{address}", _sent(body))
        assert (got.status, got.body["code"]) == (status, code), (address, code, got.body)
        assert got.body["detail"].endswith((".", ")"))
    assert dialler.get(place).body == before
    event = {"source": "tool", "name": "look_up", "turn": turns()[0]["n"], "args": {"a": 1}}
    assert dialler.post(f"{place}/events", {"events": [event]}).status == 200


def _sent(body: Any) -> Any:
    return b"[]" if body == [] else body


def test_the_same_call_opened_again_is_the_same_and_another_under_its_id_is_refused(
    dialler: Program,
) -> None:
    first = dialler.post("running-calls", head())
    again = dialler.post("running-calls", head())
    assert (again.status, again.body) == (200, first.body)
    assert dialler.post("running-calls", head(title="other")).status == 409
    assert RunningCall.objects.count() == 1


def test_a_call_that_no_catalog_judges_is_heard_all_the_same(dialler: Program) -> None:
    opened = dialler.post("running-calls", {**head(), "call": {"type": "unheard of"}})
    assert (opened.status, opened.body["state"], opened.body["verdict"]) == (201, None, None)
    assert opened.body["sentence"]
    place = f"running-calls/{opened.body['id']}"
    assert dialler.post(f"{place}/turns", {"turns": turns()}).body["turns"] == len(turns())
    assert dialler.post(f"{place}/end", {}).body["state"] == "needs_mapping"


def test_a_call_without_a_turn_does_not_end_and_another_sites_is_not_there(
    dialler: Program,
) -> None:
    place = f"running-calls/{dialler.post('running-calls', head()).body['id']}"
    assert dialler.post(f"{place}/end", {}).body["code"] == "no_turns"
    south = program(make_site("south"))
    missing = "running-calls/00000000-0000-4000-8000-00000000dead"
    for address, body in (("", None), ("/turns", {"turns": turns()}), ("/end", {})):
        method = "GET" if body is None else "POST"
        theirs = south.ask(method, f"{place}{address}", body)
        assert theirs.status == 404
        assert theirs.body == south.ask(method, f"{missing}{address}", body).body
