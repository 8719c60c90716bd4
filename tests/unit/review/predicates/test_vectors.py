"""The test vectors t01 to t28 of the reference: one row each, judged by the public functions.

A row is written as the reference writes it: (s, e, v) of the parent and of the child, N never,
U unknown. `extra` holds what the vector adds to a strict critical edge between two required phases.
"""

from dataclasses import dataclass, field
from typing import Any

import pytest

from catalogs.core.linter import guard
from review.core.predicates import Code, Decision, Outcome
from review.core.rows import Row, roll_up
from tests.unit.review.predicates.plain_calls import decided, edge, phase, plan, row
from tests.unit.review.predicates.tiny_catalogs import (
    HEAD,
    call,
    catalog,
    catalog_bytes,
    event,
    filled,
    gated,
    said,
)
from tests.unit.review.predicates.tiny_catalogs import phase as written

Three = tuple[int | str, int | str, int | str]

GOOD: Three = (45, 52, 1)
PID_OPTIONAL: dict[str, Any] = {"parent": {"required": "optional"}}
CSV_OPTIONAL: dict[str, Any] = {"child": {"required": "optional"}}
WAIVE = {"when": "PID required"}
COARSE = {"same_turn": True}
REVOKED = {"parent_row": {"revoked_at": 60}}
VOLUNTEERED = {"parent_row": {"volunteered": True}, "parent": {"may_volunteer": True}}
DRUGS_DFV = ((82, 85, 1), (95, 99, 1))
DRUGS_DRC = ((90, 92, 1), (100, 101, 1))


@dataclass(frozen=True)
class Vector:
    """One vector: what is given, the edge (1, 0, U), the call and the codes that must be named."""

    id: str
    parent: Three
    child: Three
    edge: int | str
    call: str
    codes: tuple[str, ...]
    extra: dict[str, Any] = field(default_factory=dict)


EARLY = ("STARTED_BEFORE_PARENT_FINISHED",)
NEVER_FINISHED = ("PARENT_NEVER_FINISHED",)
OPEN_ELSEWHERE = {"other": ("U", "U", "U")}

VECTORS = [
    Vector("t01", GOOD, (42, 81, 1), 0, "FAIL", EARLY),
    Vector("t03", GOOD, ("N", "N", 0), 1, "PASS", ("CHILD_NEVER_STARTED",), CSV_OPTIONAL),
    Vector("t04", GOOD, ("N", "N", 0), 1, "FAIL", ("REQUIRED_FAILED",)),
    Vector("t05", (45, "N", 0), (60, 81, 1), 0, "FAIL", (*NEVER_FINISHED, "REQUIRED_FAILED")),
    Vector("t06", ("N", "N", 0), (60, 81, 1), 0, "FAIL", NEVER_FINISHED, PID_OPTIONAL),
    Vector("t07", ("N", "N", 0), (60, 81, 1), 1, "PASS", ("WAIVED",), PID_OPTIONAL | WAIVE),
    Vector("t08", (45, "U", "U"), (60, 81, 1), "U", "UNDETERMINED", ("PARENT_FINISH_UNKNOWN",)),
    Vector("t09", GOOD, ("U", 81, 1), "U", "UNDETERMINED", ("CHILD_START_UNKNOWN",)),
    Vector("t10", GOOD, (52, 60, 1), 0, "FAIL", ("TIE_STRICT",)),
    Vector("t11", GOOD, (52, 60, 1), 1, "PASS", ("TIE_ALLOWED",), COARSE),
    Vector("t13", (2, 3, 1), (0, 1, 1), 0, "FAIL", EARLY),
    Vector("t14", (10, 3, 1), (5, 6, 1), 1, "PASS", ("SAFE",), VOLUNTEERED),
    Vector("t14 acknowledged", (10, 11, 1), (5, 6, 1), 0, "FAIL", EARLY),
    Vector("t15", (10, 3, 1), (5, 6, 1), "U", "UNDETERMINED", ("E_BEFORE_S",)),
    Vector("t16", (5, 10, 0), (20, 25, 1), 1, "FAIL", ("SAFE", "REQUIRED_FAILED"), REVOKED),
    Vector("t17", (5, 10, 0), (70, 75, 1), 0, "FAIL", ("PARENT_ALREADY_CONTRADICTED",), REVOKED),
    Vector("t18", (5, 30, 1), (20, 25, 1), 0, "FAIL", EARLY),
    Vector(
        "t19",
        GOOD,
        (60, 81, 1),
        1,
        "UNDETERMINED",
        ("NO_EVIDENCE",),
        {"child_row": {"evidence": ()}},
    ),
    Vector("t20", (45, 52, 0), (60, 81, 1), "U", "UNDETERMINED", ("V0_WITH_FINISH",)),
    Vector("t27", GOOD, (42, 81, 1), 0, "FAIL", (*EARLY, "VERDICT_UNKNOWN"), OPEN_ELSEWHERE),
]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.id)
def test_vector(vector: Vector) -> None:
    decision = judged(vector)

    assert bit(decision.edges[0].ok) == vector.edge
    assert decision.call_success is Outcome[vector.call]
    assert set(vector.codes) <= codes(decision)


