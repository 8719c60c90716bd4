"""Which version judges a call, and which runs beside it, when one of its catalog is on trial."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from uuid import UUID

import pytest

from catalogs.core.document import Document, load_document
from catalogs.core.document.trials import (
    Draw,
    Trial,
    TrialMode,
    UnfitTrial,
    check_trial,
    is_drawn,
    try_out,
)
from tests.factories import catalog_source

KEY = b"a key"
FIRST = date(2026, 6, 1)
ATTRIBUTES = {"type": "member_benefits"}


def version(number: str, first: date, *changes: tuple[str, str]) -> Document:
    """Return the micro catalog under a number, in force from a day."""
    document, _ = load_document(catalog_source("micro", ("version: 2.0.0", number), *changes))
    assert document is not None
    return replace(document, effective_from=first)


OLD = version("version: 2.0.0", date(2026, 1, 1))
NEW = version("version: 2.1.0", FIRST)
OTHER = version(
    "version: 1.0.0", date(2026, 1, 1), ("catalog: member-benefits-micro", "catalog: other-micro")
)
NARROW = version("version: 2.2.0", FIRST, ("'member_benefits'", "'another'"))
ENDED = replace(NEW, effective_to=date(2026, 6, 30))
IN_SHADOW = Trial(TrialMode.SHADOW, 0, FIRST)
DAY = date(2026, 7, 1)


def canary(share: int) -> Trial:
    """Return a trial for a share of calls."""
    return Trial(TrialMode.CANARY, share, FIRST)


def call_where(share: int, *, drawn: bool) -> UUID:
    """Return the id of a call that this share draws, or does not draw."""
    ids = (UUID(int=number) for number in range(10_000))
    return next(one for one in ids if is_drawn(Draw(one, KEY), NEW.digest, share) is drawn)


DRAWN, NOT_DRAWN = call_where(10, drawn=True), call_where(10, drawn=False)


@pytest.mark.parametrize(
    ("tried", "trial", "on", "call_id", "judges", "beside"),
    [
        (None, None, DAY, DRAWN, "2.0.0", None),
        (NEW, IN_SHADOW, DAY, DRAWN, "2.0.0", "2.1.0"),
        (NEW, IN_SHADOW, DAY, NOT_DRAWN, "2.0.0", "2.1.0"),
        (NEW, IN_SHADOW, FIRST, DRAWN, "2.0.0", "2.1.0"),
        (NEW, IN_SHADOW, date(2026, 5, 31), DRAWN, "2.0.0", None),
        (NEW, IN_SHADOW._replace(first_day=date(2026, 8, 1)), DAY, DRAWN, "2.0.0", None),
        (ENDED, IN_SHADOW, date(2026, 6, 30), DRAWN, "2.0.0", "2.1.0"),
        (ENDED, IN_SHADOW, DAY, DRAWN, "2.0.0", None),
        (NARROW, IN_SHADOW, DAY, DRAWN, "2.0.0", None),
        (NEW, canary(10), DAY, DRAWN, "2.1.0", None),
        (NEW, canary(10), DAY, NOT_DRAWN, "2.0.0", None),
        (NEW, canary(10), DAY, None, "2.0.0", None),
        (NEW, canary(10), date(2026, 5, 31), DRAWN, "2.0.0", None),
        (ENDED, canary(10), DAY, DRAWN, "2.0.0", None),
        (NARROW, canary(99), DAY, DRAWN, "2.0.0", None),
    ],
    ids=[
        *("no trial", "shadow", "shadow draws nothing", "its first day", "before its first day"),
        *("before the trial's first day", "its last day", "after its last day"),
        *("its condition does not hold", "drawn", "not drawn", "no draw", "drawn, too early"),
        *("drawn, too late", "drawn, its condition does not hold"),
    ],
)
def test_a_trial_rides_on_the_calls_of_its_catalog(
    tried: Document | None,
    trial: Trial | None,
    on: date,
    call_id: UUID | None,
    judges: str,
    beside: str | None,
) -> None:
    trials = {} if tried is None or trial is None else {tried.slug: (tried, trial)}
    draw = None if call_id is None else Draw(call_id, KEY)
    found = try_out(OLD, trials, ATTRIBUTES, on, draw)
    assert found.judges.version == judges
    assert (found.beside.version if found.beside else None) == beside


def test_trials_of_two_catalogs_do_not_know_each_other() -> None:
    trials = {NEW.slug: (NEW, canary(99)), OTHER.slug: (OTHER, IN_SHADOW)}
    call_id = call_where(99, drawn=True)
    mine = try_out(OLD, trials, ATTRIBUTES, DAY, Draw(call_id, KEY))
    assert (mine.judges.version, mine.beside) == ("2.1.0", None)
    theirs = try_out(replace(OTHER, version="0.9.0"), trials, ATTRIBUTES, DAY, Draw(call_id, KEY))
    assert theirs.judges.version == "0.9.0"
    assert theirs.beside is OTHER


def test_a_call_drawn_again_is_drawn_alike_and_a_larger_share_keeps_it() -> None:
    calls = [Draw(UUID(int=number), KEY) for number in range(2_000)]
    small = {one for one in calls if is_drawn(one, NEW.digest, 10)}
    assert small == {one for one in calls if is_drawn(one, NEW.digest, 10)}
    assert small < {one for one in calls if is_drawn(one, NEW.digest, 30)}


def test_another_key_and_another_version_draw_other_calls() -> None:
    calls = [UUID(int=number) for number in range(2_000)]

    def drawn(key: bytes, digest: str) -> set[UUID]:
        return {one for one in calls if is_drawn(Draw(one, key), digest, 10)}

    assert drawn(KEY, NEW.digest) != drawn(b"another", NEW.digest)
    assert drawn(KEY, NEW.digest) != drawn(KEY, OLD.digest)


@pytest.mark.parametrize("share", [1, 10, 50, 99])
def test_the_share_drawn_is_the_share_asked_for(share: int) -> None:
    number = 20_000
    drawn = sum(is_drawn(Draw(UUID(int=one), KEY), NEW.digest, share) for one in range(number))
    deviation = (number * share / 100 * (1 - share / 100)) ** 0.5
    assert abs(drawn - number * share / 100) < 4 * deviation


@pytest.mark.parametrize(
    ("trial", "document", "deciding", "sentence", "field"),
    [
        (canary(0), NEW, [OLD], "from 1 to 99 percent", "share"),
        (canary(100), NEW, [OLD], "from 1 to 99 percent", "share"),
        (IN_SHADOW._replace(share=10), NEW, [OLD], "no share", "share"),
        (IN_SHADOW, version("version: 2.1.0", DAY), [OLD], "from 2026-07-01 on", "first_day"),
        (IN_SHADOW, NEW, [], "nothing would decide beside it", "first_day"),
        (
            *(IN_SHADOW, NEW, [replace(OLD, effective_to=date(2026, 5, 31))]),
            *("nothing would decide beside it", "first_day"),
        ),
    ],
    ids=["no share", "all", "share in shadow", "too early", "alone", "nobody covers the day"],
)
def test_a_trial_that_makes_no_sense_is_refused(
    trial: Trial, document: Document, deciding: list[Document], sentence: str, field: str
) -> None:
    with pytest.raises(UnfitTrial, match=sentence) as refused:
        check_trial(trial, document, deciding)
    assert refused.value.field == field


@pytest.mark.parametrize("share", [1, 99])
def test_the_edges_of_a_share_are_shares(share: int) -> None:
    check_trial(canary(share), NEW, [OLD])
