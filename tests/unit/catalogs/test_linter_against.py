"""Rules that need other documents: versions beside each other, and overlays."""

from __future__ import annotations

from datetime import date

import pytest

from catalogs.core.document import Document, load_document
from catalogs.core.findings import Finding, Severity
from catalogs.core.linter import lint_against
from catalogs.core.linter.against import CODES
from catalogs.core.linter.bump import Bump, bump_given, bump_needed

Changes = list[tuple[str, str]]

TEXT = """\
format: oip-catalog/1
catalog: small
version: 1.2.0
title: Identity before coverage
status: draft
effective: {from: 2026-01-01, to: 2026-06-30}
owner: {name: Somebody, contact: somebody@example.org}
applies_to: call.type = 'small'
languages: [en-US]
clock: coarse
inputs: {call.type: string, call.kind: string, call.things: list}
speakers: {agent: The asking side, rep: The answering side}
sources: {RULE: {kind: regulation, cite: A rule, says: It says so.}}
facts:
  free: {type: boolean, from: TELL, meaning: Free., true_if: [{re: free, by: [agent]}]}
phases:
  - id: ID
    name: Identity
    intent: The person is known.
    required: always
    starts: [{re: 'birth date', by: [agent]}]
    accept:
      - id: given
        text: The date.
        match: [{re: 'born', by: [rep]}]
        ack: [{re: said, by: [agent]}]
      - {id: found, text: The record., match: [{re: 'found', by: [rep]}]}
    ack_required: true
    finish: all_accepted
    rubric: {pass: [], fail: []}
  - id: TELL
    name: Coverage told
    intent: Whether it is covered.
    required: {when: call.kind = 'a'}
    parents: [ID]
    critical_parents: {ID: {rationale: Because., sources: [RULE]}}
    starts: [{re: 'benefits', by: [agent]}]
    accept: [{id: told, text: Covered., match: [{re: 'covered', by: [agent]}]}]
    low_harm: true
    precedence: "<"
    rubric: {pass: [], fail: []}
  - id: PAY
    name: Amount told
    intent: What is to be paid.
    required: optional
    parents: [TELL]
    accept: [{id: amount, text: An amount., match: [{re: 'dollars', by: [agent]}]}]
    rubric: {pass: [], fail: []}
changelog: []
"""


def small(*changes: tuple[str, str]) -> Document:
    text = TEXT
    for old, new in changes:
        assert old in text, f"nothing to replace: {old!r}"
        text = text.replace(old, new, 1)
    document, findings = load_document(text.encode())
    assert document is not None, findings
    return document


def cut(text: str, phase: str) -> str:
    """Return what stands about a phase in a text."""
    begin = text.index(f"  - id: {phase}\n")
    ends = [text.find("  - id: ", begin + 1), text.index("changelog:")]
    return text[begin : min(end for end in ends if end > 0)]


PAY = cut(TEXT, "PAY")
TELL = cut(TEXT, "TELL")
EDGE = "    critical_parents: {ID: {rationale: Because., sources: [RULE]}}\n"
FOUND = "      - {id: found, text: The record., match: [{re: 'found', by: [rep]}]}\n"
V13, V20 = ("1.2.0", "1.3.0"), ("1.2.0", "2.0.0")
NEXT = [V20, ("{from: 2026-01-01, to: 2026-06-30}", "{from: 2026-07-01}")]


@pytest.mark.parametrize(
    ("own", "other", "overlaps"),
    [
        ([], NEXT, False),
        ([], [*NEXT, ("2026-07-01", "2026-06-30")], True),
        ([], [*NEXT, ("from: 2026-07-01", "from: 2020-01-01")], True),
        ([], [*NEXT, ("2026-07-01", "2026-06-30"), ("catalog: small", "catalog: big")], False),
        ([], [("title: Identity", "title: Another")], False),
        ([], [V20, ("status: draft", "status: retired")], False),
        ([("status: draft", "status: retired")], [V20], False),
        ([("status: draft", "status: published")], [V20], True),
        ([("to: 2026-06-30", "to: null")], NEXT, True),
    ],
    ids=[
        "one after the other",
        "one shared day",
        "open to both sides",
        "another catalog",
        "the same version",
        "the other is retired",
        "this one is retired",
        "published and draft",
        "open end",
    ],
)
def test_e607_windows(own: Changes, other: Changes, overlaps: bool) -> None:
    document, sibling = small(*own), small(*other)
    assert codes(lint_against(document, siblings=[sibling])) == (["E607"] if overlaps else [])
    assert codes(lint_against(sibling, siblings=[document])) == (["E607"] if overlaps else [])


