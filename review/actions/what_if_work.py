"""The work of a what-if: portions of calls, claimed under leases by any number of workers.

What comes out of a portion is stored in one transaction behind its fence; the last one ends the
what-if. A worker that is killed loses the portion in its hands, which another one takes up when the
lease ends (docs/adr/0013). Claims are no entries of the decision log; the result is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.db import transaction

from catalogs.actions.what_ifs import Found, keep_what_if
from catalogs.queries import document_of
from oipsce_site.ledger.actors import worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.rows import insert_rows
from review.actions.reading_again import columns_of_compared, read_calls_again
from review.actions.what_ifs import chain_of, record_what_if
from review.core.predicates import plan_of
from review.core.whatif import (
    NO_COUNTS,
    Compared,
    compare_decided,
    count,
    counts_from_json,
    counts_to_json,
    reads_facts,
)
from review.models import (
    OPEN_WHAT_IFS,
    WhatIf,
    WhatIfKind,
    WhatIfLine,
    WhatIfPortion,
    WhatIfState,
)
from review.queries.cascades import cascade_of_text
from review.queries.what_if_calls import (
    StandingCall,
    pasts_of,
    standing_calls,
)
from review.queries.what_ifs import portion_waits

# Longer than any portion takes.
LEASE = timedelta(seconds=90)
MOST_ATTEMPTS = 3


class LostPortion(Exception):
    """Another worker has the portion by now; nothing was stored."""


@dataclass(frozen=True, slots=True)
class ClaimedPortion:
    """A portion in a worker's hands: which attempt, what is asked, the text, and the calls."""

    portion_id: int
    what_if_id: UUID
    attempt: int
    kind: str
    source: bytes
    calls: Sequence[UUID]


def claim_portion(*, at: datetime) -> ClaimedPortion | None:
    """Take the oldest portion that waits or whose worker was lost; None where none waits."""
    with transaction.atomic():
        portion = (
            WhatIfPortion.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("what_if")
            .filter(portion_waits(at), attempts__lt=MOST_ATTEMPTS)
            .order_by("id")
            .first()
        )
        if portion is None:
            return None
        stored = portion.what_if
        portion.attempts += 1
        portion.lease_until = at + LEASE
        portion.save(update_fields=["attempts", "lease_until"])
        waiting = WhatIf.objects.filter(pk=stored.pk, state=WhatIfState.WAITING)
        waiting.update(state=WhatIfState.RUNNING)
        return ClaimedPortion(
            portion.pk,
            stored.pk,
            portion.attempts,
            stored.kind,
            bytes(stored.source),
            portion.calls,
        )


def give_up_what_ifs(*, by: str, at: datetime) -> None:
    """Give up the what-ifs with a portion whose last attempt was lost with its worker."""
    lost = WhatIfPortion.objects.filter(portion_waits(at), attempts__gte=MOST_ATTEMPTS)
    for what_if_id in lost.order_by().values_list("what_if", flat=True).distinct():
        with transaction.atomic():
            _give_up(what_if_id, "lost with its worker", by, at)


def compare_portion(claimed: ClaimedPortion) -> list[Compared]:
    """Compare the calls of a portion as they stand with what the text makes of them.

    Calls that cannot be read any more are left out. Nothing is stored.
    """
    calls = standing_calls(claimed.calls)
    if claimed.kind == WhatIfKind.DECIDE:
        return _decide_again(claimed, calls)
    return list(read_calls_again(cascade_of_text(claimed.source), calls))


