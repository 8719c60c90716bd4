"""Who holds a call until when, and what people are told about their holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Q, QuerySet
from django.db.models.functions import JSONObject

from oipsce_site.composed import Composed
from oipsce_site.people.matrix import Act, roles_with
from oipsce_site.people.models import Membership, User
from review.models import Call, HoldNotice


@dataclass(frozen=True, slots=True)
class Hold:
    """The hold of a call as stored, live or over; `number` counts the claims there were."""

    holder: UUID | None
    who: str
    until: datetime | None
    number: int
    assigned_to: UUID | None
    assigned_who: str

    def is_live(self, at: datetime) -> bool:
        """Say whether somebody holds the call at this time."""
        return self.until is not None and self.until > at

    def is_of(self, user: User, at: datetime) -> bool:
        """Say whether `user` holds the call at this time."""
        return self.is_live(at) and self.holder == user.pk


#: The hold of a call that nobody has claimed yet.
NO_HOLD = Hold(None, "", None, 0, None, "")

#: The columns that `hold_from` reads, for `values()`.
HOLD_COLUMNS = (
    *("held_by_id", "held_by__printed_name", "held_until", "hold_number"),
    *("assigned_to_id", "assigned_to__printed_name"),
)


def hold_from(row: Mapping[str, Any]) -> Hold:
    """Read a hold from a row of HOLD_COLUMNS."""
    return Hold(
        holder=row["held_by_id"],
        who=row["held_by__printed_name"] or "",
        until=row["held_until"],
        number=row["hold_number"],
        assigned_to=row["assigned_to_id"],
        assigned_who=row["assigned_to__printed_name"] or "",
    )


def is_free(at: datetime) -> Q:
    """Return the condition of a call that nobody holds at this time: an end needs no worker."""
    return Q(held_until__isnull=True) | Q(held_until__lte=at)


def held_calls(user: User, at: datetime) -> QuerySet[Call]:
    """Return the calls that a person holds at this time."""
    return Call.objects.filter(held_by=user, held_until__gt=at)


@dataclass(frozen=True, slots=True)
class Claimed:
    """A call that a person holds now: the row that put it into the queue ("": no single one), the
    turn to look at first, and the number of the hold.
    """

    call_id: UUID
    phase: str
    focus_turn: int | None
    number: int


def claimed_by(user: User, key: UUID, at: datetime) -> Claimed | None:
    """Return the call that a person holds since the claim with this key; None without one."""
    row = _CLAIMED.first(user.pk, key, at)
    return None if row is None else Claimed(*row.values())


def _claimed(user_id: UUID, key: UUID, at: datetime) -> QuerySet[Call, Any]:
    held = held_calls(User(pk=user_id), at).filter(hold_key=key)
    asked: QuerySet[Call, Any] = held.values("id", "queue_phase", "focus_turn", "hold_number")
    return asked


_CLAIMED = Composed(_claimed, 2, lambda: None, times=1)


@dataclass(frozen=True, slots=True)
class Notice:
    """What a person is told: `who` did `kind` to the hold that they had until `until`."""

    id: int
    kind: str
    call_id: str
    title: str
    who: str
    until: datetime
    at: datetime


def unseen_notices(user: User) -> ArraySubquery:
    """Return the notices that `user` has not put away, the oldest first, beside another query."""
    return ArraySubquery(
        HoldNotice.objects.filter(to=user, seen_at__isnull=True)
        .order_by("at", "id")
        .values(
            notice=JSONObject(
                id="id",
                kind="kind",
                call="call_id",
                title="call__external_id",
                who="by__printed_name",
                until="held_until",
                at="at",
            )
        )[:_MOST_TOLD]
    )


#: On one page; the others come when these are put away.
_MOST_TOLD = 5


def notice_from(plain: Mapping[str, Any]) -> Notice:
    """Read one element of `unseen_notices`."""
    return Notice(
        id=plain["id"],
        kind=plain["kind"],
        call_id=plain["call"],
        title=plain["title"],
        who=plain["who"],
        until=datetime.fromisoformat(plain["until"]),
        at=datetime.fromisoformat(plain["at"]),
    )


@dataclass(frozen=True, slots=True)
class Assignee:
    """Somebody to whom a call of a site can be assigned."""

    id: UUID
    name: str


def assignees_of(site_id: UUID) -> tuple[Assignee, ...]:
    """Return the people who decide rows at a site, by name."""
    held = Membership.objects.filter(
        site=site_id,
        role__in=roles_with(Act.DECIDE_ROWS),
        revoked_at__isnull=True,
        user__is_active=True,
    )
    people = held.order_by("user__printed_name", "user_id").distinct()
    return tuple(
        Assignee(*one) for one in dict.fromkeys(people.values_list("user_id", "user__printed_name"))
    )
