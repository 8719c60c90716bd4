"""The draw of second readings: a share, the same every time, by nobody's choice."""

from __future__ import annotations

from uuid import UUID

import pytest

from review.core.readings import Drawn, ReadingKind, Shares, draw_drift, draw_second

PHASES = ("PID", "CSV", "DCC")
CRITICAL = frozenset({"PID", "CSV"})
MANY = [UUID(int=number) for number in range(4_000)]


def second(call_id: UUID, shares: Shares, *, key: bytes = b"key", review: int = 1) -> Drawn | None:
    return draw_second(call_id, review, PHASES, CRITICAL, key=key, shares=shares)


def test_a_share_is_drawn_and_is_the_same_every_time() -> None:
    shares = Shares(5, 0, 5)
    drawn = [one for one in MANY if second(one, shares)]
    assert 140 < len(drawn) < 260
    assert drawn == [one for one in MANY if second(one, shares)]
    other = [one for one in MANY if second(one, shares, key=b"another key")]
    assert len(set(drawn) & set(other)) < 40
    again = [one for one in MANY if second(one, shares, review=2)]
    assert len(set(drawn) & set(again)) < 40
    drift = [
        one for one in MANY if draw_drift(one, 1, PHASES, key=b"key", shares=shares) is not None
    ]
    assert 140 < len(drift) < 260
    assert len(set(drawn) & set(drift)) < 40


@pytest.mark.parametrize(
    ("shares", "kind", "phases"),
    [
        (Shares(100, 0, 0), ReadingKind.DOUBLE, PHASES),
        (Shares(100, 100, 100), ReadingKind.DOUBLE, PHASES),
        (Shares(0, 100, 0), ReadingKind.CRITICAL, ("PID", "CSV")),
    ],
)
def test_what_is_read(shares: Shares, kind: ReadingKind, phases: tuple[str, ...]) -> None:
    assert second(MANY[1], shares) == Drawn(kind, phases)


def test_no_share_draws_nothing() -> None:
    assert not any(second(one, Shares(0, 0, 0)) for one in MANY[:200])
    assert draw_drift(MANY[1], 1, PHASES, key=b"key", shares=Shares(100, 100, 0)) is None


def test_rows_at_critical_edges_are_drawn_one_by_one() -> None:
    found = [second(one, Shares(0, 50, 0)) for one in MANY[:400]]
    assert {one.phases for one in found if one} == {("PID",), ("CSV",), ("PID", "CSV")}
    assert 60 < found.count(None) < 140
