"""What is shown once people have decided, as a table, and that the fold has one result."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.decisions import (
    Ask,
    Base,
    Contradiction,
    Decision,
    FactValue,
    ItemValue,
    Kind,
    PointValue,
    Refused,
    Span,
    UndoValue,
    VerdictValue,
    apply_decision,
    check_ask,
    fold,
    redoable,
    undoable,
    value_from_json,
    value_to_json,
)
from review.core.predicates import Code, Outcome, decide, plan_of
from review.core.rows import NEVER, UNKNOWN, Verdict
from tests.unit.review.decisions.case_b import (
    ANN,
    BASE,
    BEN,
    CALL,
    DOCUMENT,
    GROUNDS,
    SUE,
    after,
    ask,
    told,
)

PASS, FAIL, OPEN = Verdict.PASS, Verdict.FAIL, Verdict.UNKNOWN
NO, LATER = Contradiction.NONE, Contradiction.REVOKED


def points(*decisions: Decision, phase: str = "PID") -> tuple[Any, Any, Verdict]:
    row = after(*decisions).rows[phase].row
    return row.start, row.finish, row.verdict


@pytest.mark.parametrize(
    ("kind", "value", "row"),
    [
        (Kind.CONFIRM, None, (45, 52, PASS)),
        (Kind.DOUBT, None, (45, 52, PASS)),
        (Kind.COMMENT, None, (45, 52, PASS)),
        (Kind.SET_START, PointValue(42), (42, 52, PASS)),
        (Kind.SET_START, PointValue(0), (0, 52, PASS)),
        (Kind.SET_START, PointValue(UNKNOWN), (UNKNOWN, 52, PASS)),
        (Kind.SET_FINISH, PointValue(50), (45, 50, PASS)),
        (Kind.SET_FINISH, PointValue(NEVER), (45, NEVER, FAIL)),
        (Kind.SET_FINISH, PointValue(UNKNOWN), (45, UNKNOWN, OPEN)),
        (Kind.SET_VERDICT, VerdictValue(OPEN), (45, 52, OPEN)),
        # A fail without a kind has said VOID: the finish was never one.
        (Kind.SET_VERDICT, VerdictValue(FAIL), (45, NEVER, FAIL)),
        (Kind.SET_VERDICT, VerdictValue(FAIL, Contradiction.VOID), (45, NEVER, FAIL)),
        (Kind.SET_VERDICT, VerdictValue(FAIL, LATER, 90), (45, 52, FAIL)),
        (Kind.SET_EVIDENCE, Span("payer_match", 52, 0, 4), (45, 52, PASS)),
        (Kind.SET_ITEM, ItemValue("payer_match", True, 52), (45, 52, PASS)),
        # What carried the pass is gone: somebody must say the verdict.
        (Kind.SET_ITEM, ItemValue("payer_match", False), (45, 52, OPEN)),
        (Kind.SET_ITEM, ItemValue("payer_match", None), (45, 52, OPEN)),
    ],
)
def test_what_a_decision_makes_of_a_row(kind: Kind, value: Any, row: Any) -> None:
    assert points(told(1, ask(kind, value))) == row


def test_a_finish_that_was_never_shown_is_no_pass() -> None:
    gone = [
        told(n, ask(Kind.SET_ITEM, ItemValue(item, False)))
        for n, item in enumerate(("first_identifier", "second_identifier", "payer_match"), 1)
    ]
    assert points(*gone, told(4, ask(Kind.SET_FINISH, PointValue(53)))) == (45, 53, OPEN)


def test_a_revoked_finish_stands_up_to_its_turn_and_covers_nothing() -> None:
    rows = {
        phase: one.row
        for phase, one in after(
            told(1, ask(Kind.SET_START, PointValue(60), "CSV")),
            told(2, ask(Kind.SET_VERDICT, VerdictValue(FAIL, LATER, 90))),
        ).rows.items()
    }
    found = decide(plan_of(DOCUMENT), rows, facts=BASE.facts, attributes={}, ended=True)
    assert (found.coverage, found.order_safe) == (Outcome.FAIL, Outcome.PASS)
    assert found.edges[0].code is Code.SAFE
    earlier = rows | {"PID": rows["PID"]._replace(revoked_at=55)}
    found = decide(plan_of(DOCUMENT), earlier, facts=BASE.facts, attributes={}, ended=True)
    assert found.edges[0].code is Code.PARENT_ALREADY_CONTRADICTED


def test_a_contradicted_row_is_open_until_its_contradiction_has_a_name() -> None:
    row = BASE.rows["PID"]._replace(contradicted_at=60, finish=UNKNOWN, verdict=OPEN)
    base = BASE._replace(rows={**BASE.rows, "PID": row})
    finish = told(1, ask(Kind.SET_FINISH, PointValue(52)))
    set_alone = fold(base, [finish], GROUNDS).rows["PID"].row
    assert (set_alone.finish, set_alone.verdict, set_alone.contradicted_at) == (52, OPEN, 60)
    named = told(2, ask(Kind.SET_VERDICT, VerdictValue(PASS, NO)))
    settled = fold(base, [finish, named], GROUNDS).rows["PID"].row
    assert (settled.finish, settled.verdict, settled.contradicted_at) == (52, PASS, None)


def test_a_point_that_a_person_sets_settles_clock_and_doubts() -> None:
    row = BASE.rows["PID"]._replace(finish_ms=9000, finish_doubts=("overlap",))
    base = BASE._replace(rows={**BASE.rows, "PID": row})
    same = told(1, ask(Kind.SET_FINISH, PointValue(52)))
    settled = fold(base, [same], GROUNDS).rows["PID"].row
    assert (settled.finish, settled.finish_ms, settled.finish_doubts) == (52, None, ())


def test_one_item_of_a_per_item_phase_is_decided_and_the_row_rolled_up() -> None:
    void = ask(Kind.SET_VERDICT, VerdictValue(FAIL), "DFV", key="imaginumab")
    shown = after(told(1, void)).rows["DFV"]
    by_key = {one.key: one.verdict for one in shown.row.instances or ()}
    assert by_key == {"fictorol": PASS, "imaginumab": FAIL}
    assert (shown.row.start, shown.row.finish, shown.row.verdict) == (82, NEVER, FAIL)
    assert not shown.needs_second  # no critical edge ends here


def test_nothing_decided_is_what_was_proposed() -> None:
    shown = after()
    assert {phase: one.row for phase, one in shown.rows.items()} == dict(BASE.rows)
    assert shown.facts == BASE.facts
    assert not any(one.touched or one.needs_second for one in shown.rows.values())


STANDINGS = [
    ([], "PROPOSED", None),
    ([(Kind.CONFIRM, ANN, False)], "CONFIRMED", ANN),
    ([(Kind.COMMENT, ANN, False)], "PROPOSED", None),
    ([(Kind.DOUBT, ANN, False)], "DOUBTED", ANN),
    # A doubt waits for a senior reviewer, whoever decides meanwhile.
    ([(Kind.DOUBT, ANN, False), (Kind.CONFIRM, BEN, False)], "DOUBTED", BEN),
    ([(Kind.DOUBT, ANN, False), (Kind.CONFIRM, SUE, True)], "CONFIRMED", SUE),
    ([(Kind.CONFIRM, ANN, False), (Kind.DOUBT, BEN, False)], "DOUBTED", BEN),
]


@pytest.mark.parametrize(("acts", "standing", "by"), STANDINGS)
def test_how_a_row_stands_and_by_whom(acts: Any, standing: str, by: str | None) -> None:
    row = after(
        *[told(n, ask(kind), who, senior=senior) for n, (kind, who, senior) in enumerate(acts, 1)]
    ).rows["PID"]
    assert (row.standing.value, row.decided_by) == (standing, by)


SECONDS = [
    ("a start earlier than its anchor", "CSV", Kind.SET_START, PointValue(40), False),
    ("a start later than its anchor", "CSV", Kind.SET_START, PointValue(60), True),
    ("a start taken away", "CSV", Kind.SET_START, PointValue(UNKNOWN), True),
    ("a pass made a fail", "PID", Kind.SET_VERDICT, VerdictValue(FAIL), True),
    ("a pass made open", "PID", Kind.SET_VERDICT, VerdictValue(OPEN), False),
    ("a finish taken away is a fail", "PID", Kind.SET_FINISH, PointValue(NEVER), True),
    ("a later start off the critical edges", "CRN", Kind.SET_START, PointValue(105), False),
]


@pytest.mark.parametrize(("_", "phase", "kind", "value", "needed"), SECONDS)
def test_when_a_second_person_is_needed(
    _: str, phase: str, kind: Kind, value: Any, needed: bool
) -> None:
    first = told(1, ask(kind, value, phase))
    assert after(first).rows[phase].needs_second is needed
    assert not after(first, told(2, ask(Kind.UNDO, UndoValue(1), phase))).rows[phase].needs_second


@pytest.mark.parametrize(
    ("by", "senior", "still"), [(SUE, True, False), (BEN, False, True), (ANN, True, True)]
)
def test_who_can_be_the_second_person(by: str, senior: bool, still: bool) -> None:
    moved = told(1, ask(Kind.SET_START, PointValue(60), "CSV"), ANN, senior=senior)
    seconded = told(2, ask(Kind.CONFIRM, phase="CSV"), by, senior=senior)
    assert after(moved, seconded).rows["CSV"].needs_second is still
    again = told(3, ask(Kind.SET_START, PointValue(61), "CSV"), BEN)
    assert after(moved, seconded, again).rows["CSV"].needs_second


def test_a_fact_is_set_by_a_person() -> None:
    fact = Ask(Kind.SET_FACT, fact="restrictions", value=FactValue(False))
    shown = after(told(1, fact))
    assert (shown.facts["restrictions"], shown.facts_by) == (False, {"restrictions": ANN})
    undone = after(told(1, fact), told(2, Ask(Kind.UNDO, value=UndoValue(1))))
    assert (undone.facts, undone.facts_by) == (BASE.facts, {})


def test_undo_and_redo_go_back_and_forth() -> None:
    history = [
        told(1, ask(Kind.SET_START, PointValue(40))),
        told(2, ask(Kind.SET_START, PointValue(41))),
    ]
    for number, target, start, undo, redo in (
        (3, 2, 40, [1], [3]),
        (4, 1, 45, [], [4, 3]),
        (5, 4, 40, [1], [3]),  # a redo is the undo of an undo
        (6, 3, 41, [2, 1], []),
    ):
        history.append(told(number, ask(Kind.UNDO, UndoValue(target))))
        assert points(*history)[0] == start
        assert [one.number for one in undoable(history, ANN)] == undo
        assert [one.number for one in redoable(history, ANN)] == redo
    assert after(*history[:4]).rows["PID"].touched


def test_only_the_last_twenty_of_ones_own_can_be_undone() -> None:
    history = [told(n, ask(Kind.CONFIRM), ANN if n % 2 else BEN) for n in range(1, 61)]
    numbers = [one.number for one in undoable(history, ANN)]
    assert numbers == list(range(59, 20, -2))
    assert undoable([told(1, ask(Kind.COMMENT))], ANN) == ()


VALUES = [
    (Kind.CONFIRM, None, None),
    (Kind.SET_START, PointValue(0), None),
    (Kind.SET_FINISH, PointValue(NEVER), "fictorol"),
    (Kind.SET_VERDICT, VerdictValue(FAIL, LATER, 9), None),
    (Kind.SET_VERDICT, VerdictValue(PASS), None),
    (Kind.SET_EVIDENCE, Span("plan", 68, 0, 4), None),
    (Kind.SET_ITEM, ItemValue("plan", None), None),
    (Kind.SET_FACT, FactValue(BASE.facts["copay_usd"]), None),
    (Kind.SET_FACT, FactValue(True), None),
    (Kind.UNDO, UndoValue(3), None),
]


@pytest.mark.parametrize(("kind", "value", "key"), VALUES)
def test_a_value_is_read_back_as_it_was_written(kind: Kind, value: Any, key: str | None) -> None:
    assert value_from_json(kind, value_to_json(value, key)) == (value, key)


def _asks() -> st.SearchStrategy[Ask]:
    point = st.one_of(st.integers(1, 110), st.sampled_from([NEVER, UNKNOWN])).map(PointValue)
    phases = st.sampled_from(["PID", "CSV", "CRN", "DFV"])
    keys = st.sampled_from([None, "fictorol", "imaginumab"])
    verdict = st.builds(
        VerdictValue,
        st.sampled_from(Verdict),
        st.sampled_from([None, *Contradiction]),
        st.sampled_from([None, 60, 105]),
    )
    items = st.sampled_from(["payer_match", "plan", "tier", "reference"])
    item = st.builds(ItemValue, items, st.sampled_from([True, False, None]), st.just(52))
    span = st.builds(Span, items, st.integers(1, 110), st.just(0), st.integers(1, 20))
    valued = st.one_of(
        st.tuples(st.sampled_from([Kind.SET_START, Kind.SET_FINISH]), point),
        st.tuples(st.just(Kind.SET_VERDICT), verdict),
        st.tuples(st.just(Kind.SET_ITEM), item),
        st.tuples(st.just(Kind.SET_EVIDENCE), span),
        st.tuples(st.sampled_from([Kind.CONFIRM, Kind.DOUBT, Kind.COMMENT]), st.none()),
        st.tuples(st.just(Kind.UNDO), st.integers(1, 30).map(UndoValue)),
    )
    on_row = st.builds(
        lambda phase, key, pair: Ask(pair[0], phase, key=key, value=pair[1], reason="so it is"),
        phases,
        keys,
        valued,
    )
    fact = st.sampled_from([True, False, None]).map(
        lambda value: Ask(Kind.SET_FACT, fact="restrictions", value=FactValue(value), reason="so")
    )
    return st.one_of(on_row, fact)


_people = st.sampled_from([(ANN, False), (BEN, False), (SUE, True)])


@given(st.lists(st.tuples(_asks(), _people), max_size=30))
def test_the_fold_has_one_result_and_equals_one_step_after_the_other(acts: Any) -> None:
    history: list[Decision] = []
    shown = fold(BASE, [], GROUNDS)
    for asked, (by, senior) in acts:
        decision = told(len(history) + 1, asked, by, senior=senior)
        if asked.kind is Kind.UNDO:
            if asked.value.of not in {
                one.number for one in (*undoable(history, by), *redoable(history, by))
            }:
                continue
            history.append(decision)
            shown = fold(BASE, history, GROUNDS)
            continue
        try:
            shown = check_ask(asked, decision, shown, CALL)
        except Refused:
            continue
        history.append(decision)
        assert fold(BASE, history, GROUNDS) == shown
    assert fold(BASE, tuple(history), GROUNDS) == shown
    assert fold(Base(dict(BASE.rows), dict(BASE.facts)), history, GROUNDS) == shown


@given(st.lists(_asks(), max_size=30))
def test_what_passes_the_checks_is_a_row_that_makes_sense(asks: Any) -> None:
    shown = fold(BASE, [], GROUNDS)
    for number, asked in enumerate(asks, 1):
        if asked.kind is Kind.UNDO:
            continue
        try:
            shown = check_ask(asked, told(number, asked), shown, CALL)
        except Refused:
            continue
        for one in shown.rows.values():
            for row in one.row.instances or (one.row,):
                start, finish = row.start, row.finish
                assert row.verdict is not PASS or (isinstance(finish, int) and row.evidence)
                if isinstance(start, int) and isinstance(finish, int) and not row.volunteered:
                    assert start <= finish


def test_apply_ignores_what_is_about_nothing_here() -> None:
    shown = after()
    elsewhere = told(1, ask(Kind.CONFIRM, phase="NOWHERE"))
    assert apply_decision(shown, elsewhere, GROUNDS) == shown