def judged(vector: Vector) -> Decision:
    """Judge the two rows of a vector, and a third phase where it says so."""
    extra = vector.extra
    rules = [phase("PID", **extra.get("parent", {})), phase("CSV", **extra.get("child", {}))]
    rows = [
        row("PID", *vector.parent, **extra.get("parent_row", {})),
        row("CSV", *vector.child, **extra.get("child_row", {})),
    ]
    if "other" in extra:
        rules.append(phase("CRN"))
        rows.append(row("CRN", *extra["other"]))
    policy = {key: extra[key] for key in ("when", "same_turn") if key in extra}
    return decided(plan(rules, [edge("PID", "CSV", **policy)]), rows)


def bit(ok: bool | None) -> int | str:
    """Write an edge as the reference does."""
    return "U" if ok is None else int(ok)


def codes(decision: Decision) -> set[str]:
    """Return every code a decision names."""
    found = {phase.code for phase in decision.phases} | {edge.code for edge in decision.edges}
    return {code.value for code in found.union(decision.reasons)}


# --- Vectors over more than one edge --------------------------------------------------------------


@pytest.mark.parametrize(
    ("scope", "ok", "code", "numbers"),
    [
        ("call", False, "STARTED_BEFORE_PARENT_FINISHED", (99, 90)),
        ("item", True, "SAFE", (85, 90)),
    ],
)
def test_t02_two_drugs_fail_rolled_up_and_hold_one_by_one(
    scope: str, ok: bool, code: str, numbers: tuple[int, int]
) -> None:
    rules = plan(
        [phase("DFV", per_item=True), phase("DRC", per_item=True)],
        [edge("DFV", "DRC", per_item=scope == "item")],
    )
    decision = decided(rules, [per_drug("DFV", DRUGS_DFV), per_drug("DRC", DRUGS_DRC)])

    (outcome,) = decision.edges
    assert (outcome.ok, outcome.code.value) == (ok, code)
    assert (outcome.parent_finish, outcome.child_start) == numbers
    assert decision.call_success is (Outcome.PASS if ok else Outcome.FAIL)


def per_drug(name: str, parts: tuple[Three, ...]) -> Row:
    """Roll up one row per drug."""
    return roll_up(
        name, tuple(row(name, *part, key=f"d{k}") for k, part in enumerate(parts, start=1))
    )


def test_t12_same_turn_on_a_phase_of_high_harm_is_refused_at_load_and_never_credited() -> None:
    phases = [written("PID"), gated("CSV", "PID", precedence="<=")]
    coarse = HEAD.replace("clock: exact", "clock: coarse")

    findings = guard(catalog_bytes(phases, coarse))
    decision = filled(catalog(*phases, head=coarse), call((52, "agent", "PID CSV"))).decision

    assert [finding.code for finding in findings] == ["E207"]
    assert (decision.edges[0].ok, decision.edges[0].code) == (False, Code.TIE_STRICT)


RESTRICTED = plan(
    [phase("DRC"), phase("DCC", "DRC passed and not restrictions")], restrictions="DRC"
)


@pytest.mark.parametrize(
    ("dcc", "call_success", "code"),
    [
        pytest.param(("N", "N", 0), "UNDETERMINED", "REQUIRED_UNKNOWN", id="t21"),
        pytest.param((102, 103, 1), "PASS", "PASSED", id="t22"),
    ],
)
def test_t21_t22_a_requirement_on_an_unknown_fact(dcc: Three, call_success: str, code: str) -> None:
    rows = [row("DRC", 90, 101, 1), row("DCC", *dcc)]
    decision = decided(RESTRICTED, rows, {"restrictions": None})

    assert decision.call_success is Outcome[call_success]
    assert decision.phases[1].code.value == code