def store_compared(
    *, claimed: ClaimedPortion, compared: Sequence[Compared], by: str, at: datetime
) -> bool:
    """Store what came out of a portion, and say whether there is anything left to do.

    The last portion ends the what-if. One that was called off keeps nothing. Raises LostPortion.
    """
    with transaction.atomic():
        stored = WhatIf.objects.select_for_update(of=("self",)).get(pk=claimed.what_if_id)
        if stored.state not in OPEN_WHAT_IFS:
            return False
        portion = _fenced(claimed)
        insert_rows(
            WhatIfLine._meta.db_table,
            [_line(stored, one) for one in compared if one.says_something],
        )
        counts = count(compared, unread=len(claimed.calls) - len(compared))
        portion.counts, portion.lease_until = counts_to_json(counts), None
        portion.save(update_fields=["counts", "lease_until"])
        stored.done += len(claimed.calls)
        if stored.portions.filter(counts__isnull=True).exists():
            stored.save(update_fields=["done"])
            return True
        _finish(stored, by, at)
    return False


def fail_portion(*, claimed: ClaimedPortion, failure: str, by: str, at: datetime) -> None:
    """Note that an attempt at a portion failed; after the last one the what-if is given up.

    `failure` is a class of error, never words of a call.
    """
    with transaction.atomic():
        if claimed.attempt >= MOST_ATTEMPTS:
            _give_up(claimed.what_if_id, failure, by, at)
            return
        mine = WhatIfPortion.objects.filter(pk=claimed.portion_id, attempts=claimed.attempt)
        mine.filter(counts__isnull=True).update(lease_until=None)


def _decide_again(claimed: ClaimedPortion, calls: Sequence[StandingCall]) -> list[Compared]:
    new = cascade_of_text(claimed.source).plan
    digests = {one.catalog_digest for one in calls}
    olds = {digest: plan_of(document_of(digest)) for digest in digests}
    asks = any(map(reads_facts, (new, *olds.values())))
    pasts = pasts_of(calls, with_facts=asks)
    return [
        one for digest, group in pasts.items() for one in compare_decided(olds[digest], new, group)
    ]


def _fenced(claimed: ClaimedPortion) -> WhatIfPortion:
    portion = (
        WhatIfPortion.objects.select_for_update()
        .filter(pk=claimed.portion_id, attempts=claimed.attempt, counts__isnull=True)
        .first()
    )
    if portion is None:
        raise LostPortion("another worker has the portion by now")
    return portion


def _line(stored: WhatIf, one: Compared) -> dict[str, object]:
    return {
        "what_if_id": stored.pk,
        "call_id": one.id,
        "signed": one.signed,
        **columns_of_compared(one),
    }


def _finish(stored: WhatIf, by: str, at: datetime) -> None:
    counts = NO_COUNTS
    for portion in stored.portions.order_by("position").only("counts", "what_if"):
        counts += counts_from_json(portion.counts or {})
    found = Found(
        digest=stored.document_digest,
        what_if_id=stored.pk,
        site_id=stored.site_id,
        kind=stored.kind,
        catalog=stored.catalog,
        days=(stored.first_date, stored.last_date),
        engine=stored.engine,
        asked_by=stored.asked_by_id,
        figures=counts_to_json(counts),
    )
    stored.state, stored.ended_at = WhatIfState.DONE, at
    stored.result, stored.result_digest = dict(found.figures), found.figures_digest
    stored.save(update_fields=["state", "done", "ended_at", "result", "result_digest"])
    report_id = keep_what_if(report_id=uuid4(), found=found, at=at)
    facts: dict[str, Value] = {
        "report_id": str(report_id),
        "digest": stored.document_digest,
        "figures": found.figures_digest,
        "calls": stored.calls,
    }
    record_what_if(stored, chain_of(stored), "whatif.store", worker(by), at, facts)


def _give_up(what_if_id: UUID, failure: str, by: str, at: datetime) -> None:
    stored = WhatIf.objects.select_for_update(of=("self",)).get(pk=what_if_id)
    if stored.state not in OPEN_WHAT_IFS:
        return
    stored.state, stored.ended_at, stored.failure = WhatIfState.FAILED, at, failure
    stored.save(update_fields=["state", "ended_at", "failure"])
    facts: dict[str, Value] = {"done": stored.done}
    record_what_if(stored, chain_of(stored), "whatif.fail", worker(by), at, facts)
