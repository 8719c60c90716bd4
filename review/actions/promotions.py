"""Promotions: asked for by one person, put in force by another, ended by anyone of them or by what
is measured. Every act measures anew; nothing that falls short is asked for or put in force.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from random import Random
from uuid import UUID

from django.db import transaction

from oipsce_site.ledger.actors import person, worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.matrix import BY_A_SECOND_PERSON, Act
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.core.promotion import (
    Agreement,
    MeasuredRow,
    Proven,
    agreement_of,
    measured_calls,
    proven_to_json,
    shortfalls,
)
from review.models import EndedWhy, Promotion
from review.permissions import NotAllowed, check_can_promote
from review.queries.promotions import (
    Measurable,
    Measured,
    current_digests,
    latest_answering,
    measured_at,
    promotions_to_measure,
)

DRAWS = 1_000
#: How often what is in force is measured again.
EVERY = timedelta(hours=1)


class UnableToPromote(Exception):
    """The promotion cannot be asked for, put in force or ended; the sentence says why."""


@dataclass(frozen=True, slots=True)
class PromotionWish:
    """What is to be promoted at which site."""

    site: Site
    of: Measurable


def prove(measured: Measured, of: Measurable, seed: str) -> Proven:
    """Return the figures of what is measured; the interval's draws are the same for a seed."""
    return Proven(_agreement(measured.rows.get(of, ()), seed), measured.flips_of(of))


@lru_cache(maxsize=64)
def _agreement(rows: tuple[MeasuredRow, ...], seed: str) -> Agreement:
    """Return the agreement on these rows. A page asks for the same again and again: of a thousand
    rows it takes a third of a second.
    """
    calls = measured_calls(rows)
    chance = Random(seed)  # noqa: S311 - drawn anew by whoever has the seed
    draws = [chance.choices(range(calls), k=calls) for _ in range(DRAWS)] if calls else []
    return agreement_of(rows, draws)


def ask_promotion(*, promotion_id: UUID, wish: PromotionWish, by: User, at: datetime) -> None:
    """Ask for a promotion; it is in force when a second person has put it there.

    Raises NotAllowed, or UnableToPromote where the figures fall short, what was measured is not
    asked any more, or it is asked for already.
    """
    role = check_can_promote(by, wish.site)
    with transaction.atomic():
        site = Site.objects.select_for_update().get(pk=wish.site.pk)
        figures = _proven(site.pk, wish.of)
        named = {"site": site, **wish.of._asdict()}
        same = {name: one for name, one in named.items() if name != "answered"}
        if Promotion.objects.filter(ended_at__isnull=True, **same).exists():
            raise UnableToPromote("It is asked for or in force already.")
        stored = Promotion.objects.create(
            id=promotion_id,
            **named,
            asked_by=by,
            asked_role=role,
            asked_at=at,
            asked_figures=figures,
            measured_at=at,
        )
        _record(stored, "promotion.ask", person(by, role), at, figures)


def put_promotion_in_force(*, promotion_id: UUID, by: User, at: datetime) -> None:
    """Have the proposals shown to reviewers from now on.

    Raises NotAllowed for who asked and where neither of the two is an administrator, or
    UnableToPromote where it is over, in force, or the figures fall short by now.
    """
    with transaction.atomic():
        stored = _locked(promotion_id)
        role = check_can_promote(by, stored.site)
        if stored.ended_at is not None or stored.stands_at is not None:
            raise UnableToPromote("It does not wait any more. Load the page again.")
        if Act.PROMOTE_MODELS in BY_A_SECOND_PERSON and stored.asked_by_id == by.pk:
            raise NotAllowed("You asked for this yourself: another one puts it in force.")
        if Role.ADMINISTRATOR not in (role, Role(stored.asked_role)):
            raise NotAllowed("One of the two must be an administrator.")
        figures = _proven(stored.site_id, _of(stored))
        stored.stands_by, stored.stands_role, stored.stands_at = by, role, at
        stored.stands_figures, stored.measured_at = figures, at
        stored.save(
            update_fields=[
                *("stands_by", "stands_role", "stands_at", "stands_figures", "measured_at")
            ]
        )
        _record(stored, "promotion.stand", person(by, role), at, figures)