STEPS: list[tuple[str, Changes, Bump]] = [
    ("nothing", [], Bump.PATCH),
    ("a text", [("intent: The person is known.", "intent: Known.")], Bump.PATCH),
    ("a rationale", [("rationale: Because.", "rationale: For a reason.")], Bump.PATCH),
    ("the meaning of a fact", [("meaning: Free.", "meaning: Nothing to pay.")], Bump.PATCH),
    ("an anchor", [("re: 'birth date'", "re: 'date of birth'")], Bump.MINOR),
    ("a role", [("re: 'found', by: [rep]", "re: 'found', by: [rep, agent]")], Bump.MINOR),
    ("an item's acknowledgement", [("re: said", "re: told")], Bump.MINOR),
    ("a soft parent", [("parents: [TELL]", "parents: [TELL, ID]")], Bump.MINOR),
    ("a fact", [("true_if: [{re: free,", "true_if: [{re: gratis,")], Bump.MINOR),
    ("an input", [("call.kind: string", "call.sort: string, call.kind: string")], Bump.MINOR),
    ("an optional phase", [(PAY, PAY + PAY.replace("id: PAY", "id: MORE"))], Bump.MINOR),
    (
        "a required phase",
        [(PAY, PAY + PAY.replace("PAY", "MORE").replace("optional", "always"))],
        Bump.MAJOR,
    ),
    ("a phase gone", [(PAY, "")], Bump.MAJOR),
    ("what is owed", [("required: optional", "required: always")], Bump.MAJOR),
    ("a condition", [("when: call.kind = 'a'", "when: call.kind = 'b'")], Bump.MAJOR),
    ("a critical edge gone", [(EDGE, "")], Bump.MAJOR),
    ("an edge's condition", [("rationale: Because.", "when: free, rationale: x")], Bump.MAJOR),
    ("precedence", [('precedence: "<"', 'precedence: "<="')], Bump.MAJOR),
    ("an item gone", [(FOUND, "")], Bump.MAJOR),
    ("the finish", [("finish: all_accepted", "finish: any_accepted")], Bump.MAJOR),
    ("acknowledgement", [("ack_required: true", "ack_required: false")], Bump.MAJOR),
    (
        "a volunteered policy that says what holds without one",
        [
            (
                "    low_harm: true",
                "    low_harm: true\n    volunteered: {accept: true, rationale: r}",
            )
        ],
        Bump.PATCH,
    ),
    (
        "a volunteered policy",
        [
            (
                "    low_harm: true",
                "    low_harm: true\n    volunteered: {accept: false, rationale: r}",
            )
        ],
        Bump.MAJOR,
    ),
    ("the mode", [("    low_harm: true", "    low_harm: true\n    mode: procedural")], Bump.MAJOR),
    ("for_each", [("parents: [TELL]", "parents: [TELL]\n    for_each: call.things")], Bump.MAJOR),
    ("the clock", [("clock: coarse", "clock: exact")], Bump.MAJOR),
]


@pytest.mark.parametrize(("changes", "step"), [s[1:] for s in STEPS], ids=[s[0] for s in STEPS])
def test_which_step_a_change_needs(changes: Changes, step: Bump) -> None:
    assert bump_needed(small(), small(*changes)) is step


def test_words_that_only_move_are_no_change() -> None:
    spaced = small(("when: call.kind = 'a'", "when: (call.kind  =  'a')"))
    assert bump_needed(small(), spaced) is Bump.PATCH


