"""vCons: every version and shape that is seen, refusals with their reason, and our own call."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import pytest

from review.core.parsers import parse_calls
from review.core.transcript import Call, Source
from review.core.transcript.neutral import call_to_json, call_to_vcon
from review.core.transcript.storing import json_text
from tests.unit.review.parsers.call_files import SHARED, SHIPPED, a_call, a_turn, written

PARTIES = [{"name": "Ann", "role": "agent"}, {"name": "Bo", "meta": {"role": "customer"}}]
SOURCE = Source("any", "any", "")


def a_dialog(text: str = "Hello.", **more: object) -> dict[str, Any]:
    """Return a text dialog of the first party."""
    return {"type": "text", "parties": [0], "encoding": "none", "body": text, **more}


def a_vcon(*dialogs: object, **more: object) -> dict[str, Any]:
    """Return a vCon 0.3.0."""
    return {"vcon": "0.3.0", "uuid": "u1", "parties": PARTIES, "dialog": list(dialogs), **more}


def read(raw: object) -> tuple[Call, list[str]]:
    """Read a vCon that must not be refused."""
    result = parse_calls(written(raw), name="x.vcon")
    assert result.format == "vcon"
    assert result.refused == ()
    (call,) = result.calls
    return call, [finding.code for finding in result.findings]


def spoken(raw: object) -> list[tuple[str, str | None, str]]:
    """Return who says what in a vCon."""
    return [(turn.speaker, turn.role, turn.text) for turn in read(raw)[0].turns]


def encoded(text: str) -> str:
    """Return words as base64url without padding."""
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


FIRST = "2026-03-09T14:05:00Z"
MESSAGE = (
    "--b\nContent-Type: text/plain; charset=utf-8\n\nHi.\n"
    "--b\nContent-Type: text/html\n\n<p>Hi.</p>\n--b--"
)
SEGMENTS = [{"speaker": "Agent", "text": "Hello."}, {"speaker": "Customer", "text": "Hi."}]


@pytest.mark.parametrize(
    ("dialog", "who", "words"),
    [
        (a_dialog(), "Ann", "Hello."),
        (a_dialog(originator=1), "Bo", "Hello."),
        (a_dialog(parties=1), "Bo", "Hello."),
        (a_dialog(parties=[[1, 0]]), "Bo", "Hello."),
        (a_dialog(parties=[9]), "", "Hello."),
        (a_dialog(parties=[-1]), "", "Hello."),
        (a_dialog(encoding="base64url", body=encoded("Ça va?")), "Ann", "Ça va?"),
        (a_dialog(encoding="json", body='"Hi"'), "Ann", "Hi"),
        (a_dialog(mediatype="multipart/mixed; boundary=b", body=MESSAGE), "Ann", "Hi."),
        (a_dialog(mimetype="multipart/mixed;\n\tboundary=b", body=MESSAGE), "Ann", "Hi."),
    ],
)
def test_a_text_dialog_is_a_turn(dialog: dict[str, Any], who: str, words: str) -> None:
    roles = {"Ann": "agent", "Bo": "customer"}
    assert spoken(a_vcon(dialog)) == [(who, roles.get(who), words)]


@pytest.mark.parametrize(
    "body",
    [
        [{"speaker": "Agent", "message": "Hello."}, {"speaker": "Customer", "message": "Hi."}],
        "Agent: Hello.\n\nCustomer: Hi.\n\n",
        json.dumps(SEGMENTS),
        {"segments": SEGMENTS},
    ],
    ids=["list", "text", "json in a text", "segments"],
)
@pytest.mark.parametrize("kind", ["transcript", "transcript-redacted", "wtf_transcription"])
def test_a_transcript_is_read_in_every_shape(body: object, kind: str) -> None:
    analysis = [{"type": "summary", "body": "Nothing."}, {"type": kind, "body": body}]
    raw = a_vcon({"type": "recording", "duration": 12}, analysis=analysis)
    assert [(who, words) for who, _, words in spoken(raw)] == [
        ("Agent", "Hello."),
        ("Customer", "Hi."),
    ]


def test_a_transcript_with_times_and_parties() -> None:
    body = [
        {"parties": 1, "start": "2026-03-09T14:05:01+00:00", "duration": 2, "text": "Hello."},
        {"parties": 0, "start": "2026-03-09T14:05:04+00:00", "duration": 1.5, "text": "Hi."},
    ]
    recording = {"type": "recording", "start": "2026-03-09T14:05:00Z"}
    call, _ = read(a_vcon(recording, analysis=[{"type": "transcript", "body": body}]))
    assert [(t.speaker, t.start_ms, t.end_ms) for t in call.turns] == [
        ("Bo", 1000, 3000),
        ("Ann", 4000, 5500),
    ]
    assert call.started_at == "2026-03-09T14:05:00+00:00"


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ({"payload": "e30", "signatures": []}, "vcon_signed"),
        ({"protected": "e30", "ciphertext": "x"}, "vcon_encrypted"),
        (a_vcon({"type": "recording", "url": "https://example.org/a.wav"}), "no_turns"),
        (a_vcon(), "no_turns"),
        (a_vcon(None), "bad_value"),
        (a_vcon(a_dialog(), parties="Ann"), "bad_value"),
        (a_vcon(a_dialog(encoding="base64url", body=encoded("a\x00b"))), "nul_character"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason(raw: object, code: str) -> None:
    result = parse_calls(written(raw), name="x.vcon")
    assert (result.format, [finding.code for _, finding in result.refused]) == ("vcon", [code])


@pytest.mark.parametrize(
    ("dialogs", "codes"),
    [
        ([a_dialog(start="2026-03-09T14:05:00")], ["naive_timestamp"]),
        (
            [a_dialog(start=FIRST), a_dialog(start="2026-03-09T14:05:09Z", duration=-3)],
            ["negative_duration"],
        ),
        ([a_dialog(), {"type": "transfer"}], ["dialog_not_read"]),
        (
            [a_dialog(start="2026-03-09T14:05:09Z"), a_dialog(start=FIRST)],
            ["out_of_order"],
        ),
    ],
)
def test_traps_are_reported(dialogs: list[Any], codes: list[str]) -> None:
    always = {"end_assumed", "no_times"}
    assert [code for code in read(a_vcon(*dialogs))[1] if code not in always] == codes


def test_parties_of_one_name_are_two_speakers() -> None:
    parties = [{"name": "Ann"}, {"name": "party 2"}, {"name": "Ann"}, {}]
    raw = a_vcon(*(a_dialog(parties=[k]) for k in range(4)), parties=parties)
    assert len({who for who, _, _ in spoken(raw)}) == 4


def test_words_in_dialogs_and_in_a_transcript_are_read_once() -> None:
    raw = a_vcon(a_dialog(), analysis=[{"type": "transcript", "body": "Ann: Hello.\nBo: Hi."}])
    call, codes = read(raw)
    assert len(call.turns) == 1
    assert "duplicate_of_transcript_analysis" in codes


RICH = a_call(
    started_at="2026-03-10T09:30:00-05:00",
    language="en-US",
    ended=None,
    call={
        "type": "test",
        "date": "2026-03-10",
        "copay": 12.5,
        "medications": [{"id": "f", "names": ["Fictorol"]}],
    },
    speakers={"agent": {"role": "agent", "label": "Ava"}, "menu": {"role": None, "label": "Menu"}},
    turns=[
        a_turn(0, "Hello.", t0=0.5, t1=1.25),
        a_turn(3, "Press 1.\nOr 2.", speaker="menu", kind="ivr", t0=2),
        {
            "n": 4,
            "kind": "tool_call",
            "name": "find",
            "args": {"id": "7", "x": 1.5},
            "call_id": "k",
        },
        {"n": 5, "kind": "tool_result", "call_id": "k", "result": {"ok": False}},
        {"n": 7, "kind": "hold", "text": ""},
        a_turn(8, "Nobody knows who says this.", speaker="x"),
    ],
    events=[
        {"id": "e", "t": 1.5, "source": "ui", "name": "opened", "args": {"a": [1, None]}},
        {"turn": 8, "source": "tool", "name": "late", "ok": None, "call_id": "q"},
    ],
)
CASES = sorted(SHIPPED.glob("*.json"))
DRAFTS = SHARED / "cases" / "case_drafts.json"


def own_calls() -> list[Call]:
    """Return calls of our own format: one with everything in it, and the shipped cases."""
    data = [written(RICH), *(path.read_bytes() for path in CASES)]
    data += [DRAFTS.read_bytes()] if DRAFTS.exists() else []
    return [call for one in data for call in parse_calls(one, name="x.json").calls]


@pytest.mark.parametrize("call", own_calls(), ids=lambda call: call.id)
def test_a_call_written_as_a_vcon_is_the_same_call_again(call: Call) -> None:
    vcon = json_text(call_to_vcon(call, created_at="2026-03-10T10:00:00Z"))
    again, _ = read(json.loads(vcon))
    assert replace(again, source=SOURCE) == replace(call, source=SOURCE)
    assert again.source.external_id == call.source.external_id
    own = parse_calls(json_text(call_to_json(again)).encode(), name="x.json")
    assert [replace(one, source=SOURCE) for one in own.calls] == [replace(call, source=SOURCE)]


def test_any_program_of_vcons_sees_the_words() -> None:
    (call,) = parse_calls(written(RICH), name="x.json").calls
    vcon: Any = json.loads(json_text(call_to_vcon(call, created_at="2026-03-10T10:00:00Z")))
    assert (vcon["vcon"], vcon["parties"][0]) == ("0.3.0", {"name": "Ava", "role": "agent"})
    assert [dialog["body"] for dialog in vcon["dialog"]] == [
        "Hello.",
        "Press 1.\nOr 2.",
        "Nobody knows who says this.",
    ]
    first = vcon["dialog"][0]
    assert (first["start"], first["duration"]) == ("2026-03-10T14:30:00.500000+00:00", 0.75)
    assert "start" not in vcon["dialog"][2]
    without = {**vcon, "attachments": []}
    assert [words for _, _, words in spoken(without)] == [d["body"] for d in vcon["dialog"]]


@pytest.mark.parametrize("place", [9, -1, "0", None])
def test_a_call_that_names_a_dialog_that_is_not_there_is_refused(place: object) -> None:
    own = {"format": "oip-call/1", "id": "c", "turns": [{"n": 1, "dialog": place}]}
    attachment = {"type": "oip-call/1", "encoding": "json", "body": json.dumps(own)}
    result = parse_calls(written(a_vcon(a_dialog(), attachments=[attachment])), name="x.vcon")
    assert [finding.code for _, finding in result.refused] == ["bad_value"]
