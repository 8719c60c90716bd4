"""The roll-up of a per-item phase, and edges that compare item with item."""

from typing import Any

import pytest

from review.core.predicates import Code, Decision
from review.core.rows import (
    NEVER,
    UNKNOWN,
    Attempt,
    Evidence,
    ItemState,
    Row,
    SeenMode,
    Verdict,
    roll_up,
)
from tests.unit.review.predicates.plain_calls import decided, edge, phase, plan, row

FIRST = Evidence("told", 3, 0, 4, "a")
SECOND = Evidence("told", 9, 0, 4, "b")


def folded(*parts: tuple[Any, ...], **more: Any) -> Row:
    """Roll up rows d1, d2, … of one phase; `more` goes into every one."""
    rows = [row("DFV", *part, key=f"d{k}", **more) for k, part in enumerate(parts, start=1)]
    return roll_up("DFV", tuple(rows))


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param([(5, 9, 1), (3, 12, 1)], (3, 12, Verdict.PASS), id="min, max, and"),
        pytest.param([(5, 9, 1), (3, "N", 0)], (3, NEVER, Verdict.FAIL), id="one never finished"),
        pytest.param([(5, 9, 1), ("N", "N", 0)], (5, NEVER, Verdict.FAIL), id="one never started"),
        pytest.param([("N", "N", 0)], (NEVER, NEVER, Verdict.FAIL), id="none started"),
        pytest.param([(5, 9, 1), ("U", 12, 1)], (UNKNOWN, 12, Verdict.PASS), id="start unknown"),
        pytest.param([(5, 9, 1), (3, "U", "U")], (3, UNKNOWN, Verdict.UNKNOWN), id="finish open"),
        pytest.param([("N", "N", 0), ("U", "U", "U")], (UNKNOWN, NEVER, Verdict.FAIL), id="both"),
        pytest.param([(3, "U", "U"), (5, "N", 0)], (3, NEVER, Verdict.FAIL), id="never is proven"),
    ],
)
def test_roll_up(parts: list[tuple[Any, ...]], expected: tuple[Any, ...]) -> None:
    whole = folded(*parts)
    assert (whole.start, whole.finish, whole.verdict) == expected
    assert [one.key for one in whole.instances or ()] == [f"d{k + 1}" for k in range(len(parts))]


def test_no_instances_are_no_row() -> None:
    with pytest.raises(ValueError, match="DFV: no instance"):
        roll_up("DFV", ())


@pytest.mark.parametrize(
    ("clear", "start"),
    [(4, UNKNOWN), (5, 5), (6, 5), (None, UNKNOWN)],
)
def test_an_open_start_matters_only_if_it_could_be_earlier(clear: int | None, start: Any) -> None:
    known, still_open = row("DFV", 5, 9, 1), row("DFV", "U", "U", "U", clear_through=clear)
    assert roll_up("DFV", (known, still_open)).start == start
    assert roll_up("DFV", (still_open, known)).start == start


@pytest.mark.parametrize(
    ("clears", "through"),
    [((20, 30), 20), ((30, 20), 20), ((20, None), None), ((None, None), None)],
)
def test_what_is_open_is_clear_only_as_far_as_all_of_it_is(
    clears: tuple[int | None, ...], through: int | None
) -> None:
    parts = tuple(row("DFV", "U", "U", "U", clear_through=clear) for clear in clears)
    assert roll_up("DFV", parts).clear_through == through


def test_a_settled_instance_says_nothing_about_what_is_open() -> None:
    settled, waiting = row("DFV", 1, 2, 1), row("DFV", 3, "U", "U", clear_through=20)
    assert roll_up("DFV", (settled, waiting)).clear_through == 20
    assert roll_up("DFV", (settled,)).clear_through is None


