"""Blind readings as stored: whose they are, what was said, and both readings side by side.

`compared_readings` is the data of agreement figures: two answers per row, per call, with what the
catalog was. It returns values and computes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from oipsce_site.composed import Composed
from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.queries import entries_of
from oipsce_site.people.matrix import Act, cells_of
from oipsce_site.people.models import User
from oipsce_site.people.permitted import sites_where
from review.core.cascade.pipeline import scalar_attributes
from review.core.predicates import decide
from review.core.queue import BLIND_CLASSES, OPEN_STATES, QueueClass
from review.core.readings import (
    After,
    Answer,
    Compared,
    Difference,
    EvidenceSpan,
    ReadingKind,
    Shares,
    answer_from_json,
    compare,
    compared_from_json,
    open_differences,
)
from review.core.rows import Row
from review.core.transcript import Call as CallValue
from review.models import (
    Call,
    Decision,
    DecisionKind,
    PhaseRow,
    Reading,
    ReadingState,
    RequiredCode,
    SiteShares,
    State,
)
from review.queries.cascades import cascade_of
from review.queries.folded import Folded, load_folded
from review.queries.masking import shown_title

_REQUIRED = {RequiredCode.YES: True, RequiredCode.NO: False, RequiredCode.UNKNOWN: None}
_LIVE = (ReadingState.WAITING, ReadingState.OPEN)


def shares_at(site_id: UUID) -> Shares:
    """Return the shares that a site has read blind: its own, else the installation's."""
    own = SiteShares.objects.filter(site=site_id).first()
    return (
        Shares(*settings.READING_SHARES)
        if own is None
        else Shares(own.double, own.critical, own.drift)
    )


def live_reading(call_id: UUID) -> Reading | None:
    """Return the reading of a call that waits or is being read; None without one."""
    found = Reading.objects.filter(call=call_id, state__in=_LIVE)
    return found.select_related("reader").first()


def last_done(call_id: UUID) -> Reading | None:
    """Return the latest reading of a call that is done; None without one."""
    done = Reading.objects.filter(call=call_id, state=ReadingState.DONE)
    return done.select_related("reader").order_by("-done_at").first()


def answers_of(reading: Reading) -> dict[str, Answer]:
    """Return the latest answer to each row of a reading, in the order of its phases."""
    said: dict[str, Answer] = {}
    for phase, value in reading.answers.order_by("number").values_list("phase", "value"):
        said[phase] = answer_from_json(value)
    return {phase: said[phase] for phase in reading.phases if phase in said}


def hidden_from(user: User | AnonymousUser) -> Q:
    """Return the condition of a call of which nothing may be shown to `user` yet.

    They read it blind now; or it waits for a blind reader, they may become that, and have decided
    nothing on it. One condition for every page: design 4.3, peers.md 2, complaint 4.
    """
    reads = Reading.objects.filter(call=OuterRef("pk"), state=ReadingState.OPEN, reader=user.pk)
    own = Decision.objects.filter(call=OuterRef("pk"), by=user.pk)
    awaited = Q(queue_class__in=BLIND_CLASSES, state__in=[one.value for one in OPEN_STATES])
    decides = Q(site__in=sites_where(user, Act.DECIDE_ROWS))
    return Q(Exists(reads)) | Q(awaited, decides, ~Exists(own))


@dataclass(frozen=True, slots=True)
class BlindCall:
    """A call as somebody sees it who may read it blind: its name, and nothing that was found."""

    id: UUID
    site_id: UUID
    external_id: str
    title: str
    is_second: bool


@dataclass(frozen=True, slots=True)
class OwnReading:
    """The reading that a person has open on a call, and what they have said of it so far."""

    id: UUID
    phases: tuple[str, ...]
    catalog_digest: str
    held_until: datetime | None
    said: Mapping[str, Answer]


def own_reading(call_id: UUID, person: User) -> OwnReading | None:
    """Return the reading that a person has open on a call; None without one."""
    reading = live_reading(call_id)
    if reading is None or reading.reader_id != person.pk:
        return None
    return OwnReading(
        reading.pk,
        tuple(reading.phases),
        reading.catalog_digest,
        reading.held_until,
        answers_of(reading),
    )


