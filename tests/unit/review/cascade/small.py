"""Writes small catalogs and calls in a few words, and reads them with the cascade.

A catalog is JSON here, which is YAML; it goes through the real loader.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from catalogs.core.document import Document, load_document
from review.core.cascade.pipeline import Prefill, prefill, prepare
from review.core.parsers import parse_calls
from review.core.transcript import Call

ROLES = {"agent": "The audited side", "rep": "The other side"}


def said(pattern: str, *by: str, **more: Any) -> dict[str, Any]:
    """Match words of a role."""
    return {"re": pattern, "by": list(by), **more}


def item(name: str, *match: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Write an acceptance item."""
    return {"id": name, "text": f"{name} is shown.", "match": list(match), **more}


def phase(name: str, starts: Sequence[Any], accept: Sequence[Any], **more: Any) -> dict[str, Any]:
    """Write a phase with what the format asks of every one."""
    return {
        "id": name,
        "name": f"Phase {name}",
        "basis": ["SITE"],
        "intent": "A duty.",
        "starts": list(starts),
        "accept": list(accept),
        "counterexamples": ["Something else."],
        "rubric": {"pass": ["Rep: Yes.", "Rep: Done."], "fail": ["Rep: No.", "Rep: Later."]},
        **more,
    }


def critical(parent: str, **more: Any) -> dict[str, Any]:
    """Write the keys that make a critical edge from a parent."""
    edge = {"rationale": "The child would harm somebody before its parent.", "sources": ["SITE"]}
    return {"parents": [parent], "critical_parents": {parent: {**edge, **more}}}


def catalog(*phases: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Write a catalog around phases."""
    return {
        "format": "oip-catalog/1",
        "catalog": "small",
        "version": "1.0.0",
        "title": "A small catalog",
        "status": "draft",
        "effective": {"from": "2026-01-01", "to": None, "by": "call.date"},
        "review_by": "2027-01-01",
        "owner": {"name": "Owner", "contact": "owner@example.org"},
        "approvers": [],
        "applies_to": "call.type = 'small'",
        "languages": ["en-US"],
        "clock": "exact",
        "turn_base": 1,
        "inputs": {"call.type": "string", "call.drugs": "list", "call.kind": "string"},
        "speakers": ROLES,
        "events": {
            "crm.match": {"source": "tool", "fields": ["by", "drug"]},
            "form.set": {"source": "tool", "fields": ["field"], "self_reported": True},
            "screen.open": {"source": "ui", "fields": ["part"]},
            "order.write": {"source": "tool", "fields": ["kind"]},
        },
        "sources": {"SITE": {"kind": "site_policy", "cite": "site", "says": "Do it."}},
        "defaults": {},
        "facts": {},
        "phases": list(phases),
        "tests": [],
        "changelog": [
            {
                "version": "1.0.0",
                "date": "2026-01-01",
                "by": "a",
                "change": "First.",
                "bump": "major",
            }
        ],
        **more,
    }


def call(*turns: tuple[str, str], events: Sequence[dict[str, Any]] = (), **more: Any) -> Call:
    """Parse a call of (role, words) turns, numbered from 1 and without times unless given."""
    attributes = more.pop("attributes", {})
    raw = {
        "format": "oip-call/1",
        "id": "small-call",
        "title": "A small call",
        "turn_base": 1,
        "ended": True,
        "call": {"type": "small", "date": "2026-03-10", **attributes},
        "speakers": {role: {"role": role, "label": role} for role in {role for role, _ in turns}},
        "turns": [
            {"n": number, "speaker": role, "kind": "speech", "text": words}
            for number, (role, words) in enumerate(turns, start=1)
        ],
        "events": [
            {"id": f"ev{number}", "source": "tool", **event}
            for number, event in enumerate(events, start=1)
        ],
        **more,
    }
    result = parse_calls(json.dumps(raw).encode("utf-8"), name="small.json")
    assert len(result.calls) == 1, result.findings
    return result.calls[0]


def timed(one: Call, *times: tuple[int | None, int | None]) -> Call:
    """Give the turns of a call their times in milliseconds."""
    turns = tuple(
        replace(turn, start_ms=start, end_ms=end)
        for turn, (start, end) in zip(one.turns, times, strict=True)
    )
    return replace(one, turns=turns)


def load(document: dict[str, Any]) -> Document:
    """Load a catalog as it comes from a file."""
    # The format has dates, which JSON has not: a bare day is one in YAML.
    text = re.sub(r'"(\d{4}-\d\d-\d\d)"', r"\1", json.dumps(document))
    loaded, findings = load_document(text.encode("utf-8"))
    assert loaded is not None, findings
    return loaded


def read(document: dict[str, Any], one: Call) -> Prefill:
    """Load a catalog and pre-fill a call with it."""
    return prefill(one, prepare(load(document)))