def test_marks_of_one_instance_are_marks_of_the_whole() -> None:
    plain = row("DFV", 5, 9, 1, evidence=(FIRST,), mode=SeenMode.PROCEDURAL)
    marked = plain._replace(
        start=3,
        finish=12,
        evidence=(SECOND,),
        volunteered=True,
        inferred=True,
        mode=SeenMode.INFORMATIONAL,
        contradicted_at=40,
        revoked_at=50,
        attempts=(Attempt(3, "x"), Attempt(1, "y")),
        unacknowledged=("told",),
        start_ms=3_000,
        finish_ms=12_500,
        start_doubts=("overlap",),
        finish_doubts=("out_of_order",),
        start_source="starts[0]",
        finish_source="accept[0]",
    )
    later = marked._replace(contradicted_at=60, revoked_at=70, start=4, finish=11)
    whole = roll_up("DFV", (plain, marked, later))

    assert (whole.volunteered, whole.inferred, whole.mode) == (True, True, SeenMode.INFORMATIONAL)
    assert (whole.contradicted_at, whole.revoked_at) == (40, 50)
    assert whole.evidence == (FIRST, SECOND, SECOND)
    assert whole.attempts == (Attempt(1, "y"), Attempt(3, "x"))
    assert whole.unacknowledged == ("told",)
    assert (whole.start_ms, whole.finish_ms) == (3_000, 12_500)
    assert (whole.start_doubts, whole.finish_doubts) == (("overlap",), ("out_of_order",))
    assert (whole.start_source, whole.finish_source) == ("starts[0]", "accept[0]")


def test_without_marks_the_whole_has_none() -> None:
    whole = folded((5, "N", 0), ("U", "N", 0), mode=None)
    assert (whole.volunteered, whole.inferred, whole.mode) == (False, False, None)
    assert (whole.contradicted_at, whole.revoked_at, whole.clear_through) == (None, None, None)
    assert (whole.start_ms, whole.finish_ms, whole.start_source) == (None, None, None)
    assert (whole.start_doubts, whole.finish_doubts, whole.finish_source) == ((), (), None)
    assert folded((5, 9, 1), mode=SeenMode.PROCEDURAL).mode is SeenMode.PROCEDURAL


@pytest.mark.parametrize(
    ("column", "met", "turn"),
    [
        ([(True, 4), (True, 9)], True, 9),
        ([(True, 4), (False, None)], False, None),
        ([(True, 4), (None, None)], None, None),
        ([(None, None), (False, None)], False, None),
        ([(True, None), (True, None)], True, None),
    ],
)
def test_an_item_is_met_once_it_is_met_for_all(
    column: list[tuple[bool | None, int | None]], met: bool | None, turn: int | None
) -> None:
    parts = [
        row("DFV", 1, 9, 1, items=(ItemState("told", one, at, (FIRST,)),)) for one, at in column
    ]
    (state,) = roll_up("DFV", tuple(parts)).items
    assert (state.id, state.met, state.turn) == ("told", met, turn)
    assert (state.candidates, state.acknowledged, state.volunteered) == (
        (FIRST,) * len(column),
        False,
        False,
    )


def test_one_mark_of_an_item_marks_the_item_of_the_whole() -> None:
    plain = ItemState("told", True, 2)
    marked = ItemState("told", True, 4, acknowledged=True, volunteered=True)
    parts = tuple(row("DFV", 1, 9, 1, items=(one,)) for one in (plain, marked))
    (state,) = roll_up("DFV", parts).items
    assert (state.acknowledged, state.volunteered) == (True, True)


def test_a_bare_row_says_nothing_more() -> None:
    bare = Row("PID", 1, 2, Verdict.PASS)
    absent = ("mode", "revoked_at", "contradicted_at", "key", "instances", "start_ms", "finish_ms")
    for name in (*absent, "clear_through", "start_source", "finish_source"):
        assert getattr(bare, name) is None, name
    assert (bare.volunteered, bare.inferred) == (False, False)
    assert Attempt(3, "a") == Attempt(3, "a", 0, 0, None)
    assert (Attempt(3, "a").event, FIRST.event) == (None, None)


