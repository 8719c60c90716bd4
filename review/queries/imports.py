"""Import batches as lists and pages show them, in few queries.

`sites` are those where the reader may import (`permissions.import_sites`). None is an
administrator's view: of every site that a batch is there and how far it is, without names of files
and without what is said of calls (design 4.7).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet

from oipsce_site.people.models import Site
from review.core.masking import masker_of_plain
from review.models import ImportBatch, ImportLine, LineWord

Sites: TypeAlias = Collection[UUID] | None


@dataclass(frozen=True, slots=True)
class BatchLine:
    """One batch: how far it is, and how many of its lines say what.

    `name` and `failure` are empty for an administrator. `words` has a count for each word.
    """

    id: UUID
    site_name: str
    name: str
    state: str
    cursor: int
    expected: int
    parts: int
    parts_done: int
    failure: str
    received_at: datetime
    finished_at: datetime | None
    received_by: str | None
    words: dict[str, int]


@dataclass(frozen=True, slots=True)
class BatchList:
    """One page of a list, and how many batches the whole list has."""

    lines: tuple[BatchLine, ...]
    total: int


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """What became of one call of a batch: created, unchanged, changed or refused."""

    position: int
    word: str
    place: str
    sentence: str
    call_id: UUID | None


def list_sites(sites: Sites) -> list[Site]:
    """Return those of the sites that take calls, by slug; none for an administrator's view."""
    open_ones = Site.objects.filter(pk__in=sites or (), retired_at__isnull=True)
    return list(open_ones.order_by("slug"))


def list_batches(sites: Sites, *, limit: int, offset: int = 0) -> BatchList:
    """Return a page of the batches the person may see, the newest first."""
    batches = _visible(sites)
    rows = _counted(batches).order_by("-received_at", "id")[offset : offset + limit]
    return BatchList(tuple(_line(row, whole=sites is not None) for row in rows), batches.count())


def get_batch_for(sites: Sites, batch_id: UUID) -> BatchLine | None:
    """Return a batch; None for one that is not there or not theirs."""
    batches = _visible(sites)
    row = _counted(batches.filter(pk=batch_id)).first()
    return None if row is None else _line(row, whole=sites is not None)


def list_outcomes(
    sites: Sites, batch_id: UUID, *, word: str | None, after: int, limit: int
) -> list[CallOutcome]:
    """Return outcomes of a batch behind position `after`, in order; none for an administrator."""
    mine = ImportLine.objects.filter(batch=batch_id, batch__site__in=sites or ())
    if word is not None:
        mine = mine.filter(word=word.upper())
    rows = mine.filter(position__gt=after).annotate(masks=F("batch__site__masks_identifiers"))
    return [
        CallOutcome(
            row.position,
            row.word.lower(),
            row.place,
            _without_names(row.sentence) if row.masks else row.sentence,
            row.call_id,
        )
        for row in rows.order_by("position")[:limit]
    ]


def _without_names(sentence: str) -> str:
    """Return a sentence as it is shown where identifiers are masked: it quotes speakers' labels."""
    return masker_of_plain({}, _QUOTED.findall(sentence)).text(sentence)


_QUOTED = re.compile("['“]([^'“”]{1,200})['”]")


def _visible(sites: Sites) -> QuerySet[ImportBatch]:
    batches = ImportBatch.objects.all()
    return batches if sites is None else batches.filter(site__in=sites)


def _counted(batches: QuerySet[ImportBatch]) -> QuerySet[ImportBatch]:
    counts: dict[str, Any] = {
        f"count_{word.lower()}": Count("lines", filter=Q(lines__word=word))
        for word in LineWord.values
    }
    return batches.select_related("site", "received_by").defer("wrapped_key").annotate(**counts)


def _line(row: ImportBatch, *, whole: bool) -> BatchLine:
    return BatchLine(
        id=row.pk,
        site_name=row.site.name,
        name=row.name if whole else "",
        state=row.state,
        cursor=row.cursor,
        expected=row.expected,
        parts=row.parts,
        parts_done=row.parts_done,
        failure=row.failure if whole else "",
        received_at=row.received_at,
        finished_at=row.finished_at,
        received_by=row.received_by.printed_name if row.received_by else None,
        words={word.lower(): getattr(row, f"count_{word.lower()}") for word in LineWord.values},
    )
