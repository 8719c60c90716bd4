"""What the tests of the readers share: a small call as JSON, and where the real files are."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from catalogs.core.findings import Finding
from review.core.parsers import oip_call, openai_messages
from review.core.transcript import Call

ROOT = Path(__file__).resolve().parents[4]
SHIPPED = ROOT / "review" / "shipped" / "cases"
SHARED = ROOT.parent / "shared"

JsonObject = dict[str, Any]


def a_turn(n: int = 1, text: str = "Hello.", **more: object) -> JsonObject:
    """Return a turn of oip-call/1 as JSON."""
    return {"n": n, "speaker": "agent", "kind": "speech", "text": text, **more}


def a_call(**changes: object) -> JsonObject:
    """Return a call of oip-call/1 as JSON, with changes; a change to None stays in as null."""
    call = {
        "format": "oip-call/1",
        "id": "c1",
        "ended": True,
        "call": {"type": "test", "date": "2026-03-10"},
        "speakers": {"agent": {"role": "agent", "label": "Agent"}},
        "turns": [a_turn()],
    }
    return {**call, **changes}


def written(value: object) -> bytes:
    """Return a JSON value as the bytes of a file."""
    return json.dumps(value).encode()


def read_one(raw: object) -> tuple[Call, list[str]]:
    """Read an oip-call/1 value that must not be refused: the call and the codes of its findings."""
    calls, findings = oip_call.parse(written(raw), name="x.json")
    assert len(calls) == 1, findings
    return calls[0], codes(findings)


def refused_code(raw: object) -> str:
    """Read an oip-call/1 value that must be refused: the code of its only finding."""
    calls, findings = oip_call.parse(written(raw), name="x.json")
    assert calls == ()
    (finding,) = findings
    assert finding.where.startswith("x.json")
    assert finding.text.endswith(".")
    return finding.code


def read_messages(messages: object) -> tuple[Call, list[str]]:
    """Read OpenAI-style messages that must not be refused: the call and the codes found."""
    calls, findings = openai_messages.parse(written(messages), name="chat.json")
    assert len(calls) == 1, findings
    return calls[0], codes(findings)


def codes(findings: Iterable[Finding]) -> list[str]:
    """Return the codes of findings, in order."""
    return [finding.code for finding in findings]


def golden_turns() -> list[tuple[int, str, str, int, int]]:
    """Return what the golden call says: number, role, words, start and end of each utterance."""
    path = SHARED / "data" / "golden-benefits-call" / "expected_turns.json"
    turns = json.loads(path.read_text("utf-8"))["turns"]
    return [
        (turn["i"], turn["role"], turn["text"], turn["start_ms"], turn["end_ms"])
        for turn in turns
        if turn["kind"] == "utterance"
    ]


def golden_bytes(name: str) -> bytes:
    """Return a file of the golden call, where it lies."""
    return (SHARED / "data" / "golden-benefits-call" / name).read_bytes()


#: The speakers of the golden call by the labels its files use.
GOLDEN_ROLES = {
    "IVR": "ivr",
    "REP": "rep",
    "AGENT": "agent",
    "Dana (payer representative)": "rep",
    "Ava (AI agent)": "agent",
}
