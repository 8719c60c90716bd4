"""What is known before a signature, and of signatures: how a review stands, who signed it."""

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
from review.core.queue import Second
from review.core.signoff.readiness import Review, RowStand
from review.models import Call, CallNote, NoteKind, ProofKind, SigningIntent, SigningProof
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
                row.required,
                shown.rows[row.phase],
                frozenset(deciders.get(row.phase, ())),
                frozenset(flag.code for flag in row.flags),
            )
            for row in report.rows
        },
        facts=shown.facts,
        facts_by=shown.facts_by,
        fact_sources={name: fact.source for name, fact in folded.document.facts.items()},
        second=Second(stored.second_reading),
    )


def has_opened(call_id: UUID, person: User, review: int) -> bool:
    """Say whether the log has it that the person opened this review of the call."""
    for entry in entries_of(call_id):
        body: Mapping[str, Any] = read_body(entry.body)
        is_own = body["type"] == "call.open" and body["actor"]["id"] == str(person.pk)
        # Who read it blind has not seen what they would sign.
        is_own = is_own and "reading" not in body["facts"]
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


def reopening_asked(notes: Sequence[CallNote]) -> CallNote | None:
    """Return the open wish to have a call reopened, of its notes in their order; None without."""
    about = [note for note in notes if note.kind in _REOPENING]
    return about[-1] if about and about[-1].kind == NoteKind.REOPEN_ASKED else None


@dataclass(frozen=True, slots=True)
class Reopening:
    """Whether anybody wrote about reopening a call, who asks for it now (None: nobody), and the
    labels of such notes.
    """

    any: bool
    open: UUID | None
    kinds: frozenset[str] = frozenset(kind.label for kind in _REOPENING)


def notes_on_reopening(call_id: UUID) -> Reopening:
    """Return what was asked and decided about reopening a call."""
    notes = list(CallNote.objects.filter(call=call_id, kind__in=_REOPENING).order_by("number"))
    asked = reopening_asked(notes)
    return Reopening(bool(notes), None if asked is None else asked.by_id)
