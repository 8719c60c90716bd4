"""What is refused, with which sentence, and at which field."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from review.core.decisions import (
    Ask,
    Contradiction,
    FactValue,
    ItemValue,
    Kind,
    PointValue,
    Refused,
    Span,
    UndoValue,
    VerdictValue,
    check_ask,
    check_undo,
    fold,
)
from review.core.rows import NEVER, UNKNOWN, Verdict
from tests.unit.review.decisions.case_b import (
    ANN,
    BASE,
    BEN,
    CALL,
    GROUNDS,
    LENGTHS,
    OPEN_CALL,
    after,
    ask,
    check,
    told,
)

PASS, FAIL = Verdict.PASS, Verdict.FAIL
START, FINISH, VERDICT = Kind.SET_START, Kind.SET_FINISH, Kind.SET_VERDICT
ITEM, SPAN, FACT = Kind.SET_ITEM, Kind.SET_EVIDENCE, Kind.SET_FACT
WHY = "the record says so"


def fact(value: Any, name: str = "restrictions", reason: str = "") -> Ask:
    return Ask(FACT, fact=name, value=FactValue(value), reason=reason)


def pid(kind: Kind, value: Any = None, **more: Any) -> Ask:
    return ask(kind, value, **more)


REFUSED = [
    (pid(Kind.CONFIRM, phase="NOWHERE"), "", "no such phase"),
    (pid(Kind.DOUBT), "reason", "what is in doubt"),
    (pid(Kind.COMMENT, reason=" \n"), "reason", "Write the comment"),
    (pid(Kind.COMMENT, reason="x" * 2001), "reason", "Shorten it"),
    (pid(START), "start", "on which turn the start"),
    (pid(START, PointValue(111)), "start", "no turn 111. It has turns 1 to 110"),
    (pid(START, PointValue(60), reason=WHY), "start", "turn 60, would come after the finish"),
    (pid(START, PointValue(NEVER), reason=WHY), "start", "also entered"),
    (pid(START, PointValue(44)), "reason", r"contradicts the proposal \(start: turn 45\)"),
    (pid(FINISH, PointValue(53)), "reason", r"contradicts the proposal \(finish: turn 52\)"),
    (pid(FINISH, PointValue(44), reason=WHY), "finish", "would come after the finish, turn 44"),
    (pid(VERDICT), "verdict", "Choose pass, fail or unknown"),
    (pid(VERDICT, VerdictValue(FAIL)), "reason", "Write down why"),
    (
        pid(VERDICT, VerdictValue(PASS, Contradiction.REVOKED, 60), reason=WHY),
        "verdict",
        "did not pass",
    ),
    (pid(VERDICT, VerdictValue(FAIL, Contradiction.REVOKED), reason=WHY), "at", "on which turn"),
    (
        pid(VERDICT, VerdictValue(FAIL, Contradiction.REVOKED, 52), reason=WHY),
        "at",
        "finished at turn 52",
    ),
    (pid(SPAN), "turn", "Mark the words"),
    (pid(SPAN, Span("payer_match", 0, 0, 1)), "turn", "no turn 0"),
    (pid(SPAN, Span("payer_match", 52, 3, 3)), "start", "must lie inside it"),
    (pid(SPAN, Span("payer_match", 52, 0, 10_000)), "start", f"{LENGTHS[52]} characters"),
    (pid(SPAN, Span("plan", 52, 0, 3)), "item", "PID has these items: first_identifier"),
    (pid(ITEM), "met", "Choose shown"),
    (pid(ITEM, ItemValue("payer_match", False)), "reason", "proposal"),
    (pid(ITEM, ItemValue("payer_match", True, 0)), "turn", "no turn 0"),
    (pid(Kind.SET_START, PointValue(90), phase="DFV"), "key", "choose the item"),
    (pid(START, PointValue(45), key="fictorol"), "key", "not owed per item"),
    (fact(True, "weather"), "fact", "no such fact"),
    (fact("yes"), "fact_value", "restrictions is a boolean: choose true or false"),
    (fact(False), "reason", r"restrictions = true"),
    (fact(date(2026, 1, 1), "copay_usd"), "fact_value", "write it in digits"),
]


@pytest.mark.parametrize(("asked", "field", "sentence"), REFUSED)
def test_what_is_refused(asked: Ask, field: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence) as refusal:
        check(asked)
    assert refusal.value.field == field


TAKEN = [
    pid(Kind.CONFIRM),
    pid(Kind.DOUBT, reason=WHY),
    pid(START, PointValue(45)),
    pid(START, PointValue(44), reason=WHY),
    pid(VERDICT, VerdictValue(PASS)),
    pid(VERDICT, VerdictValue(FAIL, Contradiction.REVOKED, 53), reason=WHY),
    pid(SPAN, Span("payer_match", 52, 0, LENGTHS[52])),
    pid(ITEM, ItemValue("payer_match", True, 52)),
    pid(START, PointValue(82), phase="DFV", key="fictorol"),
    fact(True),
    fact(False, reason=WHY),
    fact(None, reason=WHY),
    fact(Decimal("12.50"), "copay_usd", reason=WHY),
]


@pytest.mark.parametrize("asked", TAKEN)
def test_what_is_taken(asked: Ask) -> None:
    check(asked)


def test_only_an_ended_call_misses_something_for_ever() -> None:
    with pytest.raises(Refused, match="Choose 'not known' instead"):
        check(pid(FINISH, PointValue(NEVER), reason=WHY), call=OPEN_CALL)
    check(pid(FINISH, PointValue(UNKNOWN), reason=WHY), call=OPEN_CALL)


def test_a_volunteered_row_may_finish_before_it_starts() -> None:
    row = BASE.rows["CRN"]._replace(volunteered=True)
    shown = fold(BASE._replace(rows={**BASE.rows, "CRN": row}), [], GROUNDS)
    asked = pid(START, PointValue(109), phase="CRN", reason=WHY)
    after_it = check_ask(asked, told(1, asked), shown, CALL)
    assert after_it.rows["CRN"].row.start == 109


def test_a_pass_needs_finish_evidence_and_no_open_contradiction() -> None:
    never = told(1, pid(FINISH, PointValue(NEVER)))
    with pytest.raises(Refused, match="set the finish"):
        check(pid(VERDICT, VerdictValue(PASS), reason=WHY), never)
    bare = BASE.rows["PID"]._replace(evidence=(), verdict=Verdict.UNKNOWN)
    shown = fold(BASE._replace(rows={**BASE.rows, "PID": bare}), [], GROUNDS)
    asked = pid(VERDICT, VerdictValue(PASS))
    with pytest.raises(Refused, match="needs evidence"):
        check_ask(asked, told(1, asked), shown, CALL)
    open_row = BASE.rows["PID"]._replace(contradicted_at=60, verdict=Verdict.UNKNOWN)
    shown = fold(BASE._replace(rows={**BASE.rows, "PID": open_row}), [], GROUNDS)
    with pytest.raises(Refused, match="Turn 60 contradicts"):
        check_ask(asked, told(1, asked), shown, CALL)


def test_a_reason_is_owed_where_another_person_or_a_doubt_is_overruled() -> None:
    moved = told(1, pid(START, PointValue(40)), BEN)
    with pytest.raises(Refused, match="what another person decided"):
        check(pid(START, PointValue(45)), moved)
    check(pid(START, PointValue(45)), moved, by=BEN)
    doubted = BASE.rows["PID"]._replace(finish_doubts=("overlap",))
    shown = fold(BASE._replace(rows={**BASE.rows, "PID": doubted}), [], GROUNDS)
    asked = pid(FINISH, PointValue(52))
    with pytest.raises(Refused, match="was in doubt"):
        check_ask(asked, told(1, asked), shown, CALL)


def test_only_ones_own_is_taken_back_and_only_to_a_row_that_makes_sense() -> None:
    later = told(1, pid(FINISH, PointValue(60)))
    start = told(2, pid(START, PointValue(55)), BEN)
    undo = Ask(Kind.UNDO, value=UndoValue(1))
    undone = after(later, start, told(3, undo))
    with pytest.raises(Refused, match="Only your own last twenty"):
        check_undo(undo, [later, start], BEN, undone)
    with pytest.raises(Refused, match=r"turn 55, would come after .* Take back the later"):
        check_undo(undo, [later, start], ANN, undone)
    assert check_undo(undo, [later], ANN, after(later, told(2, undo))) == later