CHAIN = plan(
    [
        phase("PID"),
        phase("CSV", "PID passed"),
        phase("DFV", "CSV passed"),
        phase("DRC", "DFV passed"),
        phase("DCC", "DRC passed and not restrictions"),
        phase("CRN"),
    ],
    [edge("PID", "CSV")],
    restrictions="DFV",
)


def test_t23_the_first_failure_blocks_what_follows_and_is_named() -> None:
    never = [row(name, "N", "N", 0) for name in ("CSV", "DFV", "DRC", "DCC")]
    rows = [row("PID", 45, "N", 0), *never, row("CRN", 104, 107, 1)]
    decision = decided(CHAIN, rows, {"restrictions": None})

    seen = {one.phase: (one.ok, one.code.value, one.blocked_by) for one in decision.phases}
    assert seen == {
        "PID": (False, "REQUIRED_FAILED", None),
        **dict.fromkeys(("CSV", "DFV", "DRC", "DCC"), (True, "BLOCKED", "PID")),
        "CRN": (True, "PASSED", None),
    }
    assert (decision.edges[0].ok, decision.call_success) == (True, Outcome.FAIL)


def test_t24_nothing_required_is_no_pass() -> None:
    decision = decided(plan([phase("PID", "optional")]), [row("PID", 1, 2, 1)])
    assert decision.coverage is decision.call_success is Outcome.UNDETERMINED
    assert decision.reasons == (Code.VACUOUS,)


@pytest.mark.parametrize("ended", [False, None])
@pytest.mark.parametrize(
    ("csv", "call_success", "code"),
    [
        pytest.param(("U", "U", "U"), "UNDETERMINED", "INCOMPLETE_CALL", id="t25 up to 41"),
        pytest.param((42, "U", "U"), "FAIL", EARLY[0], id="t25 with t01 inside"),
    ],
)
def test_t25_a_cut_call_is_open_until_something_is_violated(
    csv: Three, call_success: str, code: str, ended: bool | None
) -> None:
    rules = plan([phase("PID"), phase("CSV")], [edge("PID", "CSV")])
    pid = GOOD if csv[0] == 42 else ("U", "U", "U")
    decision = decided(rules, [row("PID", *pid), row("CSV", *csv)], ended=ended)

    assert decision.call_success is Outcome[call_success]
    assert code in codes(decision)


def test_t26_an_event_between_two_turns_is_rounded_against_credit() -> None:
    matched = [{"id": "dob", "text": "Matched.", "match": [{"tool": "id.match"}]}]
    document = catalog(
        written("PID", accept=matched), gated("CSV", "PID", starts=[{"tool": "eligibility"}])
    )
    one = call(
        (51, "agent", "PID", 51, 51.5),
        (52, "rep", "one moment", 52, 52.2),
        (53, "rep", "thanks", 53, 53.5),
        (54, "agent", "CSV", 54, 55),
        events=[event("id.match", t=52.5), event("eligibility", t=52.5)],
    )
    found = filled(document, one)

    assert (found.rows["PID"].finish, found.rows["CSV"].start) == (53, 52)
    assert (found.decision.edges[0].ok, found.decision.call_success) == (False, Outcome.FAIL)
    assert found.decision.edges[0].code is Code.STARTED_BEFORE_PARENT_FINISHED


def test_t28_a_second_correct_start_does_not_move_the_first() -> None:
    asked = [{"id": "dob", "text": "Given.", "match": [said("born in May", "rep")]}]
    document = catalog(written("PID", accept=asked), gated("CSV", "PID"))
    one = call(
        (42, "agent", "CSV first"),
        (45, "agent", "PID please"),
        (52, "rep", "born in May"),
        (60, "agent", "CSV again"),
    )
    found = filled(document, one)

    child = found.rows["CSV"]
    assert (child.start, [attempt.turn for attempt in child.attempts]) == (42, [42, 60])
    assert (found.decision.edges[0].ok, found.decision.call_success) == (False, Outcome.FAIL)
