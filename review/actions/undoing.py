"""The last decision of a person taken back, or their last undo: a key each, whatever the row."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from oipsce_site.people.models import User
from review.actions.decisions import Taken, UnableToDecide, decide
from review.core.decisions import Ask, Decision, Kind, UndoValue, redoable, undoable
from review.models import Call
from review.models import Decision as StoredDecision
from review.queries.folded import load_folded


def undo_last(*, call_id: UUID, key: UUID, by: User, at: datetime) -> Taken:
    """Take back what this person decided last on a call. Raises what `decide` raises.

    Twenty can be taken back one after the other, and a resent `key` takes nothing further back.
    """
    return _take_back(call_id, key, by, at, redo=False)


def redo_last(*, call_id: UUID, key: UUID, by: User, at: datetime) -> Taken:
    """Take this person's last undo back, as `undo_last` does with a decision."""
    return _take_back(call_id, key, by, at, redo=True)


def _take_back(call_id: UUID, key: UUID, by: User, at: datetime, *, redo: bool) -> Taken:
    call = Call.objects.select_related("catalog_version").filter(pk=call_id).first()
    folded = None if call is None else load_folded(call)
    if folded is None:
        raise UnableToDecide("There is nothing to take back. Load the page again.")
    known = StoredDecision.objects.filter(call_id=call_id, key=key, kind=Kind.UNDO.value).first()
    if known is not None:
        found = next(one for one in folded.decisions if one.number == known.value["of"])
    else:
        found = _last(folded.decisions, str(by.pk), redo=redo)
    return decide(
        call_id=call_id,
        decision=Ask(Kind.UNDO, found.phase, found.fact, value=UndoValue(found.number)),
        expected_revision=folded.revision(found.phase, found.fact),
        key=key,
        by=by,
        at=at,
    )


def _last(decisions: tuple[Decision, ...], person: str, *, redo: bool) -> Decision:
    found = redoable(decisions, person) if redo else undoable(decisions, person)
    if not found:
        what = "No undo of yours" if redo else "No decision of yours"
        raise UnableToDecide(f"{what} on this call is left to take back.")
    return found[0]
