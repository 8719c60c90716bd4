"""What is kept, what is due to be erased, what waits for a second person; no words of a call."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import DateTimeField, Exists, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest

from oipsce_site.people.models import Site, User
from review.core.retention import last_day_kept
from review.models import (
    Call,
    Decision,
    Erasure,
    ErasureState,
    Ground,
    LegalHold,
    RetentionRule,
    SignOff,
)
from review.queries.reach import readable


@dataclass(frozen=True, slots=True)
class Tombstone:
    """What is left to say of an erased call: where it came from, who erased it, when and why."""

    id: UUID
    external_id: str
    site_name: str
    ground: str
    asked_by: str
    approved_by: str
    erased_at: datetime


@dataclass(frozen=True, slots=True)
class ErasureLine:
    """A wish to erase a call. `name` is empty for whoever reads no calls."""

    id: UUID
    call_id: UUID
    name: str
    site_name: str
    ground: str
    state: str
    asked_by: str
    asked_at: datetime
    is_own: bool


@dataclass(frozen=True, slots=True)
class HoldLine:
    """A legal hold that stands."""

    id: UUID
    call_id: UUID
    name: str
    site_name: str
    reason: str
    placed_by: str
    placed_at: datetime


@dataclass(frozen=True, slots=True)
class DueLine:
    """A call that the next run erases."""

    call_id: UUID
    name: str
    last_change: datetime


@dataclass(frozen=True, slots=True)
class RuleLine:
    """The rule of a site (`days` None: nothing is erased), what is due by it, and what waits."""

    site: Site
    days: int | None
    most: int
    due: int
    first: tuple[DueLine, ...]
    waiting: RetentionRule | None
    is_own: bool


def rule_of(site_id: UUID) -> RetentionRule | None:
    """Return the rule that holds at a site."""
    found = RetentionRule.objects.filter(site=site_id, approved_at__isnull=False)
    return found.order_by("-approved_at", "-proposed_at").first()


def due_calls(rule: RetentionRule, at: datetime) -> list[UUID]:
    """Return the calls that a rule has erased at a time, the oldest change first."""
    return [one.call_id for one in _due(rule, at)]


def due_lines(rule: RetentionRule, at: datetime) -> list[DueLine]:
    """Return the same with what a list says of them."""
    return _due(rule, at)


def sites_with_rules(slug: str | None = None) -> list[Site]:
    """Return the sites with an approved rule by name; the one with this slug where given."""
    approved = RetentionRule.objects.filter(approved_at__isnull=False)
    found = Site.objects.filter(pk__in=approved.values("site")).order_by("name")
    return list(found if slug is None else found.filter(slug=slug))


def is_due(rule: RetentionRule, call_id: UUID, at: datetime) -> bool:
    """Say whether one call is due by a rule."""
    return bool(_due(rule, at, call_id))


def _due(rule: RetentionRule, at: datetime, call_id: UUID | None = None) -> list[DueLine]:
    """Return calls whose last change lies before the last day kept, without those held."""
    held = LegalHold.objects.filter(call=OuterRef("pk"), lifted_at=None)
    kept = Call.objects.filter(site=rule.site_id, erased_at=None).exclude(Exists(held))
    if call_id is not None:
        kept = kept.filter(pk=call_id)
    changed = kept.annotate(
        last_change=Greatest(
            "received_at",
            Coalesce(_latest(SignOff.objects.all()), "received_at"),
            Coalesce(_latest(Decision.objects.all()), "received_at"),
        )
    )
    due = changed.filter(last_change__lt=last_day_kept(rule.days, at))
    rows = due.order_by("last_change", "pk").values_list("pk", "external_id", "last_change")
    return [DueLine(*row) for row in rows]


def _latest(rows: QuerySet[SignOff] | QuerySet[Decision]) -> Subquery:
    found = rows.filter(call=OuterRef("pk")).order_by()
    latest = found.values("call").annotate(latest=Max("at")).values("latest")
    return Subquery(latest, output_field=DateTimeField())


def find_tombstone(user: User | AnonymousUser, call_id: UUID) -> Tombstone | None:
    """Return what is left of an erased call of one of the user's sites; None for any other."""
    mine = Call.objects.filter(
        pk=call_id, erased_at__isnull=False, site__in=readable(user).values("site")
    )
    stored = mine.select_related("site").first()
    if stored is None or stored.erased_at is None:
        return None
    done = Erasure.objects.select_related("asked_by", "decided_by").filter(call=stored)
    last = done.exclude(state=ErasureState.REFUSED).order_by("-asked_at").first()
    return Tombstone(
        id=stored.pk,
        external_id=stored.external_id,
        site_name=stored.site.name,
        ground="not known here" if last is None else Ground(last.ground).label,
        asked_by="" if last is None else last.asked_by.printed_name,
        approved_by="" if last is None or last.decided_by is None else last.decided_by.printed_name,
        erased_at=stored.erased_at,
    )