def blind_call_for(user: User | AnonymousUser, call_id: UUID) -> BlindCall | None:
    """Return a call that is hidden from `user` for now; None for any other, and for who decides
    nothing at its site.
    """
    row = None if isinstance(user, AnonymousUser) else _BLIND.first(user.pk, call_id)
    if row is None:
        return None
    return BlindCall(
        id=row["id"],
        site_id=row["site_id"],
        external_id=row["external_id"],
        title=row["shown"],
        is_second=row["queue_class"] != QueueClass.SAMPLE,
    )


def _blind(user_id: UUID, call_id: UUID) -> QuerySet[Call, Any]:
    user = User(pk=user_id)
    mine = sites_where(user, Act.DECIDE_ROWS)
    found = Call.objects.filter(hidden_from(user), pk=call_id, site__in=mine)
    asked: QuerySet[Call, Any] = found.values(
        "id", "site_id", "external_id", "queue_class", shown=shown_title()
    )
    return asked


_BLIND = Composed(_blind, 2, lambda: cells_of(Act.DECIDE_ROWS))


def has_decided(call_id: UUID, person: User) -> bool:
    """Say whether somebody decided or wrote anything on a call."""
    return Decision.objects.filter(call=call_id, by=person).exists()


def has_seen(call_id: UUID, person: User) -> bool:
    """Say whether the log has it that a person opened a call once its rows were filled, otherwise
    than to read it blind.
    """
    is_filled = False
    for entry in entries_of(call_id):
        body: Mapping[str, Any] = read_body(entry.body)
        is_filled = is_filled or body["type"] == "prefill.store"
        is_own = body["type"] == "call.open" and body["actor"]["id"] == str(person.pk)
        if is_filled and is_own and "reading" not in body["facts"]:
            return True
    return False


def readings_to_take(sites: frozenset[UUID], person: User, at: datetime) -> QuerySet[Reading]:
    """Return the readings of these sites that a person who has decided nothing there may take, the
    oldest first. Whether they have seen the call is asked when they take it.
    """
    free = Q(state=ReadingState.WAITING) | Q(state=ReadingState.OPEN, held_until__lte=at)
    own = Decision.objects.filter(call=OuterRef("call"), by=person)
    found = Reading.objects.filter(free, ~Exists(own), call__site__in=sites)
    return found.exclude(kind=ReadingKind.SAMPLE.value).order_by("drawn_at", "id")


def open_readings_of(person: User) -> QuerySet[Reading]:
    """Return the readings that a person has open, the oldest first."""
    found = Reading.objects.filter(reader=person, state=ReadingState.OPEN)
    return found.select_related("call").order_by("opened_at")


def first_answers(call_id: UUID, folded: Folded) -> dict[str, Answer]:
    """Return the rows of a call as people and the pre-fill have them now, as answers."""
    owed = dict(PhaseRow.objects.filter(call=call_id).values_list("phase", "required"))
    return {
        phase: _answer_of(one.row, required=_REQUIRED[RequiredCode(owed[phase])])
        for phase, one in folded.shown.rows.items()
        if phase in owed
    }


def _answer_of(row: Row, *, required: bool | None) -> Answer:
    spans = [EvidenceSpan(*piece[:4]) for piece in row.evidence if piece.event is None]
    return Answer(required, row.start, row.finish, row.verdict, tuple(spans))


def compare_now(
    reading: Reading, call: CallValue, folded: Folded, said: Mapping[str, Answer]
) -> Compared:
    """Compare a blind reading with the rows of its call as they stand, and the critical edges."""
    first = first_answers(reading.call_id, folded)
    rows = {phase: one.row for phase, one in folded.shown.rows.items()}
    blind = {phase: one.as_row(phase, str(reading.reader_id)) for phase, one in said.items()}
    return compare(
        {phase: first[phase] for phase in said if phase in first},
        said,
        _edges(call, folded, rows),
        _edges(call, folded, {**rows, **blind}),
    )


