"""One call as its page shows it: of the reader's sites only, in a fixed number of queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import JSONObject

from catalogs.core.document import Document
from catalogs.core.findings import Finding
from catalogs.models import CatalogVersion, VersionState, VersionTrial
from catalogs.queries import document_of
from oipsce_site.composed import Composed
from oipsce_site.people.matrix import Act, cells_of
from oipsce_site.people.models import User
from review.core.cascade.candidates import Candidates
from review.core.evaluation import Report
from review.core.queue import Second
from review.models import (
    Call,
    CandidateTurns,
    Evaluation,
    LegalHold,
    PhaseRow,
    PrefillRun,
    RunState,
    State,
    Suggestion,
)
from review.queries.adjudication import SuggestionLine, suggestion_from
from review.queries.call_lines import LINE_COLUMNS, CallLine, line_from
from review.queries.candidates import candidates_from
from review.queries.findings import read_finding
from review.queries.holds import HOLD_COLUMNS, NO_HOLD, Hold, hold_from
from review.queries.reach import readable
from review.queries.readings import hidden_from
from review.queries.reports import read_report
from review.queries.signatures import SIGNATURES, Signature, read_signature


@dataclass(frozen=True, slots=True)
class RunLine:
    """The latest pre-fill of a call: QUEUED, RUNNING, DONE or FAILED, and why it failed last."""

    state: str
    attempts: int
    queued_at: datetime
    finished_at: datetime | None
    failure: str


@dataclass(frozen=True, slots=True)
class RowMark:
    """How a row stands (a word of `review.core.decisions.Standing`), by whom, in which revision."""

    revision: int
    standing: str
    who: str
    needs_second: bool


@dataclass(frozen=True, slots=True)
class NewerVersion:
    """A version of a call's catalog that was published since the call came: its name, the day from
    which it judges calls, and when it was published.
    """

    version: str
    judges_from: date
    published_at: datetime


@dataclass(frozen=True, slots=True)
class StoredCall:
    """One call as a page shows it, without its words (`actions.opening.open_for_review`).

    `document` is the catalog that judges it, None as long as none is chosen; `report` the latest
    stored evaluation, without quotes; `run` the latest pre-fill of a call that waits for it.
    `marks` say by phase how rows stand, and `done_runs` counts the finished pre-fills. `hold` says
    who is at the call, and `signatures` are all that it has, live and void. `second` says how it
    stands with its blind reading, and `under_hold` whether a legal hold keeps it. `newer` is the
    version of the catalog that was published last since the call came, `suggested` what came of
    asking models, by phase, and `candidates` the turns nearest to the wording of open items.
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
    marks: Mapping[str, RowMark]
    done_runs: int
    signatures: tuple[Signature, ...] = ()
    hold: Hold = NO_HOLD
    second: Second = Second.NONE
    under_hold: bool = False
    newer: NewerVersion | None = None
    suggested: Mapping[str, SuggestionLine] = field(default_factory=dict)
    candidates: tuple[Candidates, ...] = ()


def get_call_for(user: User | AnonymousUser, call_id: UUID) -> StoredCall | None:
    """Return a call of one of the user's sites; None for one that is not there or not theirs.

    One that they read blind, or may be asked to, is not there either until that is done.
    """
    row = None if isinstance(user, AnonymousUser) else _OF_READER.first(user.pk, call_id)
    if row is None:
        return None
    digest = row["catalog_version__digest"]
    report = row["latest_report"]
    return StoredCall(
        line=line_from(row),
        site_id=row["site_id"],
        revision=row["revision"],
        source=row["source"],
        ended=row["ended"],
        document=None if digest is None else document_of(digest),
        report=None if report is None else read_report(report),
        findings=tuple(read_finding(finding) for finding in row["findings"]),
        run=None if row["state"] in _PAST_PREFILL else _run(call_id),
        marks={
            one["phase"]: RowMark(
                one["revision"], one["standing"], one["who"] or "", one["needs_second"]
            )
            for one in row["row_marks"]
        },
        done_runs=len(row["done_runs"]),
        signatures=tuple(read_signature(one) for one in row["signatures"]),
        hold=hold_from(row),
        second=Second(row["second_reading"]),
        under_hold=row["under_hold"],
        suggested={one["phase"]: suggestion_from(one) for one in row["suggested"]},
        candidates=candidates_from(row["candidates"] or ()),
        newer=_newer(row["newer"]),
    )


