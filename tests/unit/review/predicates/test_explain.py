"""The sentences of a decision: made from codes and stored integers, and exact."""

from typing import Any

import pytest

from review.core.predicates import (
    Code,
    Decision,
    Outcome,
    explain_call,
    explain_edge,
    explain_phase,
    would_pass,
)
from review.core.predicates.explain import named
from review.core.rows import roll_up
from tests.unit.review.predicates.plain_calls import decided, edge, phase, plan, row

NAMES = {"PID": "Patient identity", "CSV": "Coverage status"}
GOOD = row("PID", 45, 52, 1)
EARLY = row("CSV", 42, 81, 1)


def judged(parent: tuple[Any, ...], child: tuple[Any, ...], **policy: Any) -> Decision:
    """Judge PID -> CSV."""
    rules = plan([phase("PID"), phase("CSV")], [edge("PID", "CSV", **policy)])
    return decided(rules, [row("PID", *parent), row("CSV", *child)])


def test_a_violated_edge_names_both_turns_the_policy_and_why_it_is_critical() -> None:
    (outcome,) = judged((45, 52, 1), (42, 81, 1)).edges
    assert explain_edge(outcome, NAMES, rationale="PHI leaks.") == (
        "CSV (coverage status) started at turn 42, but PID (patient identity) first finished at "
        "turn 52. The edge PID→CSV is critical and strict: 52 < 42 is false. "
        "Why it is critical: PHI leaks."
    )
    assert explain_edge(outcome, {}).startswith("CSV started at turn 42, but PID first")


def test_the_policy_and_the_item_are_named() -> None:
    rules = plan(
        [phase("DFV", per_item=True), phase("DRC", per_item=True)],
        [edge("DFV", "DRC", per_item=True, same_turn=True)],
    )
    rows = [
        roll_up("DFV", (row("DFV", 1, 9, 1, key="d1"), row("DFV", 1, 2, 1, key="d2"))),
        roll_up("DRC", (row("DRC", 5, 9, 1, key="d1"), row("DRC", 5, 9, 1, key="d2"))),
    ]
    (outcome,) = decided(rules, rows).edges
    assert explain_edge(outcome, {}) == (
        "For d1: DRC started at turn 5, but DFV first finished at turn 9. "
        "The edge DFV→DRC is critical and allows the same turn: 9 <= 5 is false."
    )


def test_a_safe_edge_does_not_repeat_why_it_is_critical() -> None:
    (outcome,) = judged((45, 52, 1), (60, 81, 1)).edges
    assert explain_edge(outcome, {}, rationale="PHI leaks.") == (
        "PID finished at turn 52, before CSV started at turn 60: 52 < 60."
    )


@pytest.mark.parametrize(
    ("parent", "child", "same_turn", "change"),
    [
        pytest.param((45, 52, 1), (42, 81, 1), False, "start of CSV after turn 52", id="early"),
        pytest.param((45, 52, 1), (52, 81, 1), False, "start of CSV after turn 52", id="tie"),
        pytest.param(
            (45, 52, 1), (42, 81, 1), True, "start of CSV at or after turn 52", id="early, <="
        ),
        pytest.param((45, "N", 0), (60, 81, 1), False, "finish of PID before turn 60", id="never"),
        pytest.param(
            (45, "N", 0), (60, 81, 1), True, "finish of PID at or before turn 60", id="never, <="
        ),
        pytest.param((45, 52, 1), (60, 81, 1), False, None, id="safe"),
        pytest.param((45, "U", "U"), (60, 81, 1), False, None, id="open"),
    ],
)
def test_the_smallest_change_that_would_pass(
    parent: tuple[Any, ...], child: tuple[Any, ...], same_turn: bool, change: str | None
) -> None:
    (outcome,) = judged(parent, child, same_turn=same_turn).edges
    assert would_pass(outcome) == change


def test_what_would_have_passed_after_a_revocation() -> None:
    rules = plan([phase("PID"), phase("CSV")], [edge("PID", "CSV")])
    rows = [row("PID", 5, 10, 0, revoked_at=60), row("CSV", 70, 75, 1)]
    (outcome,) = decided(rules, rows).edges
    assert would_pass(outcome) == "start of CSV before PID was revoked"
    assert explain_edge(outcome, {}) == (
        "CSV started at turn 70, when PID (finished at turn 10) had already been revoked."
    )


