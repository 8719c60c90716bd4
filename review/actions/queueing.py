"""The next call of the queue, calls that a person passes over, and calls that are put aside for
somebody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Any, TypeAlias
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q, QuerySet

from catalogs.models import CatalogVersion
from oipsce_site.composed import Composed
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import record
from oipsce_site.people.matrix import Act, say_who
from oipsce_site.people.models import Site, User
from review.actions.holds import UnableToHold, check_words, drop_hold, tell_former
from review.actions.sealed import seal_note
from review.core.queue import FOR_REVIEWERS, FOR_SENIORS, HOLD, OPEN_STATES, QueueClass
from review.models import Call, NoteKind, State
from review.permissions import (
    Deciding,
    NotAllowed,
    check_can_assign,
    check_can_decide,
    deciding_at,
)
from review.queries.holds import Claimed, claimed_by, is_free
from review.queries.queue_list import (
    QueueNarrowing,
    in_queue,
    in_queue_order,
    skipped_by,
    turned_by,
)


def claim_next(*, narrowing: QueueNarrowing, key: UUID, by: User, at: datetime) -> Claimed | None:
    """Claim the best free call of the queue for `by`; None where there is none like this.

    One statement finds, locks and claims: what another claim looks at is passed over, so nobody
    waits and nobody gets the same call. First come calls put aside for the person, then those for
    anybody, and what the person has passed over comes last. The same `key` claims once.
    Raises NotAllowed for who decides at no site.
    """
    with transaction.atomic():
        deciding = deciding_at(by)
        if not deciding.sites:
            raise NotAllowed(say_who(Act.DECIDE_ROWS))
        # Of two clicks at the same moment the second finds what the first has claimed.
        with connection.cursor() as cursor:
            cursor.execute("select pg_advisory_xact_lock(hashtextextended(%s, 11))", [str(by.pk)])
        again = claimed_by(by, key, at)
        if again is not None:
            return again
        for best in _statements(deciding, narrowing, by, at):
            claimed = _claim_first(best, key, by, at)
            if claimed is not None:
                return claimed
    return None


def skip_call(*, call_id: UUID, reason: str, by: User, at: datetime) -> None:
    """Pass over a call: it goes to the end of the person's own queue, and their hold of it ends.

    Others get it as before. Raises NotAllowed, or UnableToHold without a reason or for a call that
    asks for nobody.
    """
    with transaction.atomic():
        stored = _lock(call_id)
        role = check_can_decide(by, stored.site)
        commitment = seal_note(stored, NoteKind.SKIPPED, check_words(reason), by, at)
        if stored.held_by_id == by.pk:
            drop_hold(stored)
        record(
            chain_id=stored.id,
            about=About.CALL,
            kind="call.skip",
            by=person(by, role),
            at=at,
            facts={"reason_commitment": commitment},
        )


def assign_call(*, call_id: UUID, to: UUID | None, by: User, at: datetime) -> None:
    """Put a call aside for somebody who decides at its site, or (None) for nobody any more.

    "Next" hands it to nobody else; who holds it goes on. Raises NotAllowed for who is no senior
    reviewer, UnableToHold for a call that asks for nobody or a person who may not decide it.
    """
    with transaction.atomic():
        stored = _lock(call_id)
        role = check_can_assign(by, stored.site)
        assignee = None if to is None else _assignee(to, stored.site)
        if stored.assigned_to == assignee:
            return
        stored.assigned_to = assignee
        stored.save(update_fields=["assigned_to"])
        record(
            chain_id=stored.id,
            about=About.CALL,
            kind="call.assign",
            by=person(by, role),
            at=at,
            facts={"to": None if assignee is None else str(assignee.pk)},
        )


def _assignee(to: UUID, site: Site) -> User:
    found = User.objects.filter(pk=to).first()
    try:
        if found is not None:
            check_can_decide(found, site)
            return found
    except NotAllowed:
        pass
    raise UnableToHold("Choose a reviewer or senior reviewer of the call's site.", "to")


def _lock(call_id: UUID) -> Call:
    found = Call.objects.select_for_update(of=("self",)).select_related("site", "assigned_to")
    stored = found.filter(pk=call_id).first()
    if stored is None:
        raise UnableToHold("There is no such call.")
    if stored.state not in [state.value for state in OPEN_STATES] or stored.queue_class is None:
        raise UnableToHold(f"The call is {State(stored.state).label}; it asks for nobody now.")
    return stored


#: A statement that finds and locks the best call of a set, and its values.
_Best: TypeAlias = tuple[str, Sequence[Any]]


def _statements(
    deciding: Deciding, narrowing: QueueNarrowing, by: User, at: datetime
) -> Iterator[_Best]:
    if narrowing == QueueNarrowing():
        yield from (one.text(by.pk, at) for one in _usual(deciding))
    else:
        for calls in _candidates(deciding, narrowing, by, at):
            yield _best_of(calls).query.sql_with_params()


# What nearly every press of "Next call" asks: to compose it takes longer than to ask it.
@lru_cache(maxsize=256)
def _usual(deciding: Deciding) -> tuple[Composed, ...]:
    def composed(position: int) -> Composed:
        def build(person_id: UUID, at: datetime) -> QuerySet[Call, Any]:
            sets = _candidates(deciding, QueueNarrowing(), User(pk=person_id), at)
            return _best_of(next(islice(sets, position, None)))

        return Composed(build, 1, lambda: None, times=1)

    return tuple(composed(position) for position in range(_SETS))


def _best_of(calls: QuerySet[Call]) -> QuerySet[Call, Any]:
    wanted = in_queue_order(calls).select_for_update(skip_locked=True, of=("self",))
    best: QuerySet[Call, Any] = wanted.values("id", "held_by_id", "held_until")[:1]
    return best


#: How many sets `_candidates` yields.
_SETS = 3


def _candidates(
    deciding: Deciding, narrowing: QueueNarrowing, by: User, at: datetime
) -> Iterator[QuerySet[Call]]:
    """Yield the sets that are looked through one after the other."""
    sites = tuple(Site.objects.filter(pk__in=deciding.sites))
    catalogs: dict[UUID, str] = {}
    if narrowing.catalog is not None:
        catalogs = dict(CatalogVersion.objects.values_list("pk", "catalog__slug"))
    free = in_queue(by, sites, catalogs, narrowing, at).filter(is_free(at))
    asking = free.filter(queue_class__in=FOR_REVIEWERS)
    kind = None if narrowing.kind is None else QueueClass[narrowing.kind.upper()]
    if deciding.senior and kind in (None, *FOR_SENIORS):
        settled = Q(queue_class__in=FOR_SENIORS, site__in=deciding.senior) & ~Q(turned_by(by))
        asking = free.filter(Q(queue_class__in=FOR_REVIEWERS) | settled)
    skipped = skipped_by(by)
    yield asking.filter(~skipped, assigned_to=by)
    yield asking.filter(~skipped, assigned_to__isnull=True)
    yield asking.filter(Q(skipped), Q(assigned_to__isnull=True) | Q(assigned_to=by))


def _claim_first(best: _Best, key: UUID, by: User, at: datetime) -> Claimed | None:
    text, given = best
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH best AS ({text}) "  # noqa: S608 - the ORM's own text
            f"UPDATE {Call._meta.db_table} AS claimed "
            "SET held_by_id = %s, held_until = %s, hold_key = %s, hold_number = hold_number + 1 "
            "FROM best WHERE claimed.id = best.id "
            "RETURNING best.held_by_id, best.held_until, "
            "claimed.id, claimed.queue_phase, claimed.focus_turn, claimed.hold_number",
            [*given, by.pk, at + HOLD, key],
        )
        found: tuple[Any, ...] | None = cursor.fetchone()
    if found is None:
        return None
    former_id, until, *own = found
    claimed = Claimed(*own)
    if former_id not in (None, by.pk):
        stored = Call.objects.select_related("site").get(pk=claimed.call_id)
        role = check_can_decide(by, stored.site)
        tell_former(stored, User.objects.get(pk=former_id), until, by, role, at)
    return claimed