def _edges(
    call: CallValue, folded: Folded, rows: Mapping[str, Row]
) -> dict[tuple[str, str], bool | None]:
    decision = decide(
        cascade_of(folded.run.catalog_digest).plan,
        rows,
        facts=folded.shown.facts,
        attributes=scalar_attributes(call),
        ended=call.ended,
    )
    return {(edge.rule.parent, edge.rule.child): edge.ok for edge in decision.edges}


def differences_of(reading: Reading, folded: Folded) -> tuple[Difference, ...]:
    """Return the rows on which a reading that is done differed, and whether that is settled."""
    compared = compared_from_json(reading.compared or {})
    after = After(
        str(reading.reader_id), reading.decisions or 0, reading.kind == ReadingKind.SAMPLE.value
    )
    now = tuple(first_answers(reading.call_id, folded).items())
    return open_differences(compared, now, folded.decisions, after)


@dataclass(frozen=True, slots=True)
class TwoReadings:
    """The latest blind reading of a call that is done, beside the rows as they stand.

    `first` and `second` are printed names; of a sampled call the pre-fill came first. `settles`
    says that the review that was read still goes on.
    """

    kind: ReadingKind
    compared: Compared
    differences: tuple[Difference, ...]
    first: str
    second: str
    settles: bool
    folded: Folded


def two_readings(call_id: UUID) -> TwoReadings | None:
    """Return both readings of a call; None where none is done."""
    reading = last_done(call_id)
    call = Call.objects.select_related("catalog_version").filter(pk=call_id).first()
    folded = None if call is None else load_folded(call)
    if reading is None or call is None or folded is None:
        return None
    kind = ReadingKind(reading.kind)
    names = first_readers(call_id, reading.decisions or 0)
    return TwoReadings(
        kind=kind,
        compared=compared_from_json(reading.compared or {}),
        differences=differences_of(reading, folded),
        first=" and ".join(names) or "the pre-fill",
        second="" if reading.reader is None else reading.reader.printed_name,
        settles=call.revision == reading.review and call.state != State.SIGNED,
        folded=folded,
    )


def first_readers(call_id: UUID, up_to: int) -> tuple[str, ...]:
    """Return the printed names of who decided on a call up to the decision of this number."""
    by = Decision.objects.filter(call=call_id, number__lte=up_to)
    names = by.exclude(kind=DecisionKind.COMMENT).order_by("number")
    return tuple(dict.fromkeys(names.values_list("by__printed_name", flat=True)))


@dataclass(frozen=True, slots=True)
class ComparedReading:
    """Both readings of one call, as they were when the second was done.

    `reader` is the blind reader's id and `review` the review that was read.
    """

    call_id: UUID
    site_id: UUID
    kind: ReadingKind
    catalog_digest: str
    review: int
    reader: UUID
    done_at: datetime
    compared: Compared


def compared_readings(
    sites: Sequence[UUID],
    *,
    kinds: Sequence[ReadingKind] = tuple(ReadingKind),
    catalog_digest: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> Iterator[ComparedReading]:
    """Yield every blind reading of these sites that is done, the oldest first: the data of
    agreement figures. In a SAMPLE the first reading is the machine's.
    """
    done = Reading.objects.filter(
        state=ReadingState.DONE, call__site__in=sites, kind__in=[kind.value for kind in kinds]
    )
    if catalog_digest is not None:
        done = done.filter(catalog_digest=catalog_digest)
    if since is not None:
        done = done.filter(done_at__gte=since)
    if until is not None:
        done = done.filter(done_at__lt=until)
    for one in done.select_related("call").order_by("done_at", "id").iterator(chunk_size=200):
        if one.reader_id is None or one.done_at is None:
            continue
        yield ComparedReading(
            call_id=one.call_id,
            site_id=one.call.site_id,
            kind=ReadingKind(one.kind),
            catalog_digest=one.catalog_digest,
            review=one.review,
            reader=one.reader_id,
            done_at=one.done_at,
            compared=compared_from_json(one.compared or {}),
        )