def test_an_item_keeps_its_marks_and_may_be_missing_from_an_instance() -> None:
    marked = ItemState("told", True, 4, acknowledged=True, volunteered=True)
    parts = (row("DFV", 1, 9, 1, items=(marked,)), row("DFV", 1, 9, 1))
    (state,) = roll_up("DFV", parts).items
    assert (state.acknowledged, state.volunteered, state.turn) == (True, True, 4)


# --- What an instance cannot hide -----------------------------------------------------------------


def judged(parent: Row, child: Row, scope: str = "call", **more: Any) -> Decision:
    """Judge DFV -> DRC over per-item rows."""
    rules = plan(
        [phase("DFV", per_item=True), phase("DRC", per_item=True)],
        [edge("DFV", "DRC", per_item=scope == "item")],
    )
    return decided(rules, [parent, child], **more)


def two(name: str, first: tuple[Any, ...], second: tuple[Any, ...], **marks: Any) -> Row:
    """Roll up two drugs; the marks are the second's."""
    return roll_up(name, (row(name, *first, key="d1"), row(name, *second, key="d2", **marks)))


FINE = two("DRC", (60, 61, 1), (62, 63, 1))
HIDDEN = [
    pytest.param((1, 2, 1), {"evidence": ()}, None, "NO_EVIDENCE", id="no evidence"),
    pytest.param((5, 2, 1), {}, None, "E_BEFORE_S", id="finish before start"),
    pytest.param((1, "U", 1), {}, None, "V1_WITHOUT_FINISH", id="pass without finish"),
    pytest.param((1, 2, 1), {"contradicted_at": 9}, None, "CONTRADICTED", id="contradicted"),
    pytest.param((1, 2, 0), {"revoked_at": 99}, False, "REQUIRED_FAILED", id="revoked"),
]


@pytest.mark.parametrize(("part", "marks", "ok", "code"), HIDDEN)
def test_a_fault_of_one_drug_is_a_fault_of_the_phase(
    part: tuple[Any, ...], marks: dict[str, Any], ok: bool | None, code: str
) -> None:
    decision = judged(two("DFV", (1, 2, 1), part, **marks), FINE)
    assert (decision.phases[0].ok, decision.phases[0].code.value) == (ok, code)
    # A revoked finish was one until it was revoked; any other fault leaves the finish unknown.
    revoked = "revoked_at" in marks
    assert decision.edges[0].ok is (True if revoked else None)
    assert decision.edges[0].code.value == ("SAFE" if revoked else code)


@pytest.mark.parametrize(("part", "marks", "ok", "code"), HIDDEN[:4])
def test_what_one_drug_failed_for_certain_no_fault_of_another_softens(
    part: tuple[Any, ...], marks: dict[str, Any], ok: bool | None, code: str
) -> None:
    decision = judged(two("DFV", (1, "N", 0), part, **marks), FINE)
    assert (decision.phases[0].ok, decision.edges[0].ok) == (False, False)
    assert decision.edges[0].code.value == "PARENT_NEVER_FINISHED"


def test_the_revocation_of_one_drug_ends_the_credit_of_all_on_a_call_edge() -> None:
    parent = two("DFV", (1, 2, 1), (3, 4, 0), revoked_at=30)
    (outcome,) = judged(parent, FINE).edges
    assert (outcome.ok, outcome.code.value) == (False, "PARENT_ALREADY_CONTRADICTED")


def test_a_faulty_start_of_one_drug_leaves_the_start_of_all_unknown() -> None:
    parent = two("DFV", (1, 2, 1), (1, 2, 1))
    (outcome,) = judged(parent, two("DRC", (60, 61, 1), (62, 9, 1))).edges
    assert (outcome.ok, outcome.code.value) == (None, "CHILD_START_UNKNOWN")


