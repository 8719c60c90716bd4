"""One call as its page shows it: of the reader's sites only, in a fixed number of queries."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, QuerySet

from catalogs.core.document import Document
from catalogs.core.findings import Finding
from catalogs.queries import document_of
from oipsce_site.people.models import User
from review.core.evaluation import Report, report_from_json
from review.models import Call, Evaluation, PrefillRun, State
from review.queries.call_lines import LINE_COLUMNS, CallLine, line_from
from review.queries.findings import read_finding
from review.queries.reach import readable


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
    stored evaluation, without quotes; `run` the latest pre-fill of a call that waits for it.
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


def get_call_for(user: User | AnonymousUser, call_id: UUID) -> StoredCall | None:
    """Return a call of one of the user's sites; None for one that is not there or not theirs."""
    mine = Call.objects.filter(pk=call_id, site__in=readable(user).values("site"))
    row = mine.values(*LINE_COLUMNS, *_PAGE).first()
    if row is None:
        return None
    digest = row["catalog_version__digest"]
    latest = _latest(call_id, row["transcript_digest"], digest)
    report = latest.values_list("report", flat=True).first()
    return StoredCall(
        line=line_from(row),
        site_id=row["site_id"],
        revision=row["revision"],
        source=row["source"],
        ended=row["ended"],
        document=None if digest is None else document_of(digest),
        report=None if report is None else report_from_json(json.loads(report)),
        findings=tuple(read_finding(finding) for finding in row["findings"]),
        run=None if row["state"] in _PAST_PREFILL else _run(call_id),
    )


#: Here the pre-fill is done, and its record says nothing that the rows do not.
_PAST_PREFILL = frozenset(
    state.value
    for state in State
    if state not in (State.RECEIVED, State.NEEDS_MAPPING, State.PREFILLING)
)
_PAGE = (
    *("site_id", "revision", "transcript_digest", "source", "ended"),
    *("findings", "catalog_version__digest"),
)


def _latest(call: UUID, transcript: str, catalog: str | None) -> QuerySet[Evaluation]:
    """Return the evaluations of what the call is now, the latest first.

    One of an earlier transcript or another catalog says nothing about the turns that are shown.
    """
    found = Evaluation.objects.filter(
        call=call, transcript_digest=transcript, catalog_digest=catalog or ""
    )
    return found.order_by(F("decision_id").desc(nulls_last=True), "-made_at", "-id")


def _run(call_id: UUID) -> RunLine | None:
    run = PrefillRun.objects.filter(call=call_id).order_by("-queued_at", "-id").first()
    if run is None:
        return None
    return RunLine(run.state, run.attempts, run.queued_at, run.finished_at, run.failure)
