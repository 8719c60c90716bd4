"""Catalogs and calls of a few lines, for what only the cascade can show."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from catalogs.core.document import Document, load_document
from review.core.cascade.pipeline import Prefill, prefill, prepare
from review.core.parsers import parse_calls
from review.core.transcript import Call

HEAD = """\
format: oip-catalog/1
catalog: tiny
version: 1.0.0
title: A few phases
status: draft
effective: {from: 2026-01-01, to: null, by: call.date}
applies_to: call.type = 'test'
languages: [en-US]
clock: exact
turn_base: 1
inputs: {call.type: string, call.drugs: list}
speakers: {agent: The asking side, rep: The answering side}
events: {id.match: {source: tool, fields: [by]}, eligibility: {source: tool, fields: []}}
sources: {RULE: {kind: regulation, cite: A rule, says: It says so.}}
defaults: {required: always, precedence: "<", low_harm: false, ack_required: false}
facts: {}
owner: {name: Somebody, contact: somebody@example.org}
review_by: 2027-01-01
approvers: []
changelog: [{version: 1.0.0, date: 2026-01-01, by: author, change: First., bump: major}]
"""


def said(pattern: str, by: str = "agent") -> dict[str, Any]:
    """Match words of a role."""
    return {"re": pattern, "by": [by]}


def phase(name: str, **more: Any) -> dict[str, Any]:
    """Write a phase that starts and is accepted when its id is said; `more` overrules."""
    word = rf"\b{name}\b"
    return {
        "id": name,
        "name": f"Phase {name}",
        "basis": ["RULE"],
        "intent": "It is done.",
        "parents": [],
        "starts": [said(word)],
        "accept": [{"id": "told", "text": "It is said.", "match": [said(word)]}],
        "counterexamples": ["Nothing."],
        "rubric": {"pass": ["Agent: a", "Agent: b"], "fail": ["Agent: c", "Agent: d"]},
        **more,
    }


def gated(name: str, parent: str, **more: Any) -> dict[str, Any]:
    """Write a phase with one critical edge into it; `edge` in `more` adds to the edge."""
    edge = {"rationale": "Harm.", "sources": ["RULE"], **more.pop("edge", {})}
    return phase(name, parents=[parent], critical_parents={parent: edge}, **more)


def catalog_bytes(phases: Sequence[Mapping[str, Any]], head: str = HEAD) -> bytes:
    """Write the document (JSON is YAML)."""
    lines = "".join(f"  - {json.dumps(one)}\n" for one in phases)
    return f"{head}phases:\n{lines}".encode()


def catalog(*phases: Mapping[str, Any], head: str = HEAD) -> Document:
    """Load a catalog that has a meaning."""
    document, findings = load_document(catalog_bytes(phases, head))
    assert document is not None, findings
    return document


def call(*turns: tuple[Any, ...], events: Sequence[Mapping[str, Any]] = (), **more: Any) -> Call:
    """Read a call of turns (number, speaker, text[, t0, t1]) as its file would be read."""
    result = parse_calls(call_bytes(*turns, events=events, **more), name="call.json")
    assert result.refused == ()
    return result.calls[0]


def call_bytes(
    *turns: tuple[Any, ...], events: Sequence[Mapping[str, Any]] = (), **more: Any
) -> bytes:
    """Write the call as a file of the neutral format."""
    rows = [dict(zip(("n", "speaker", "text", "t0", "t1"), turn, strict=False)) for turn in turns]
    data = {
        "format": "oip-call/1",
        "id": "tiny",
        "call": {"type": "test", "date": "2026-03-10", **more.pop("attributes", {})},
        "speakers": {
            "agent": {"role": "agent", "label": "Agent"},
            "rep": {"role": "rep", "label": "Representative"},
        },
        "turns": [{"kind": "speech", **row} for row in rows],
        "events": list(events),
        "ended": True,
        **more,
    }
    return json.dumps(data).encode()


def event(name: str, **more: Any) -> dict[str, Any]:
    """Write a successful tool call."""
    return {"id": f"ev-{name}", "source": "tool", "name": name, "args": {}, "ok": True, **more}


def filled(document: Document, one: Call) -> Prefill:
    """Run the cascade and the decision."""
    return prefill(one, prepare(document))
