"""A catalog of three phases with a call and its variants, complete enough that nothing goes
unnoticed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from catalogs.core.document import Document, load_document
from review.core.rehearsal import FindCalls

CATALOG = """\
format: oip-catalog/1
catalog: small
version: 1.2.0
title: Identity before coverage
status: draft
effective: {from: 2026-01-01, to: null, by: call.date}
review_by: 2027-01-01
owner: {name: Somebody, contact: somebody@example.org}
applies_to: call.type = 'small'
languages: [en-US]
inputs: {call.type: string}
speakers: {agent: The asking side, rep: The answering side}
labels: {plan: rep}
sources: {RULE: {kind: regulation, cite: A rule, says: It says so.}}
facts:
  free:
    type: boolean
    from: TELL
    meaning: Nothing is to be paid.
    true_if: [{re: 'free of charge', by: [agent]}]
    otherwise: false
phases:
  - id: ID
    name: Identity
    basis: [RULE]
    intent: The person is known.
    starts: [{re: 'birth date', by: [agent]}]
    accept:
      - id: given
        text: The date is given.
        match: [{re: '(?i)born in', by: [agent, rep]}]
        ack: [{re: 'as you said', by: [agent]}]
      - id: found
        text: The record is found.
        match: [{re: '(?i)found', by: [rep], unless: '(?i)not found'}]
    ack_required: true
    counterexamples: [A number alone.]
    rubric:
      pass:
        - "Agent: Your birth date? Plan: Born in May. Rep: Found."
        - "Agent: Your birth date? Agent: Born in May? Rep: Found."
        - "Rep: Born in May. Agent: Your birth date is as you said? Rep: Found."
      fail:
        - "Agent: Your birth date? Rep: Born in May."
        - "Agent: Your birth date? Rep: Found."
        - "Agent: Your birth date? Rep: Born in May. Rep: Not found."
        - "Rep: Born in May. Agent: Your birth date? Rep: Found."
  - id: TELL
    name: Coverage told
    basis: [RULE]
    intent: Whether it is covered.
    parents: [ID]
    critical_parents: {ID: {rationale: Coverage is told to the right person only., sources: [RULE]}}
    starts: [{re: 'benefits', by: [agent, rep]}]
    accept: [{id: told, text: Covered., match: [{re: 'covered', by: [agent]}]}]
    counterexamples: [A question.]
    rubric:
      pass: ["Agent: It is covered.", "Agent: That is covered too."]
      fail: ["Rep: Is it covered?", "Agent: I will look."]
  - id: PAY
    name: Amount told
    basis: [RULE]
    intent: What is to be paid.
    required: {when: TELL passed and not free}
    parents: [TELL]
    starts: [{re: 'you pay', by: [agent]}]
    accept: [{id: amount, text: An amount., match: [{re: 'dollars', by: [agent]}]}]
    counterexamples: [A guess.]
    rubric:
      pass: ["Agent: Forty dollars.", "Agent: Two dollars."]
      fail: ["Rep: How many dollars?", "Agent: It depends."]
tests:
  - call: small.json
    id: good
    expect:
      ID: [1, 3, pass]
      TELL: [4, 5, pass]
      PAY: [6, 7, pass]
      required: {ID: true, TELL: true, PAY: true}
      facts: {free: false}
      coverage: pass
      order_safe: pass
      call_success: pass
      cds: "1/1"
      codes: []
      edges: {ID->TELL: SAFE}
      flags: {ID: [SAFETY_CRITICAL], PAY: []}
    variants: all
changelog: [{version: 1.2.0, date: 2026-01-01, by: author, change: First., bump: major}]
"""

TEXTS = (
    ("agent", "Your birth date?"),
    ("rep", "Born in May."),
    ("rep", "Found."),
    ("agent", "About your benefits."),
    ("agent", "It is covered."),
    ("agent", "This is what you pay."),
    ("agent", "Forty dollars."),
)

VARIANTS: tuple[dict[str, Any], ...] = (
    {
        "id": "benefits-first",
        "order": [4, 1, 2, 3, 5, 6, 7],
        "expect": {
            "order_safe": 0,
            "coverage": 1,
            "codes": ["STARTED_BEFORE_PARENT_FINISHED"],
            "edges": {"ID->TELL": False},
            "flags": {"TELL": ["ORDER_VIOLATION"]},
        },
    },
    {
        "id": "tie",
        "edit": [{"n": 3, "text": "Found. And the benefits?"}],
        "expect": {"TELL": [3, 5, 1], "order_safe": "fail", "edges": {"ID->TELL": "TIE_STRICT"}},
    },
    {
        "id": "free",
        "edit": [{"n": 5, "text": "It is covered, free of charge."}],
        "expect": {"required": {"PAY": False}, "facts": {"free": True}},
    },
    {
        "id": "cut",
        "order": [1, 2],
        "ended": False,
        "expect": {
            "ID": [1, "unknown", "unknown"],
            "coverage": "undetermined",
            "required": {"PAY": None},
            "edges": {"ID->TELL": "unknown"},
        },
    },
    {"id": "other-catalog", "catalog": "big", "expect": {"coverage": 0}},
    {"id": "other-version", "version": "1.3", "expect": {"coverage": 0}},
)


def call(**changes: object) -> dict[str, Any]:
    """Return the good call as plain values, with keys changed."""
    turns = [
        {"n": number, "speaker": speaker, "kind": "speech", "text": text}
        for number, (speaker, text) in enumerate(TEXTS, 1)
    ]
    return {
        "format": "oip-call/1",
        "id": "good",
        "title": "An invented call",
        "call": {"type": "small", "date": "2026-03-10"},
        "speakers": {role: {"role": role} for role in ("agent", "rep")},
        "turns": turns,
        "ended": True,
        "variants": list(VARIANTS),
        **changes,
    }


def finder(files: Mapping[str, object] | None = None) -> FindCalls:
    """Make the function that finds call files; without any, small.json holds the good call."""
    held = {"small.json": {"calls": [call(), call(id="other")]}} if files is None else files

    def find(name: str) -> bytes | None:
        if name not in held:
            return None
        value = held[name]
        return value if isinstance(value, bytes) else json.dumps(value).encode("utf-8")

    return find


def small(*changes: tuple[str, str]) -> Document:
    """Load the small catalog with each old text, which must be there, replaced once."""
    text = CATALOG
    for old, new in changes:
        assert old in text, f"nothing to replace: {old!r}"
        text = text.replace(old, new, 1)
    document, findings = load_document(text.encode("utf-8"))
    assert document is not None, findings
    return document


def with_tests(tests: str) -> Document:
    """Load the small catalog with other tests."""
    head, rest = CATALOG.split("tests:\n")
    changelog = rest[rest.index("changelog:") :]
    document, findings = load_document(f"{head}tests:\n{tests}\n{changelog}".encode())
    assert document is not None, findings
    return document
