"""Calls as lists and pages show them: of the reader's sites only, in a fixed number of queries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from catalogs.core.document import Document
from catalogs.core.findings import Finding
from catalogs.queries import document_of
from oipsce_site.people.models import User
from review.core.cascade.triage import FlagCode
from review.core.evaluation import Report, report_from_json
from review.core.lifecycle import SENTENCES, CallState
from review.models import Call, Evaluation, PhaseRow, PrefillRun
from review.queries.findings import read_finding
from review.queries.reach import readable_sites


@dataclass(frozen=True, slots=True)
class CallLine:
    """One call in a list. The verdicts are "pass", "fail", "undetermined" or None before any.

    `flagged` counts the rows that carry any flag, `critical` those at an end of a critical edge.
    """

    id: UUID
    site_name: str
    external_id: str
    title: str
    catalog: str | None
    state: str
    state_sentence: str
    coverage: str | None
    order_safe: str | None
    call_success: str | None
    flagged: int
    critical: int
    turn_count: int
    call_date: date | None
    received_at: datetime


@dataclass(frozen=True, slots=True)
class CallList:
    """One page of a list, and how many calls the whole list has."""

    lines: tuple[CallLine, ...]
    total: int


@dataclass(frozen=True, slots=True)
class RunLine:
    """The latest pre-fill of a call: QUEUED, RUNNING, DONE or FAILED, and why it failed last."""

    state: str
    attempts: int
    queued_at: datetime
    finished_at: datetime | None
    failure: str


@dataclass(frozen=True, slots=True)
class StoredCall:
    """One call as a page shows it, without its words (`actions.opening.open_transcript`).

    `document` is the catalog that judges it, None as long as none is chosen; `report` the latest
    stored evaluation, without quotes.
    """

    line: CallLine
    site_id: UUID
    revision: int
    source: str
    ended: bool | None
    document: Document | None
    report: Report | None
    findings: tuple[Finding, ...]
    run: RunLine | None


def list_calls(
    user: User | AnonymousUser,
    *,
    state: str | None = None,
    verdict: str | None = None,
    limit: int,
    offset: int = 0,
) -> CallList:
    """Return a page of the calls that `user` may see, newest first, in three queries.

    `state` is a `CallState` value and `verdict` what CallSuccess is ("pass", "fail",
    "undetermined"); an unknown one gives an empty list.
    """
    calls = Call.objects.filter(site__in=readable_sites(user))
    if state is not None:
        calls = calls.filter(state=state)
    if verdict is not None:
        latest = _latest_of_row().values("call_success")[:1]
        calls = calls.alias(decided=Subquery(latest)).filter(decided=verdict.upper())
    page = _annotated(calls).order_by("-received_at", "id")[offset : offset + limit]
    return CallList(tuple(_line(row) for row in page.values(*_LINE)), calls.count())


def get_call_for(user: User | AnonymousUser, call_id: UUID) -> StoredCall | None:
    """Return a call of one of the user's sites; None for one that is not there or not theirs."""
    mine = Call.objects.filter(pk=call_id, site__in=readable_sites(user))
    row = _annotated(mine).values(*_LINE, *_PAGE).first()
    if row is None:
        return None
    digest = row["catalog_version__digest"]
    latest = _latest(call_id, row["transcript_digest"], digest)
    report = latest.values_list("report", flat=True).first()
    return StoredCall(
        line=_line(row),
        site_id=row["site_id"],
        revision=row["revision"],
        source=row["source"],
        ended=row["ended"],
        document=None if digest is None else document_of(digest),
        report=None if report is None else report_from_json(json.loads(report)),
        findings=tuple(read_finding(finding) for finding in row["findings"]),
        run=_run(call_id),
    )


_PAGE = (
    *("site_id", "revision", "transcript_digest", "source", "ended"),
    *("findings", "catalog_version__digest"),
)
_LINE = (
    *("id", "site__name", "external_id", "title", "state", "needs_mapping", "turn_count"),
    *("catalog_version__catalog__slug", "catalog_version__version", "call_date", "received_at"),
    *("coverage", "order_safe", "call_success", "flagged", "critical"),
)


def _annotated(calls: QuerySet[Call]) -> QuerySet[Call, Any]:
    latest = _latest_of_row()
    rows = PhaseRow.objects.filter(call=OuterRef("pk"))
    return calls.annotate(
        coverage=Subquery(latest.values("coverage")[:1]),
        order_safe=Subquery(latest.values("order_safe")[:1]),
        call_success=Subquery(latest.values("call_success")[:1]),
        flagged=_count(rows.filter(flags__len__gt=0)),
        critical=_count(rows.filter(flags__contains=[FlagCode.SAFETY_CRITICAL.value])),
    )


def _latest_of_row() -> QuerySet[Evaluation]:
    return _latest(
        OuterRef("pk"), OuterRef("transcript_digest"), OuterRef("catalog_version__digest")
    )


def _latest(call: Any, transcript: Any, catalog: Any) -> QuerySet[Evaluation]:
    """Return the evaluations of what the call is now, the latest first.

    One of an earlier transcript or another catalog says nothing about the turns that are shown.
    """
    found = Evaluation.objects.filter(
        call=call, transcript_digest=transcript, catalog_digest=catalog
    )
    return found.order_by("-made_at", "-id")


def _count(rows: QuerySet[PhaseRow]) -> Coalesce:
    counted = rows.order_by().values("call").annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted), 0)


def _line(row: Mapping[str, Any]) -> CallLine:
    slug, version = row["catalog_version__catalog__slug"], row["catalog_version__version"]
    return CallLine(
        id=row["id"],
        site_name=row["site__name"],
        external_id=row["external_id"],
        title=row["title"],
        catalog=None if slug is None else f"{slug} {version}",
        state=row["state"],
        state_sentence=row["needs_mapping"] or SENTENCES[CallState(row["state"])],
        coverage=_outcome(row["coverage"]),
        order_safe=_outcome(row["order_safe"]),
        call_success=_outcome(row["call_success"]),
        flagged=row["flagged"],
        critical=row["critical"],
        turn_count=row["turn_count"],
        call_date=row["call_date"],
        received_at=row["received_at"],
    )


def _outcome(code: str | None) -> str | None:
    return None if code is None else code.lower()


def _run(call_id: UUID) -> RunLine | None:
    run = PrefillRun.objects.filter(call=call_id).order_by("-queued_at", "-id").first()
    if run is None:
        return None
    return RunLine(run.state, run.attempts, run.queued_at, run.finished_at, run.failure)