def _newer(plain: Mapping[str, Any] | None) -> NewerVersion | None:
    if plain is None:
        return None
    return NewerVersion(
        plain["version"],
        date.fromisoformat(plain["judges_from"]),
        datetime.fromisoformat(plain["published_at"]),
    )


#: Here the pre-fill is done, and its record says nothing that the rows do not.
_PAST_PREFILL = frozenset(
    state.value
    for state in State
    if state not in (State.RECEIVED, State.NEEDS_MAPPING, State.PREFILLING)
)
_PAGE = (
    *("site_id", "revision", "transcript_digest", "source", "ended"),
    *("findings", "catalog_version__digest", "second_reading"),
    *HOLD_COLUMNS,
)


def _latest() -> QuerySet[Evaluation]:
    """Return the evaluations of what a call is now, the latest first.

    One of an earlier transcript or another catalog says nothing about the turns that are shown.
    """
    found = Evaluation.objects.filter(
        call=OuterRef("pk"),
        transcript_digest=OuterRef("transcript_digest"),
        catalog_digest=OuterRef("catalog_version__digest"),
    )
    return found.order_by(F("decision_id").desc(nulls_last=True), "-made_at", "-id")


_PROMOTED = ExpressionWrapper(
    Q(promotion__isnull=False, promotion__ended_at__isnull=True), BooleanField()
)
# Beside the call in its own query: a page has fifteen.
_BESIDE: dict[str, Any] = {
    "latest_report": Subquery(_latest().values("report")[:1]),
    "row_marks": ArraySubquery(
        PhaseRow.objects.filter(call=OuterRef("pk"))
        .order_by("position")
        .values(
            mark=JSONObject(
                phase="phase",
                revision="revision",
                standing="standing",
                who="decided_by__printed_name",
                needs_second="needs_second",
            )
        )
    ),
    "done_runs": ArraySubquery(
        PrefillRun.objects.filter(call=OuterRef("pk"), state=RunState.DONE).values("pk")
    ),
    "suggested": ArraySubquery(
        Suggestion.objects.filter(
            call=OuterRef("pk"),
            run__transcript_digest=OuterRef("transcript_digest"),
            run__catalog_digest=OuterRef("catalog_version__digest"),
        )
        .order_by("run__queued_at", "pk")
        .values(
            line=JSONObject(
                phase="phase",
                reason="reason",
                asked="asked",
                places="places",
                promoted=_PROMOTED,
            )
        )
    ),
    "candidates": Subquery(
        CandidateTurns.objects.filter(
            call=OuterRef("pk"),
            transcript_digest=OuterRef("transcript_digest"),
            catalog_digest=OuterRef("catalog_version__digest"),
        )
        .order_by("-at")
        .values("places")[:1]
    ),
    "under_hold": Exists(LegalHold.objects.filter(call=OuterRef("pk"), lifted_at=None)),
    "newer": Subquery(
        CatalogVersion.objects.filter(
            ~Exists(VersionTrial.objects.filter(version=OuterRef("pk"), ended_at=None)),
            catalog=OuterRef("catalog_version__catalog"),
            state=VersionState.PUBLISHED,
            published_at__gt=OuterRef("received_at"),
        )
        .exclude(pk=OuterRef("catalog_version"))
        .order_by("-published_at")
        .values(
            newer=JSONObject(
                version="version", judges_from="effective_from", published_at="published_at"
            )
        )[:1]
    ),
    "signatures": ArraySubquery(SIGNATURES.filter(call=OuterRef("pk"))),
}


def _of_reader(user_id: UUID, call_id: UUID) -> QuerySet[Call, Any]:
    user = User(pk=user_id)
    mine = Call.objects.filter(
        ~hidden_from(user), pk=call_id, erased_at=None, site__in=readable(user)
    )
    asked: QuerySet[Call, Any] = mine.values(*LINE_COLUMNS, *_PAGE, **_BESIDE)
    return asked


_OF_READER = Composed(_of_reader, 2, lambda: cells_of(Act.READ_CALLS, Act.DECIDE_ROWS))


def _run(call_id: UUID) -> RunLine | None:
    run = PrefillRun.objects.filter(call=call_id).order_by("-queued_at", "-id").first()
    if run is None:
        return None
    return RunLine(run.state, run.attempts, run.queued_at, run.finished_at, run.failure)