@pytest.mark.parametrize(
    ("version", "step"),
    [
        ("1.2.0", Bump.NONE),
        ("1.1.9", Bump.NONE),
        ("0.9.0", Bump.NONE),
        ("1.2.1", Bump.PATCH),
        ("1.3.0", Bump.MINOR),
        ("1.10.0", Bump.MINOR),
        ("2.0.0", Bump.MAJOR),
    ],
)
def test_which_step_a_number_gives(version: str, step: Bump) -> None:
    assert bump_given(small(), small(("1.2.0", version))) is step


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ([V13, ("required: optional", "required: always")], ["E608"]),
        ([V20, ("required: optional", "required: always")], []),
        ([("1.2.0", "1.2.1"), ("re: 'birth date'", "re: 'date of birth'")], ["E608"]),
        ([V13, ("re: 'birth date'", "re: 'date of birth'")], []),
        ([("title: Identity", "title: Person")], ["E608"]),
        ([], []),
        ([V20, (PAY, "")], ["E609"]),
        ([V13, (PAY, "")], ["E608", "E609"]),
        ([V20, (PAY, PAY.replace("id: PAY", "id: COST"))], ["E609"]),
        ([V20, (PAY, PAY.replace("id: PAY", "id: COST\n    replaces: PAY"))], []),
    ],
    ids=[
        "minor where major is due",
        "major",
        "patch where minor is due",
        "minor",
        "changed without a number",
        "the same document",
        "a phase gone",
        "a phase gone in a minor step",
        "a phase renamed in silence",
        "a phase replaced",
    ],
)
def test_e608_and_e609_steps(changes: Changes, wanted: list[str]) -> None:
    assert codes(lint_against(small(*changes), previous=small())) == wanted


WEAKER: list[tuple[str, Changes, str | None]] = [
    ("nothing", [], None),
    ("a phase dropped", [(PAY, "")], "phases"),
    ("an edge dropped", [(EDGE, "")], "TELL.critical_parents"),
    (
        "an edge that binds less",
        [("rationale: Because.", "when: call.kind = 'a', rationale: x")],
        "TELL.critical_parents.ID",
    ),
    ("an item dropped", [(FOUND, "")], "ID.accept"),
    ("optional", [("required: always", "required: optional")], "ID.required"),
    ("another condition", [("when: call.kind = 'a'", "when: call.kind = 'b'")], "TELL.required"),
    ("a tie allowed", [('precedence: "<"', 'precedence: "<="')], "TELL.precedence"),
    ("one item is enough", [("finish: all_accepted", "finish: any_accepted")], "ID.finish"),
    ("no acknowledgement", [("ack_required: true", "ack_required: false")], "ID.ack_required"),
    ("owed more often", [("required: {when: call.kind = 'a'}", "required: always")], None),
    ("owed at all", [("required: optional", "required: always")], None),
    ("a phase more", [(PAY, PAY + PAY.replace("id: PAY", "id: MORE"))], None),
    ("an item more", [(FOUND, FOUND + FOUND.replace("id: found", "id: more"))], None),
    (
        "an edge more",
        [
            (
                "parents: [TELL]",
                "parents: [TELL]\n    critical_parents: {TELL: {rationale: x, sources: [RULE]}}",
            )
        ],
        None,
    ),
]


@pytest.mark.parametrize(("changes", "where"), [w[1:] for w in WEAKER], ids=[w[0] for w in WEAKER])
def test_e610_overlays(changes: Changes, where: str | None) -> None:
    site = small(("catalog: small", "catalog: small--north"), *changes)
    found = [(one.code, one.where) for one in lint_against(site, base=small())]
    assert found == ([] if where is None else [("E610", where)])


def test_an_edge_that_binds_as_the_base_says_is_no_weakening() -> None:
    condition = ("rationale: Because.", "when: call.kind = 'a', rationale: x")
    assert lint_against(small(condition), base=small(condition)) == ()
    assert lint_against(small(), base=small(condition)) == ()


def test_findings_have_line_severity_and_sentence() -> None:
    site = small(V13, (PAY, ""), (EDGE, ""))
    sibling = small(V20)
    found = lint_against(site, previous=small(), siblings=[sibling], base=small())
    assert {one.code for one in found} == set(CODES)
    assert all(one.severity is Severity.ERROR and one.line is not None for one in found)
    assert all(len(one.text) > 20 for one in found)
    assert small().effective_to == date(2026, 6, 30)


def codes(found: tuple[Finding, ...]) -> list[str]:
    return [one.code for one in found]
