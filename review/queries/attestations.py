"""The universe of a site and period as it is now, and what was attested of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Count, DateField, F, Q, QuerySet, Window
from django.db.models.functions import Cast, Coalesce, RowNumber

from oipsce_site.people.models import Site
from review.core.compliance.attestation import Universe
from review.core.queue import AGE_LIMITS, OPEN_STATES, is_sampled
from review.models import Attestation, Call, ComplianceException, SignedLine, State
from review.queries.exceptions import count_excepted

_OPEN = tuple(one.value for one in OPEN_STATES)
_FAILED = Q(call_success="FAIL")
_COVERAGE, _ORDER = Q(coverage="FAIL"), Q(order_safe="FAIL")


@dataclass(frozen=True, slots=True)
class AttestationLine:
    """One attestation as a list shows it; `superseded` by a later one of the same days."""

    id: UUID
    site_name: str
    first: date
    last: date
    number: int
    record: dict[str, Any]
    digest: str
    by: str
    at: datetime
    superseded: bool


def count_universe(site: Site, first: date, last: date, *, at: datetime, key: bytes) -> Universe:
    """Count the calls of a site by the day of the call (of the import, where it says none).

    `key` is that of the draw.
    """
    day = Coalesce("call_date", Cast("received_at", DateField()))
    calls = Call.objects.filter(site=site).annotate(day=day).filter(day__range=(first, last))
    standing = SignedLine.objects.filter(site=site, day__range=(first, last), stands=True)
    counts = {**_count_calls(calls, at), **_count_signed(standing)}
    counts["drawn_open"] = sum(
        is_sampled(pk, key)
        for pk in calls.filter(_is_open() & ~_stands()).values_list("pk", flat=True).iterator()
    )
    ended = SignedLine.objects.filter(site=site, day__range=(first, last), stands=False)
    counts["signatures_ended"] = ended.count()
    counts["excepted"] = sum(count_excepted(standing).values())
    counts["exceptions"] = ComplianceException.objects.filter(
        site=site, approved_at__isnull=False, first__lte=last, last__gte=first
    ).count()
    return Universe(str(site.pk), first, last, counts, _versions(standing))


def list_attestations(sites: frozenset[UUID], *, limit: int | None) -> list[AttestationLine]:
    """Return the attestations of these sites, the latest first."""
    newest = Window(
        RowNumber(), partition_by=[F("site"), F("first"), F("last")], order_by=F("number").desc()
    )
    found = Attestation.objects.filter(site__in=sites).select_related("site", "by")
    rows: Any = found.annotate(rank=newest).order_by("-at", "pk")[:limit]
    return [_line(one) for one in rows]


def get_attestation(sites: frozenset[UUID], attestation_id: UUID) -> bytes | None:
    """Return the record of an attestation of these sites; None where there is none."""
    found = Attestation.objects.filter(pk=attestation_id, site__in=sites)
    record = found.values_list("record", flat=True).first()
    return None if record is None else bytes(record)


def _line(one: Any) -> AttestationLine:
    return AttestationLine(
        id=one.pk,
        site_name=one.site.name,
        first=one.first,
        last=one.last,
        number=one.number,
        record=json.loads(bytes(one.record)),
        digest=one.digest,
        by=one.by.printed_name,
        at=one.at,
        superseded=one.rank > 1,
    )


def _stands() -> Q:
    return Q(signed_lines__stands=True)


def _is_open() -> Q:
    return Q(state__in=_OPEN)


def _count_calls(calls: QuerySet[Call], at: datetime) -> dict[str, int]:
    late = (Q(queue_class=kind, received_at__lt=at - most) for kind, most in AGE_LIMITS.items())
    # A call that is reopened and whose signature stands is counted as that alone.
    waits = _is_open() & ~Q(pk__in=SignedLine.objects.filter(stands=True).values("call"))
    unmapped = (State.RECEIVED, State.NEEDS_MAPPING, State.PREFILLING)
    found: dict[str, int] = calls.aggregate(
        calls=Count("pk"),
        withdrawn=Count("pk", filter=Q(state=State.WITHDRAWN)),
        in_scope=Count("pk", filter=~Q(state=State.WITHDRAWN)),
        unmapped=Count("pk", filter=Q(state__in=unmapped)),
        in_review=Count("pk", filter=waits),
        overdue=Count("pk", filter=_is_open() & reduce(or_, late)),
    )
    return found


def _count_signed(standing: QuerySet[SignedLine]) -> dict[str, int]:
    found: dict[str, int] = standing.aggregate(
        signed=Count("pk", filter=Q(call__state=State.SIGNED)),
        reopened=Count("pk", filter=~Q(call__state=State.SIGNED)),
        signed_random=Count("pk", filter=Q(selection="RANDOM")),
        signed_risk=Count("pk", filter=Q(selection="RISK")),
        signed_other=Count("pk", filter=Q(selection="OTHER")),
        passed=Count("pk", filter=Q(call_success="PASS")),
        failed_coverage=Count("pk", filter=_FAILED & _COVERAGE & ~_ORDER),
        failed_order=Count("pk", filter=_FAILED & _ORDER & ~_COVERAGE),
        failed_both=Count("pk", filter=_FAILED & _COVERAGE & _ORDER),
        undetermined=Count("pk", filter=Q(call_success="UNDETERMINED")),
        failed_random=Count("pk", filter=_FAILED & Q(selection="RANDOM")),
        failed_risk=Count("pk", filter=_FAILED & Q(selection="RISK")),
    )
    return found


def _versions(standing: QuerySet[SignedLine]) -> dict[str, int]:
    columns = ("catalog_version__catalog__slug", "catalog_version__version")
    rows = standing.order_by().values_list(*columns).annotate(number=Count("*"))
    return {f"{slug} {version}": number for slug, version, number in rows}