def test_every_code_of_an_edge_has_a_sentence_with_nothing_left_open() -> None:
    (outcome,) = judged((45, 52, 1), (60, 81, 1)).edges
    of_edges = {*list(Code)[8:28]} - {Code.VERDICT_UNKNOWN}
    assert {Code.SAFE, Code.EDGE_CONDITION_UNKNOWN, Code.NO_EVIDENCE} < of_edges
    for code in of_edges:
        sentence = explain_edge(outcome._replace(code=code), NAMES)
        assert sentence.endswith("."), code
        assert "{" not in sentence, code


def test_every_code_of_a_phase_has_a_sentence_with_nothing_left_open() -> None:
    (outcome, _) = judged((45, 52, 1), (60, 81, 1)).phases
    for code in [*list(Code)[:13], Code.INCOMPLETE_CALL]:
        changed = outcome._replace(code=code, blocked_by="CSV")
        sentence = explain_phase(changed, NAMES)
        assert "PID (patient identity)" in sentence, code
        assert "{" not in sentence, code


def test_a_blocked_phase_names_what_blocks_it() -> None:
    rules = plan([phase("PID"), phase("CSV", "PID passed")])
    decision = decided(rules, [row("PID", 45, "N", 0), row("CSV", "N", "N", 0)])
    assert explain_phase(decision.phases[1], NAMES) == (
        "CSV (coverage status) is blocked: it would be owed, but PID (patient identity) failed "
        "first."
    )


def test_a_name_that_begins_with_capitals_keeps_them() -> None:
    assert named("AI", {"AI": "AI disclosure"}) == "AI (AI disclosure)"
    assert named("PID", {"PID": "IDs checked"}) == "PID (IDs checked)"


def test_a_phase_without_a_name_is_called_by_its_id() -> None:
    assert (named("PID", NAMES), named("XYZ", NAMES)) == ("PID (patient identity)", "XYZ")
    assert named("AI", {"AI": "AI disclosure"}) == "AI (AI disclosure)"


@pytest.mark.parametrize(
    ("parent", "child", "sentence"),
    [
        pytest.param(
            (45, 52, 1),
            (60, 81, 1),
            "Every required phase passed and no critical phase started too early.",
            id="pass",
        ),
        pytest.param(
            (45, "N", 0),
            (60, 81, 1),
            "The call fails (started too early: PID→CSV; required and not completed: PID).",
            id="both",
        ),
        pytest.param(
            (45, 52, 1), (42, 81, 1), "The call fails (started too early: PID→CSV).", id="order"
        ),
        pytest.param(
            (45, 52, 1),
            ("N", "N", 0),
            "The call fails (required and not completed: CSV).",
            id="coverage",
        ),
        pytest.param(
            (45, "U", "U"),
            (60, 81, 1),
            "Undetermined (open: PID, PID→CSV). A person must settle it before sign-off.",
            id="open",
        ),
    ],
)
def test_the_call_in_one_sentence(
    parent: tuple[Any, ...], child: tuple[Any, ...], sentence: str
) -> None:
    assert explain_call(judged(parent, child)) == sentence


def test_only_what_is_open_is_listed() -> None:
    rules = plan(
        [phase("PID"), phase("CSV"), phase("DFV"), phase("DRC", "optional")],
        [edge("PID", "CSV"), edge("PID", "DRC")],
    )
    rows = [GOOD, row("CSV", 60, 61, 1), row("DFV", 62, 63, 1)]
    assert explain_call(decided(rules, rows)) == (
        "Undetermined (open: PID→DRC). A person must settle it before sign-off."
    )
    rows = [GOOD, row("CSV", 60, 61, 1), row("DFV", 62, "U", "U"), row("DRC", 70, 71, 1)]
    assert explain_call(decided(rules, rows)) == (
        "Undetermined (open: DFV). A person must settle it before sign-off."
    )


def test_the_sentence_of_a_call_that_has_not_ended() -> None:
    rules = plan([phase("PID")])
    decision = decided(rules, [GOOD], ended=None)
    assert decision.coverage is Outcome.UNDETERMINED
    assert explain_call(decision) == (
        "Undetermined (the call has not been confirmed as ended). "
        "A person must settle it before sign-off."
    )


def test_the_sentence_of_a_call_that_owes_nothing() -> None:
    decision = decided(plan([phase("PID", "optional")]), [GOOD])
    assert explain_call(decision) == (
        "Undetermined: nothing was required on this branch, so there is nothing to pass."
    )


def test_an_unknown_and_a_missing_turn_are_written_as_words() -> None:
    (open_edge,) = judged((45, "U", "U"), (60, 81, 1)).edges
    assert "turn 60" in explain_edge(open_edge, {})
    (never,) = judged((45, 52, 1), ("N", "N", 0)).edges
    assert would_pass(never._replace(ok=False, parent_finish=never.child_start)) == (
        "finish of PID before turn never"
    )
