"""What is known before a signature and of signatures: how a review stands, who signed, what ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.queries import entries_of
from oipsce_site.people.models import User
from review.core.decisions import Kind, standing_decisions
from review.core.evaluation import Report
from review.core.lifecycle import CallState
from review.core.signoff.readiness import Review, RowStand
from review.core.signoff.record import SignOff as SignOffValue
from review.core.signoff.record import decode_signoff
from review.models import Call, CallNote, NoteKind, ProofKind, SigningIntent, SigningProof
from review.models import SignOff as StoredSignOff
from review.queries.folded import Folded

#: Later signatures of one session need the passkey alone, until it was idle for so long (11.200).
PERIOD = timedelta(minutes=15)
_REOPENING = (NoteKind.REOPEN_ASKED, NoteKind.REOPENED, NoteKind.REOPEN_DECLINED)


def review_of(stored: Call, folded: Folded, report: Report) -> Review:
    """Return how a review stands: its rows in the catalog's order, and its facts."""
    deciders: dict[str, set[str]] = {}
    for one in standing_decisions(folded.decisions):
        if one.phase is not None and one.kind is not Kind.COMMENT:
            deciders.setdefault(one.phase, set()).add(one.by)
    shown = folded.shown
    return Review(
        state=CallState(stored.state),
        rows={
            row.phase: RowStand(
                row.required, shown.rows[row.phase], frozenset(deciders.get(row.phase, ()))
            )
            for row in report.rows
        },
        facts=shown.facts,
        facts_by=shown.facts_by,
        fact_sources={name: fact.source for name, fact in folded.document.facts.items()},
    )


def has_opened(call_id: UUID, person: User, review: int) -> bool:
    """Say whether the log has it that the person opened this review of the call."""
    for entry in entries_of(call_id):
        body: Mapping[str, Any] = read_body(entry.body)
        is_own = body["type"] == "call.open" and body["actor"]["id"] == str(person.pk)
        if is_own and body["facts"].get("revision") == review:
            return True
    return False


def signs_on(person: User, session: str, at: datetime) -> bool:
    """Say whether the person has signed in this session within the period."""
    used = SigningIntent.objects.filter(by=person, session=session, used_at__gte=at - PERIOD)
    return used.exists()


def failures_in_a_row(person: User) -> list[datetime]:
    """Return when proofs of identity failed since the last one that was right, in any session.

    A password alone is no second component and ends no row of failures.
    """
    right = SigningProof.objects.filter(by=person, right=True).exclude(kind=ProofKind.PASSWORD)
    last = right.order_by("-id").values_list("id", flat=True).first() or 0
    wrong = SigningProof.objects.filter(by=person, right=False, id__gt=last)
    return list(wrong.order_by("id").values_list("at", flat=True))


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature of a call as it was made, and what ended it (`void_at` None: it stands)."""

    number: int
    signed: SignOffValue
    digest: str
    made_at: datetime
    void_why: str
    void_by: str
    void_at: datetime | None


def signatures_of(call_id: UUID) -> tuple[Signature, ...]:
    """Return every signature of a call, live and void, in their order."""
    found = StoredSignOff.objects.filter(call_id=call_id).order_by("number")
    columns = ("number", "record", "digest", "at", "void_why", "void_by__printed_name", "void_at")
    return tuple(
        Signature(
            number=number,
            signed=decode_signoff(bytes(record)),
            digest=digest,
            made_at=at,
            void_why=why,
            void_by=who or "",
            void_at=void_at,
        )
        for number, record, digest, at, why, who, void_at in found.values_list(*columns)
    )


def reopening_asked(notes: Sequence[CallNote]) -> CallNote | None:
    """Return the open wish to have a call reopened, of its notes in their order; None without."""
    about = [note for note in notes if note.kind in _REOPENING]
    return about[-1] if about and about[-1].kind == NoteKind.REOPEN_ASKED else None