@pytest.mark.parametrize(
    ("second", "ok", "code", "item"),
    [
        pytest.param((100, 101, 1), True, "SAFE", "d1", id="all safe: the first is shown"),
        pytest.param(
            (98, 101, 1), False, "STARTED_BEFORE_PARENT_FINISHED", "d2", id="one too early"
        ),
        pytest.param(("U", 101, 1), None, "CHILD_START_UNKNOWN", "d2", id="one open"),
        pytest.param(("N", "N", 0), True, "CHILD_NEVER_STARTED", "d2", id="one never started"),
    ],
)
def test_an_item_edge_shows_the_drug_that_decides(
    second: tuple[Any, ...], ok: bool | None, code: str, item: str
) -> None:
    parent = two("DFV", (82, 85, 1), (95, 99, 1))
    (outcome,) = judged(parent, two("DRC", (90, 92, 1), second), "item").edges
    assert (outcome.ok, outcome.code.value, outcome.item) == (ok, code, item)


def test_a_violation_outranks_what_is_open_in_an_item_edge() -> None:
    parent = two("DFV", (82, 85, 1), (95, 99, 1))
    (outcome,) = judged(parent, two("DRC", ("U", "U", "U"), (98, 101, 1)), "item").edges
    assert (outcome.ok, outcome.item) == (False, "d2")


def test_a_drug_that_the_parent_does_not_know_is_open() -> None:
    parent = roll_up("DFV", (row("DFV", 82, 85, 1, key="d1"),))
    (outcome,) = judged(parent, two("DRC", (90, 92, 1), (93, 94, 1)), "item").edges
    assert (outcome.ok, outcome.code.value, outcome.item) == (None, "PARENT_FINISH_UNKNOWN", "d2")


@pytest.mark.parametrize(
    ("rows", "ok", "code"),
    [
        pytest.param([FINE], None, "PARENT_FINISH_UNKNOWN", id="no row of the parent"),
        pytest.param([row("DFV", 1, 2, 1)], None, "CHILD_START_UNKNOWN", id="none of the child"),
        pytest.param([row("DFV", 1, 61, 1), FINE], False, "STARTED_BEFORE_PARENT_FINISHED", id="1"),
        pytest.param([row("DFV", 1, 2, 1), FINE], True, "SAFE", id="parent once"),
        pytest.param([FINE, row("DFV", 1, 2, 1)], True, "SAFE", id="parent once, rows turned"),
    ],
)
def test_an_item_edge_without_items_on_a_side_compares_the_whole(
    rows: list[Row], ok: bool | None, code: str
) -> None:
    rules = plan([phase("DFV"), phase("DRC")], [edge("DFV", "DRC", per_item=True)])
    (outcome,) = decided(rules, rows).edges
    assert (outcome.ok, outcome.code.value, outcome.item) == (ok, code, None)


# --- A running call -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clear", "ok", "code"),
    [
        (59, None, "PARENT_FINISH_UNKNOWN"),
        (60, False, "PARENT_NOT_FINISHED_YET"),
        (80, False, "PARENT_NOT_FINISHED_YET"),
        (None, None, "PARENT_FINISH_UNKNOWN"),
    ],
)
def test_a_running_call_proves_that_the_parent_had_not_finished(
    clear: int | None, ok: bool | None, code: str
) -> None:
    parent, child = row("PID", 45, "U", "U", clear_through=clear), row("CSV", 60, "U", "U")
    rules = plan([phase("PID"), phase("CSV")], [edge("PID", "CSV")])
    (outcome,) = decided(rules, [parent, child], ended=False).edges
    assert (outcome.ok, outcome.code.value) == (ok, code)


def test_a_parent_asserted_never_finished_is_open_while_the_call_runs() -> None:
    rules = plan([phase("PID"), phase("CSV")], [edge("PID", "CSV")])
    rows = [row("PID", 45, "N", 0), row("CSV", 60, "U", "U")]
    (outcome,) = decided(rules, rows, ended=None).edges
    assert (outcome.ok, outcome.code.value) == (None, "PARENT_FINISH_UNKNOWN")