def end_promotion(*, promotion_id: UUID, by: User, at: datetime) -> None:
    """Decline a promotion that waits, or withdraw one that is in force, at once.

    Raises NotAllowed, or UnableToPromote for one that is over.
    """
    with transaction.atomic():
        stored = _locked(promotion_id)
        role = check_can_promote(by, stored.site)
        if stored.ended_at is not None:
            raise UnableToPromote("It is over already.")
        why = EndedWhy.DECLINED if stored.stands_at is None else EndedWhy.WITHDRAWN
        stored.ended_by = by
        _end(stored, why, None, person(by, role), at)


def demote_fallen(*, by: str, at: datetime) -> int:
    """Measure again what is in force and was measured an hour ago; end what falls short, and what
    is about other models, words or catalogs than are asked today. Returns how many ended.

    One query where nothing was promoted.
    """
    ended = 0
    for one in promotions_to_measure(at - EVERY):
        with transaction.atomic():
            stored = _locked(one.pk)
            if stored.ended_at is not None:
                continue
            of = _of(stored)
            proven = prove(measured_at(stored.site_id), of, str(stored.pk))
            why = _fallen(stored.site_id, of, proven)
            if why is None:
                stored.measured_at = at
                stored.save(update_fields=["measured_at"])
                continue
            _end(stored, why, proven, worker(by), at)
            ended += 1
    return ended


def _fallen(site_id: UUID, of: Measurable, proven: Proven) -> EndedWhy | None:
    if _is_outdated(site_id, of):
        return EndedWhy.CHANGED
    return EndedWhy.FELL if shortfalls(proven) else None


def _is_outdated(site_id: UUID, of: Measurable) -> bool:
    if of.digest not in current_digests(site_id).get(of.phase, ()):
        return True
    return latest_answering(site_id, of.phase, of.digest) != of.answered


def _proven(site_id: UUID, of: Measurable) -> dict[str, Value]:
    """Return the figures as they are kept. Raises UnableToPromote where they fall short."""
    if not of.answered or _is_outdated(site_id, of):
        raise UnableToPromote(
            "This was measured with another model, wording or catalog than is asked today. Have "
            "the models checked anew."
        )
    seed = secrets.token_hex(8)
    proven = prove(measured_at(site_id), of, seed)
    missing = shortfalls(proven)
    if missing:
        raise UnableToPromote(" ".join(missing))
    return {**proven_to_json(proven), "seed": seed}


def _of(stored: Promotion) -> Measurable:
    return Measurable(stored.phase, stored.language, stored.digest, stored.answered)


def _locked(promotion_id: UUID) -> Promotion:
    found = Promotion.objects.select_for_update(of=("self",)).select_related("site")
    stored = found.filter(pk=promotion_id).first()
    if stored is None:
        raise UnableToPromote("There is no such promotion.")
    return stored


def _end(stored: Promotion, why: EndedWhy, proven: Proven | None, by: Actor, at: datetime) -> None:
    stored.ended_at, stored.ended_why = at, why
    stored.ended_figures = None if proven is None else proven_to_json(proven)
    stored.save(update_fields=["ended_at", "ended_why", "ended_by", "ended_figures"])
    _record(stored, "promotion.end", by, at, {**(stored.ended_figures or {}), "why": why.value})


def _record(
    stored: Promotion, kind: str, by: Actor, at: datetime, figures: dict[str, Value]
) -> None:
    """Leave an entry on the site's chain with figures and digests."""
    facts: dict[str, Value] = {
        "promotion_id": str(stored.pk),
        "phase": stored.phase,
        "asked_sha256": stored.digest,
        "models": stored.answered,
        **figures,
    }
    record(chain_id=stored.site_id, about=About.SITE, kind=kind, by=by, at=at, facts=facts)
