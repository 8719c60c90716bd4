"""Double-coded checklists as a calibration round: what two people marked is kept with figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import eq
from uuid import UUID, uuid4

from django.db import transaction

from catalogs.core.canonical import digest as canonical_digest
from oipsce_site.ledger.actors import worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.people.models import Site
from review.actions.calibration import UnableToCalibrate, record_round
from review.actions.differing import DRAWS, draw_calls, plain_figures
from review.core.agreement import Measure, measure_tables
from review.core.calibration import MARKS
from review.models import (
    CalibrationCall,
    CalibrationRater,
    CalibrationRating,
    CalibrationRound,
    RoundKind,
    RoundStateCode,
)
from review.queries.ratings import marks_of

_MARK = Measure("mark", "Mark of an item", eq, tuple(MARKS.values()))
_NOBODY = "0" * 64


@dataclass(frozen=True, slots=True)
class Checked:
    """One conversation: its name, and the marks of every rater by item (None: not on the list)."""

    name: str
    marks: Mapping[str, tuple[str | None, ...]]


@dataclass(frozen=True, slots=True)
class Checklists:
    """What is loaded: at which site, under which title, by whom it was marked."""

    site: Site
    title: str
    raters: Sequence[str]
    calls: Sequence[Checked]


def load_checklists(
    *, round_id: UUID, loaded: Checklists, seed: str, by: str, at: datetime
) -> UUID:
    """Keep double-coded checklists as a closed round, with figures drawn with `seed`.

    `by` names the command. Raises UnableToCalibrate where nothing was coded twice.
    """
    if not any(None not in marks for one in loaded.calls for marks in one.marks.values()):
        raise UnableToCalibrate("No item is on the lists of all raters: nothing was coded twice.")
    with transaction.atomic():
        found = _opened(round_id, loaded, at)
        _add_marks(found, loaded, at)
        tables = [list(table.values()) for table in marks_of(found)]
        measured = measure_tables(tables, draw_calls(len(tables), seed), _MARK)
        found.state, found.over_at = RoundStateCode.CLOSED, at
        found.seed, found.draws = seed, DRAWS
        found.figures = plain_figures(found, [measured], seed)
        found.save(update_fields=["state", "over_at", "seed", "draws", "figures"])
        facts: dict[str, Value] = {
            "set": found.set_digest,
            "seed": seed,
            "calls": len(loaded.calls),
        }
        record_round("calibration.load", found, worker(by), at, facts)
    return round_id


def _opened(round_id: UUID, loaded: Checklists, at: datetime) -> CalibrationRound:
    plain = [[one.name, [[item, list(m)] for item, m in one.marks.items()]] for one in loaded.calls]
    same = CalibrationRound.objects.filter(site=loaded.site, title=loaded.title)
    return CalibrationRound.objects.create(
        id=round_id,
        site=loaded.site,
        kind=RoundKind.CHECKLIST,
        state=RoundStateCode.DIFFERING,
        number=same.count() + 1,
        title=loaded.title,
        source=b"",
        document_digest=_NOBODY,
        set_digest=canonical_digest({"domain": "oip-sce/checklists/v1", "calls": plain}),
        phases=list(dict.fromkeys(item for one in loaded.calls for item in one.marks)),
        opened_at=at,
        rated_at=at,
    )


def _add_marks(found: CalibrationRound, loaded: Checklists, at: datetime) -> None:
    raters = CalibrationRater.objects.bulk_create(
        CalibrationRater(round=found, position=position, name=name, done_at=at)
        for position, name in enumerate(loaded.raters, start=1)
    )
    calls = CalibrationCall.objects.bulk_create(
        CalibrationCall(round=found, position=position, name=one.name, transcript_digest=_NOBODY)
        for position, one in enumerate(loaded.calls, start=1)
    )
    CalibrationRating.objects.bulk_create(
        CalibrationRating(
            rater=rater, call=call, phase=item[:500], value={"mark": mark}, key=uuid4(), at=at
        )
        for call, one in zip(calls, loaded.calls, strict=True)
        for item, marks in one.marks.items()
        for rater, mark in zip(raters, marks, strict=True)
        if mark is not None
    )