def list_wishes(sites: Collection[UUID] | None, user: User) -> list[ErasureLine]:
    """Return the wishes that wait, the oldest first; None stands for an administrator's view."""
    found = Erasure.objects.filter(state=ErasureState.ASKED).select_related(
        "call__site", "asked_by"
    )
    if sites is not None:
        found = found.filter(call__site__in=sites)
    return [
        ErasureLine(
            id=one.pk,
            call_id=one.call_id,
            name="" if sites is None else one.call.external_id,
            site_name=one.call.site.name,
            ground=Ground(one.ground).label,
            state=ErasureState(one.state).label,
            asked_by=one.asked_by.printed_name,
            asked_at=one.asked_at,
            is_own=one.asked_by_id == user.pk,
        )
        for one in found.order_by("asked_at", "pk")[:200]
    ]


def list_legal_holds(sites: Collection[UUID]) -> list[HoldLine]:
    """Return the holds that stand at these sites, the latest first."""
    found = LegalHold.objects.filter(call__site__in=sites, lifted_at=None)
    return [
        HoldLine(
            id=one.pk,
            call_id=one.call_id,
            name=one.call.external_id,
            site_name=one.call.site.name,
            reason=one.reason,
            placed_by=one.placed_by.printed_name,
            placed_at=one.placed_at,
        )
        for one in found.select_related("call__site", "placed_by").order_by("-placed_at")[:200]
    ]


def list_rules(sites: Collection[UUID] | None, user: User, at: datetime) -> list[RuleLine]:
    """Return the rule of every site; an administrator (None) is shown no call that is due."""
    every = Site.objects.order_by("name")
    chosen = every if sites is None else every.filter(pk__in=sites)
    return [_rule_line(site, user, at, names=sites is not None) for site in chosen]


def _rule_line(site: Site, user: User, at: datetime, *, names: bool) -> RuleLine:
    rule = rule_of(site.pk)
    open_ones = RetentionRule.objects.filter(site=site, approved_at=None, refused_at=None)
    waiting = open_ones.select_related("proposed_by").first()
    due = [] if rule is None else _due(rule, at)
    return RuleLine(
        site=site,
        days=None if rule is None else rule.days,
        most=0 if rule is None else rule.most,
        due=len(due),
        first=tuple(due[:20]) if names else (),
        waiting=waiting,
        is_own=waiting is not None and waiting.proposed_by_id == user.pk,
    )


def find_call_by_name(sites: Collection[UUID], name: str) -> list[UUID]:
    """Return the calls of these sites with this external id or id."""
    named = Q(external_id=name)
    with suppress(ValueError):
        named |= Q(pk=UUID(name))
    found = Call.objects.filter(named, site__in=sites)
    return list(found.values_list("pk", flat=True)[:2])


def erased_ids() -> list[UUID]:
    """Return the ids of all erased calls."""
    erased = Call.objects.filter(erased_at__isnull=False)
    return list(erased.order_by("pk").values_list("pk", flat=True))
