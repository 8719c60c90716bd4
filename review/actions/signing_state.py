"""What a signature would be over: a review with its content, rows and obstacles.

`lock_to_sign` and `read_review` are parts of the actions that sign; `read_to_sign` is what their
page shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from oipsce_site.people.models import User
from review.actions.refused_signing import UnableToSign
from review.actions.signed_content import signing_content
from review.core.evaluation import Report
from review.core.signoff.content import Input, SignedContent
from review.core.signoff.readiness import (
    Obstacle,
    OtherHold,
    Review,
    Signatory,
    find_batch_obstacles,
    find_obstacles,
)
from review.models import Call, Evaluation
from review.permissions import deciding_at
from review.queries.batch_signing import find_ready_calls
from review.queries.folded import Folded, load_folded
from review.queries.reports import read_report
from review.queries.signing import has_opened, review_of


@dataclass(frozen=True, slots=True)
class LockedReview:
    """One review of a call as it stands; `inputs` have new nonces each time it is made."""

    stored: Call
    content: SignedContent
    inputs: tuple[Input, ...]
    evaluation: Evaluation
    folded: Folded
    report: Report
    review: Review

    def obstacles(
        self, person: User, *, senior: bool, at: datetime, together: bool = False
    ) -> tuple[Obstacle, ...]:
        """Return what is in the way of this person's signature at a time, alone or of several."""
        opened = has_opened(self.stored.pk, person, self.stored.revision)
        hold = other_hold(self.stored, person, at)
        found = find_obstacles(self.review, Signatory(str(person.pk), senior, opened, hold))
        return (*found, *find_batch_obstacles(self.review)) if together else found


def other_hold(stored: Call, person: User, at: datetime) -> OtherHold | None:
    """Return the live hold of the call by anybody else; None where nobody else is at it."""
    holder, until = stored.held_by, stored.held_until
    if holder is None or until is None or until <= at or holder.pk == person.pk:
        return None
    return OtherHold(holder.printed_name, until)


def lock_to_sign(call_id: UUID) -> Call:
    """Return a call under its lock. Raises UnableToSign for one that is not there or was erased."""
    stored = (
        Call.objects.select_for_update(of=("self",))
        .select_related("catalog_version", "site")
        .filter(pk=call_id)
        .first()
    )
    if stored is None:
        raise UnableToSign("There is no such call.")
    if stored.erased_at is not None:
        raise UnableToSign("The call was erased.")
    return stored


def read_to_sign(call_id: UUID) -> LockedReview | None:
    """Return a review as the signing page shows it, without a lock; None for one without rows."""
    stored = Call.objects.select_related("catalog_version", "site").get(pk=call_id)
    try:
        return read_review(stored)
    except UnableToSign:
        return None


def read_ready(person: User, *, senior: bool, at: datetime, most: int) -> list[LockedReview]:
    """Return reviews that this person could sign together now, the oldest first, without a lock."""
    found: list[LockedReview] = []
    for call_id in find_ready_calls(person, deciding_at(person).sites, at):
        review = read_to_sign(call_id) if len(found) < most else None
        if review and not review.obstacles(person, senior=senior, at=at, together=True):
            found.append(review)
    return found


def what_changed(folded: Folded, seen: int) -> tuple[str, ...]:
    """Return a sentence for each decision after the one of the number `seen`, in their order."""
    return tuple(
        f"Decision {one.decision.number}: {one.who}, "
        f"{one.decision.kind.value.lower().replace('_', ' ')} on "
        f"{one.decision.phase or one.decision.fact}, {one.at:%Y-%m-%d %H:%M:%S} UTC."
        for one in folded.made
        if one.decision.number > seen
    )


def read_review(stored: Call) -> LockedReview:
    """Return the review of a call, which is locked where it is to be signed.

    Raises UnableToSign for one without rows.
    """
    folded = load_folded(stored)
    if folded is None or stored.catalog_version is None:
        raise UnableToSign("The call has no rows yet, so there is nothing to sign.")
    content, inputs, evaluation = signing_content(stored, folded)
    report = read_report(evaluation.report)
    review = review_of(stored, folded, report)
    return LockedReview(stored, content, inputs, evaluation, folded, report, review)