def test_no_more_is_proven_than_all_that_is_open_is_clear() -> None:
    parent = two("DFV", (1, "N", 0), (1, "U", "U"), clear_through=80)
    assert judged(parent, FINE, ended=False).edges[0].ok is None


def test_a_finish_that_cannot_be_believed_proves_nothing_either_way() -> None:
    parent = row("PID", 45, 52, 0, clear_through=80)
    rules = plan([phase("PID"), phase("CSV")], [edge("PID", "CSV")])
    (outcome,) = decided(rules, [parent, row("CSV", 60, 81, 1)], ended=False).edges
    assert (outcome.ok, outcome.code.value) == (None, "V0_WITH_FINISH")


def test_never_of_one_drug_in_a_running_call_is_not_known_yet() -> None:
    parent = two("DFV", (1, 2, 1), ("N", "N", 0))
    decision = judged(parent, two("DRC", ("N", "N", 0), (70, 71, 1)), ended=None)
    assert (decision.edges[0].ok, decision.edges[0].code.value) == (None, "CHILD_START_UNKNOWN")
    assert [one.ok for one in decision.phases] == [None, None]
    assert judged(parent, FINE, ended=None).edges[0].ok is None


# --- Clock and import -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parent", "child", "same_turn", "ok", "code"),
    [
        pytest.param(
            {"finish_ms": 9}, {"start_ms": 8}, False, None, "TIMING_OVERLAP", id="overlap"
        ),
        pytest.param({"finish_ms": 9}, {"start_ms": 9}, False, True, "SAFE", id="touching"),
        pytest.param({"finish_ms": 9}, {}, False, True, "SAFE", id="one time"),
        pytest.param({}, {"start_ms": 8}, False, True, "SAFE", id="the other time"),
        pytest.param({"finish_doubts": ("x",)}, {}, False, None, "ORDER_DOUBTFUL", id="finish"),
        pytest.param({}, {"start_doubts": ("x",)}, False, None, "ORDER_DOUBTFUL", id="start"),
        pytest.param(
            {"start_doubts": ("x",)}, {"finish_doubts": ("x",)}, False, True, "SAFE", id="not read"
        ),
        pytest.param(
            {"finish_ms": 9}, {"start_ms": 8, "start": 52}, True, True, "TIE_ALLOWED", id="tie"
        ),
        pytest.param(
            {"finish_doubts": ("x",)},
            {"start": 52},
            True,
            None,
            "ORDER_DOUBTFUL",
            id="tie in doubt",
        ),
        pytest.param(
            {"finish_doubts": ("x",)},
            {"start": 40},
            False,
            False,
            "STARTED_BEFORE_PARENT_FINISHED",
            id="a fail stays",
        ),
    ],
)
def test_credit_is_taken_back_where_clock_or_import_disagree(
    parent: dict[str, Any], child: dict[str, Any], same_turn: bool, ok: bool | None, code: str
) -> None:
    rows = [row("PID", 45, 52, 1)._replace(**parent), row("CSV", 60, 81, 1)._replace(**child)]
    rules = plan([phase("PID"), phase("CSV")], [edge("PID", "CSV", same_turn=same_turn)])
    (outcome,) = decided(rules, rows).edges
    assert (outcome.ok, outcome.code.value) == (ok, code)
    assert (outcome.parent_finish, outcome.child_start) == (52, rows[1].start)


def test_an_item_that_failed_settles_the_phase_whatever_is_contradicted_beside_it() -> None:
    failed = row("P", 3, "N", 0, key="d1")
    contradicted = row("P", 3, "U", "U", key="d2", contradicted_at=9)
    rolled = roll_up("P", (failed, contradicted))
    (found,) = decided(plan([phase("P", per_item=True)]), [rolled]).phases
    assert (found.ok, found.code) == (False, Code.REQUIRED_FAILED)
