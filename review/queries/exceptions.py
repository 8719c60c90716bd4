"""Exceptions of sites, what they cover, and what there is to be excepted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final
from uuid import UUID

from django.db import connection
from django.db.models import F, Func, QuerySet, TextField

from review.core.compliance.exceptions import Excepted, Stage, stage_of
from review.core.compliance.samples import Selection
from review.models import ComplianceException, ExceptionReason, SignedLine


@dataclass(frozen=True, slots=True)
class ExceptionLine:
    """One exception as a list shows it; `stage` is of the day that was asked about."""

    id: UUID
    site_id: UUID
    site_name: str
    catalog: str
    name: str
    reason: str
    words: str
    first: date
    last: date
    stage: Stage
    asked_by: UUID
    asker: str
    asked_at: datetime
    approver: str
    approved_at: datetime | None
    ender: str
    ended_at: datetime | None


def list_exceptions(sites: frozenset[UUID], today: date, *, limit: int) -> list[ExceptionLine]:
    """Return the exceptions of these sites, the last asked for first."""
    found = ComplianceException.objects.filter(site__in=sites).select_related(
        "site", "asked_by", "approved_by", "ended_by"
    )
    return [_line(one, today) for one in found.order_by("-asked_at", "pk")[:limit]]


def standing_exceptions(sites: frozenset[UUID]) -> tuple[Excepted, ...]:
    """Return what is or was excepted at these sites: approved, and up to the day it was ended."""
    found = ComplianceException.objects.filter(site__in=sites, approved_at__isnull=False)
    return tuple(
        Excepted(
            str(one.site_id),
            one.catalog,
            one.name,
            one.first,
            one.last if one.ended_at is None else min(one.last, one.ended_at.date()),
        )
        for one in found
    )


def names_to_except(sites: frozenset[UUID]) -> list[tuple[str, str]]:
    """Return (catalog, edge or item) of whatever was judged in a signed call of these sites."""
    named = Func(F("judged"), function="unnest", output_field=TextField())
    found = SignedLine.objects.filter(site__in=sites).order_by().annotate(name=named)
    return sorted(found.values_list("catalog_version__catalog__slug", "name").distinct())


_EXCEPTED: Final = """
select mark.name, line.selection, count(*)
from ({lines}) as line
join catalogs_catalogversion v on v.id = line.catalog_version_id
join catalogs_catalog c on c.id = v.catalog_id, unnest(line.failed) as mark(name)
where exists (
  select from review_complianceexception e
   where e.site_id = line.site_id and e.catalog = c.slug and e.approved_at is not null
     and (mark.name = e.name or starts_with(mark.name, e.name || '/'))
     and line.day between e.first
         and least(e.last, (e.ended_at at time zone 'UTC')::date))
group by 1, 2
"""


def count_excepted(lines: QuerySet[SignedLine]) -> dict[tuple[str, Selection], int]:
    """Count the failures of these lines that are excepted, by name and selection."""
    columns = ("site_id", "catalog_version_id", "day", "selection", "failed")
    plain, given = lines.order_by().values(*columns).query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(_EXCEPTED.format(lines=plain), given)
        return {(name, Selection(kind)): number for name, kind, number in cursor.fetchall()}


def _line(one: ComplianceException, today: date) -> ExceptionLine:
    return ExceptionLine(
        id=one.pk,
        site_id=one.site_id,
        site_name=one.site.name,
        catalog=one.catalog,
        name=one.name,
        reason=str(ExceptionReason(one.reason).label),
        words=one.words,
        first=one.first,
        last=one.last,
        stage=stage_of(
            first=one.first,
            last=one.last,
            approved=one.approved_at is not None,
            ended=one.ended_at is not None,
            today=today,
        ),
        asked_by=one.asked_by_id,
        asker=one.asked_by.printed_name,
        asked_at=one.asked_at,
        approver="" if one.approved_by is None else one.approved_by.printed_name,
        approved_at=one.approved_at,
        ender="" if one.ended_by is None else one.ended_by.printed_name,
        ended_at=one.ended_at,
    )


def has_exception(sites: frozenset[UUID], exception_id: UUID) -> bool:
    """Say whether there is such an exception at these sites."""
    return ComplianceException.objects.filter(pk=exception_id, site__in=sites).exists()
