"""Where two readings differ, the raw agreement, and when a difference is settled."""

from __future__ import annotations

import json

import pytest

from review.core.decisions import Decision, Kind, UndoValue
from review.core.readings import (
    After,
    Answer,
    EdgePair,
    Pair,
    Raw,
    compare,
    compared_from_json,
    compared_to_json,
    open_differences,
    raw_agreement,
    stands_settled,
)
from review.core.rows import NEVER, UNKNOWN, Verdict

PASS, FAIL, OPEN = Verdict.PASS, Verdict.FAIL, Verdict.UNKNOWN
BASE = Answer(True, 3, 4, PASS)


@pytest.mark.parametrize(
    ("second", "differs"),
    [
        (BASE, ()),
        (BASE._replace(start=4), ("start",)),
        (BASE._replace(finish=NEVER, verdict=FAIL), ("finish", "verdict")),
        (BASE._replace(required=None), ("required",)),
        (Answer(False, UNKNOWN, UNKNOWN, OPEN), ("required", "start", "finish", "verdict")),
    ],
)
def test_what_a_row_differs_in(second: Answer, differs: tuple[str, ...]) -> None:
    assert Pair("PID", BASE, second).differs_in == differs


def test_of_a_row_that_neither_owes_only_that_is_compared() -> None:
    one = Answer(False, NEVER, NEVER, FAIL)
    assert Pair("ALT", one, Answer(False, UNKNOWN, UNKNOWN, OPEN)).differs_in == ()


def test_edges_count_where_both_rows_were_read() -> None:
    found = compare(
        {"PID": BASE, "CSV": BASE, "DCC": BASE},
        {"PID": BASE, "CSV": BASE._replace(start=2)},
        {("PID", "CSV"): True, ("PID", "DCC"): True},
        {("PID", "CSV"): False, ("PID", "DCC"): True},
    )
    assert found.edges == (EdgePair("PID", "CSV", True, False),)
    assert found.differing == ("CSV",)
    assert compared_from_json(json.loads(json.dumps(compared_to_json(found)))) == found


def test_raw_agreement_is_counted_apart_for_each_measure() -> None:
    near, far = BASE._replace(start=4), BASE._replace(start=9, verdict=FAIL, finish=NEVER)
    unowed = Answer(False, UNKNOWN, UNKNOWN, OPEN)
    found = compare(
        {"A": BASE, "B": BASE, "C": BASE, "D": unowed},
        {"A": BASE, "B": near, "C": far, "D": unowed},
        {("A", "B"): True, ("A", "C"): None},
        {("A", "B"): True, ("A", "C"): False},
    )
    assert raw_agreement([found]) == {
        "required": Raw(4, 4),
        "verdict": Raw(2, 3),
        "start": Raw(1, 3),
        "start_near": Raw(2, 3),
        "finish": Raw(2, 3),
        "edge": Raw(1, 2),
    }
    assert raw_agreement([found, found])["verdict"] == Raw(4, 6)
    assert raw_agreement([])["verdict"] == Raw(0, 0)


PAIR = Pair("PID", BASE, BASE._replace(start=4))
AS_FIRST, AS_SECOND, OTHERWISE = PAIR.first, PAIR.second, BASE._replace(start=1)
AFTER = After("ben", done_at=1, sampled=False)


def said(number: int, by: str, kind: Kind = Kind.CONFIRM, *, senior: bool = False) -> Decision:
    return Decision(number, kind, by, senior, "PID", None, None, None)


@pytest.mark.parametrize(
    ("now", "since", "settled"),
    [
        (AS_FIRST, [], False),
        # The first reader insists: two people still say different things.
        (AS_FIRST, [said(2, "ann")], False),
        (AS_FIRST, [said(2, "ann", senior=True)], False),
        # The second reader comes round.
        (AS_FIRST, [said(2, "ben")], True),
        # The second reader puts their own reading in; the first has said nothing.
        (AS_SECOND, [said(2, "ben")], False),
        (AS_SECOND, [said(2, "ben", senior=True)], False),
        (AS_SECOND, [said(2, "ben"), said(3, "ann")], True),
        # The first reader comes round.
        (AS_SECOND, [said(2, "ann", Kind.SET_START)], True),
        # A third person who is a senior reviewer decides either way; another reviewer does not.
        (AS_FIRST, [said(2, "sue", senior=True)], True),
        (AS_SECOND, [said(2, "sue", senior=True)], True),
        (OTHERWISE, [said(2, "sue", Kind.SET_START, senior=True)], True),
        (OTHERWISE, [said(2, "tom")], False),
        # What came after counts, and a doubt opens it again.
        (AS_FIRST, [said(2, "sue", senior=True), said(3, "ann")], False),
        (AS_FIRST, [said(2, "ben"), said(3, "ann", Kind.DOUBT)], False),
        (AS_FIRST, [said(2, "ben", Kind.COMMENT)], False),
        (
            AS_FIRST,
            [said(2, "ben"), said(3, "ben", Kind.UNDO)._replace(value=UndoValue(2))],
            False,
        ),
    ],
)
def test_when_a_difference_is_settled(now: Answer, since: list[Decision], settled: bool) -> None:
    decisions = [said(1, "ann"), *since]
    assert stands_settled(PAIR, now, decisions, AFTER) is settled


def test_the_reader_of_a_sampled_call_settles_what_the_machine_said_otherwise() -> None:
    alone = After("ben", done_at=0, sampled=True)
    assert not stands_settled(PAIR, AS_FIRST, [], alone)
    assert stands_settled(PAIR, AS_SECOND, [said(1, "ben", Kind.SET_START)], alone)
    assert stands_settled(PAIR, AS_FIRST, [said(1, "ben")], alone)
    assert not stands_settled(PAIR, AS_FIRST, [said(1, "tom")], alone)


def test_rows_that_agreed_are_no_difference_later() -> None:
    found = compare({"PID": BASE, "CSV": BASE}, {"PID": PAIR.second, "CSV": BASE}, {}, {})
    shown = open_differences(found, [("PID", BASE), ("CSV", OTHERWISE)], [said(1, "ann")], AFTER)
    assert [(one.pair.phase, one.settled) for one in shown] == [("PID", False)]
