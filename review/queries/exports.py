"""Exports of signed audits: those of a person's sites, what waits, and which calls go in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from django.db.models import Q

from oipsce_site.ledger.core.heads import Head
from oipsce_site.people.models import Site
from review.core.audit.names import Why
from review.core.export.order import UniverseLine
from review.models import AuditExport, AuditFetch, Call, ExportState, SignOff, State


@dataclass(frozen=True, slots=True)
class ExportLine:
    """One export as a list shows it."""

    id: UUID
    site_name: str
    profile: str
    state: str
    recipient: str
    purpose: str
    scope: tuple[date | None, date | None, str, str]
    calls: int
    calls_done: int
    failure: str
    by: str
    requested_at: datetime
    finished_at: datetime | None
    digest: str
    size: int
    universe: dict[str, int]
    asked_by: UUID
    site_id: UUID
    approved_by: str
    approved_at: datetime | None


@dataclass(frozen=True, slots=True)
class FetchLine:
    """One fetching of a file."""

    by: str
    at: datetime


def list_fetches(export_id: UUID, *, limit: int = 200) -> list[FetchLine]:
    """Return who fetched an export's file, the last one first."""
    found = AuditFetch.objects.filter(export=export_id).select_related("by")
    return [FetchLine(one.by.printed_name, one.at) for one in found.order_by("-at", "-pk")[:limit]]


def list_exports(sites: frozenset[UUID], *, limit: int = 100) -> list[ExportLine]:
    """Return the exports of these sites, the last asked for first."""
    found = AuditExport.objects.filter(site__in=sites).select_related(
        "site", "requested_by", "approved_by"
    )
    return [_line(row) for row in found.order_by("-requested_at", "pk")[:limit]]


def get_export_for(sites: frozenset[UUID], export_id: UUID) -> ExportLine | None:
    """Return one export of these sites; None where there is no such one."""
    found = AuditExport.objects.filter(site__in=sites, pk=export_id)
    row = found.select_related("site", "requested_by", "approved_by").first()
    return None if row is None else _line(row)


def list_export_sites(sites: frozenset[UUID]) -> list[Site]:
    """Return these sites by name."""
    return list(Site.objects.filter(pk__in=sites).order_by("name"))


def list_judging_catalogs(sites: frozenset[UUID]) -> list[str]:
    """Return the slugs of the catalogs that have judged a call of these sites."""
    found = Call.objects.filter(site__in=sites, catalog_version__isnull=False)
    named = found.values_list("catalog_version__catalog__slug", flat=True)
    return list(named.distinct().order_by("catalog_version__catalog__slug"))


def export_waits(at: datetime) -> Q:
    """Return the condition of an export that a worker may take."""
    return Q(state=ExportState.QUEUED) | Q(state=ExportState.RUNNING, lease_until__lt=at)


def attempt_of(export_id: UUID) -> int:
    """Return the number of the latest attempt at an export."""
    return AuditExport.objects.values_list("attempts", flat=True).get(pk=export_id)


def count_waiting_exports(at: datetime) -> int:
    """Count the exports that wait."""
    return AuditExport.objects.filter(export_waits(at)).count()


#: What says why a call goes in: never the text of its catalog, a hundred kilobytes for each call.
_OF_UNIVERSE = (
    *("state", "erased_at", "call_date", "call_success", "catalog_version__catalog__slug"),
)


def universe_of(export: AuditExport, heads: Iterable[Head]) -> tuple[UniverseLine, ...]:
    """Say of every call that the checkpoint has for the site whether it goes in, and why (not)."""
    last = {head.chain_id: head.seq for head in heads if head.chain_id != export.site_id}
    calls = {
        call.pk: call
        for call in Call.objects.filter(pk__in=last, site=export.site_id)
        .select_related("catalog_version__catalog")
        .only(*_OF_UNIVERSE)
    }
    signed = dict(SignOff.objects.filter(call__in=last, void_at=None).values_list("call_id", "seq"))
    return tuple(
        UniverseLine(str(one), _why(export, calls.get(one), signed.get(one), last[one]))
        for one in sorted(last, key=str)
    )


def _why(export: AuditExport, call: Call | None, seq: int | None, last: int) -> Why:
    if call is not None and call.erased_at is not None:
        return Why.ERASED
    if call is None or call.state != State.SIGNED or seq is None or seq > last:
        return Why.NOT_SIGNED
    if _is_outside(export, call.call_date):
        return Why.OTHER_DATE
    version = call.catalog_version
    if export.catalog and (version is None or version.catalog.slug != export.catalog):
        return Why.OTHER_CATALOG
    if export.verdict and call.call_success != export.verdict:
        return Why.OTHER_VERDICT
    return Why.INCLUDED


def _is_outside(export: AuditExport, day: date | None) -> bool:
    first, last = export.first_date, export.last_date
    if first is None and last is None:
        return False
    return day is None or (first is not None and day < first) or (last is not None and day > last)


def _line(row: AuditExport) -> ExportLine:
    return ExportLine(
        id=row.pk,
        site_name=row.site.name,
        profile=row.profile,
        state=row.state,
        recipient=row.recipient,
        purpose=row.purpose,
        scope=(row.first_date, row.last_date, row.catalog, row.verdict),
        calls=row.calls,
        calls_done=row.calls_done,
        failure=row.failure,
        by=row.requested_by.printed_name,
        requested_at=row.requested_at,
        finished_at=row.finished_at,
        digest=row.digest,
        size=row.bytes,
        universe=_counts(row.universe),
        asked_by=row.requested_by_id,
        site_id=row.site_id,
        approved_by="" if row.approved_by is None else row.approved_by.printed_name,
        approved_at=row.approved_at,
    )


def _counts(universe: dict[str, str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for why in universe.values():
        counts[why] = counts.get(why, 0) + 1
    return counts
