"""The queue's rules: classes in their order, the sentence, the draw, age limits, by tables."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest

from review.core.decisions import Standing
from review.core.queue import (
    AGE_LIMITS,
    FOR_REVIEWERS,
    FOR_SENIORS,
    Edge,
    Placed,
    QueueClass,
    RowAsked,
    Second,
    is_late,
    is_sampled,
    place_call,
    say_why,
)
from review.models import QueueClassCode
from tests.factories import NOON

C = QueueClass
CONFIRMED, DOUBTED = Standing.CONFIRMED, Standing.DOUBTED
PLAIN = RowAsked("CRN", ())
PARTIAL = RowAsked("DFV", ("PARTIAL",))
CRITICAL = RowAsked("PID", ("SAFETY_CRITICAL", "PARTIAL"))
OPEN = RowAsked("CSV", ("ORDER_UNCERTAIN", "SAFETY_CRITICAL"))
VIOLATED = RowAsked("DRC", ("ORDER_VIOLATION", "SAFETY_CRITICAL"))

PLACES = [
    ("a violation comes before all", [PARTIAL, CRITICAL, OPEN, VIOLATED], C.ORDER, "DRC"),
    ("an open order before what is only critical", [CRITICAL, OPEN], C.ORDER, "CSV"),
    ("critical before ambiguous", [PARTIAL, CRITICAL], C.CRITICAL, "PID"),
    ("any other flag", [PLAIN, PARTIAL], C.AMBIGUOUS, "DFV"),
    ("the first of two alike", [CRITICAL, CRITICAL._replace(phase="X")], C.CRITICAL, "PID"),
    ("no flag", [PLAIN], C.READY, ""),
    ("no row", [], C.READY, ""),
    (
        "decided rows ask nobody",
        [VIOLATED._replace(standing=CONFIRMED), PARTIAL],
        *(C.AMBIGUOUS, "DFV"),
    ),
    ("all decided", [CRITICAL._replace(standing=CONFIRMED), PLAIN], C.READY, ""),
    (
        "a doubt waits while rows are open",
        [CRITICAL._replace(standing=DOUBTED), PARTIAL],
        *(C.AMBIGUOUS, "DFV"),
    ),
    ("only a doubt is left", [CRITICAL._replace(standing=DOUBTED), PLAIN], C.DOUBT, "PID"),
    ("a doubt without a flag", [PLAIN._replace(standing=DOUBTED)], C.DOUBT, "CRN"),
    (
        "turned round, so a second person",
        [CRITICAL._replace(standing=CONFIRMED, needs_second=True)],
        *(C.SECOND, "PID"),
    ),
    (
        "a doubt before a second person",
        [
            CRITICAL._replace(standing=CONFIRMED, needs_second=True),
            PLAIN._replace(standing=DOUBTED),
        ],
        *(C.DOUBT, "CRN"),
    ),
]


@pytest.mark.parametrize(("name", "rows", "kind", "phase"), PLACES)
def test_where_a_call_stands(name: str, rows: list[RowAsked], kind: QueueClass, phase: str) -> None:
    placed = place_call(rows, sampled=False)
    assert (placed.kind, placed.phase) == (kind, phase), name


DRAWN = [
    ("nothing flagged, nothing decided", [PLAIN, PLAIN], C.SAMPLE),
    ("partly decided, still being read", [PLAIN, PLAIN._replace(standing=CONFIRMED)], C.SAMPLE),
    ("read", [PLAIN._replace(standing=CONFIRMED)], C.READY),
    ("a flag is no sample", [PLAIN, PARTIAL], C.AMBIGUOUS),
    (
        "not after its flag was decided either",
        [PLAIN, PARTIAL._replace(standing=CONFIRMED)],
        C.READY,
    ),
]


@pytest.mark.parametrize(("name", "rows", "kind"), DRAWN)
def test_where_a_call_of_the_draw_stands(name: str, rows: list[RowAsked], kind: QueueClass) -> None:
    assert place_call(rows, sampled=True).kind is kind, name


EDGE = Edge("PID", "CSV", False, 52, 42, same_turn=False)
SENTENCES = [
    (Placed(C.ORDER, "CSV", "ORDER_VIOLATION"), EDGE, "PID \u2192 CSV, 52 < 42 is false"),
    (
        Placed(C.ORDER, "PID", "ORDER_VIOLATION"),
        EDGE._replace(same_turn=True),
        "52 <= 42 is false",
    ),
    (
        Placed(C.ORDER, "PID", "ORDER_VIOLATION"),
        EDGE._replace(finish="never"),
        "CSV began at 42 and PID never finished",
    ),
    (
        Placed(C.ORDER, "PID", "ORDER_UNCERTAIN"),
        EDGE._replace(ok=None),
        "uncertain: PID \u2192 CSV",
    ),
    (Placed(C.ORDER, "DRC", "ORDER_VIOLATION"), EDGE, "Order violated: DRC"),
    (Placed(C.ORDER, "DRC", "ORDER_VIOLATION"), None, "Order violated: DRC"),
    (Placed(C.CRITICAL, "PID", "SAFETY_CRITICAL"), EDGE, "Safety-critical: PID"),
    (Placed(C.AMBIGUOUS, "DFV", "AMBIGUOUS_START"), None, "Start ambiguous: DFV"),
    (Placed(C.AMBIGUOUS, "DFV", "LATER_FLAG"), None, "Flagged: DFV"),
    (Placed(C.SAMPLE), None, "read blind"),
    (Placed(C.DOUBT, "PID"), None, "PID waits for a senior reviewer"),
    (Placed(C.SECOND, "PID"), None, "PID needs a second person"),
    (Placed(C.READY), None, "ready to sign"),
]


@pytest.mark.parametrize(("placed", "edge", "words"), SENTENCES)
def test_each_call_says_why_it_is_here(placed: Placed, edge: Edge | None, words: str) -> None:
    assert words in say_why(placed, edge)


def test_the_draw_takes_a_twentieth_and_is_the_same_every_time() -> None:
    ids = [UUID(int=number) for number in range(20_000)]
    drawn = [one for one in ids if is_sampled(one, b"key")]
    assert 900 < len(drawn) < 1_100
    assert drawn == [one for one in ids if is_sampled(one, b"key")]
    other = [one for one in ids if is_sampled(one, b"another key")]
    assert len(set(drawn) & set(other)) < 100
    assert not any(is_sampled(one, b"key", percent=0) for one in ids)
    assert all(is_sampled(one, b"key", percent=100) for one in ids)


@pytest.mark.parametrize("kind", list(QueueClass))
def test_a_call_is_late_once_its_limit_is_over(kind: QueueClass) -> None:
    limit = AGE_LIMITS[kind]
    assert not is_late(kind, NOON - limit, NOON)
    assert is_late(kind, NOON - limit - timedelta(seconds=1), NOON)


def test_the_classes_are_those_of_the_table_and_each_is_somebodys() -> None:
    assert {one.value: one.name for one in QueueClass} == {
        one.value: one.name for one in QueueClassCode
    }
    last = [QueueClass.READY, QueueClass.BLIND, QueueClass.DIFFERENT]
    assert [*FOR_REVIEWERS, *FOR_SENIORS, *last] == list(QueueClass)


@pytest.mark.parametrize(
    ("second", "sampled", "standing", "kind"),
    [
        (Second.NONE, True, Standing.PROPOSED, QueueClass.SAMPLE),
        (Second.OPEN, True, Standing.PROPOSED, QueueClass.SAMPLE),
        (Second.DONE, True, Standing.PROPOSED, QueueClass.READY),
        (Second.DIFFERENT, True, Standing.PROPOSED, QueueClass.DIFFERENT),
        (Second.WAITING, False, Standing.CONFIRMED, QueueClass.BLIND),
        (Second.OPEN, False, Standing.DOUBTED, QueueClass.BLIND),
        (Second.DIFFERENT, False, Standing.DOUBTED, QueueClass.DOUBT),
        (Second.DIFFERENT, False, Standing.CONFIRMED, QueueClass.DIFFERENT),
        (Second.DONE, False, Standing.CONFIRMED, QueueClass.READY),
    ],
)
def test_until_it_was_read_twice_the_class_says_nothing_else(
    second: Second, sampled: bool, standing: Standing, kind: QueueClass
) -> None:
    placed = place_call([RowAsked("PID", (), standing)], sampled=sampled, second=second)
    assert placed == Placed(kind, "PID" if kind is QueueClass.DOUBT else "")


def test_a_flag_does_not_show_through_a_blind_reading() -> None:
    flagged = RowAsked("PID", ("ORDER_VIOLATION",))
    assert place_call([flagged], sampled=False, second=Second.OPEN) == Placed(QueueClass.BLIND)
