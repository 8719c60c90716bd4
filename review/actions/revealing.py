"""Identifiers that a site masks are shown to one person, of one call, for a while, for a reason."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.sealed import seal_note
from review.models import Call, NoteKind, Reveal, RevealWhy
from review.permissions import check_can_reveal
from review.queries.reveals import live_reveals

logger = logging.getLogger(__name__)

#: How long identifiers stay shown, unless the person hides them before.
LASTS = timedelta(minutes=30)
LONGEST_WORDS = 2000


class UnableToReveal(Exception):
    """Nothing is shown; `field` names what to correct (empty: the whole)."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True, slots=True)
class Ground:
    """Why identifiers are to be shown: a RevealWhy, and words, which OTHER asks for."""

    why: str
    words: str = ""


def reveal_identifiers(
    *, call_id: UUID, reveal_id: UUID, ground: Ground, by: User, at: datetime
) -> datetime:
    """Have the identifiers of a call shown to `by`; returns until when. The same id twice is once.

    A compliance officer's reveal is told to security beside its entry (audit_security 2d). Raises
    NotAllowed or UnableToReveal.
    """
    with transaction.atomic():
        stored = _lock(call_id)
        role = check_can_reveal(by, stored.site)
        before = Reveal.objects.filter(pk=reveal_id).first()
        if before is not None:
            return before.until
        words = _check(stored, ground)
        until = at + LASTS
        Reveal.objects.create(id=reveal_id, call=stored, by=by, why=ground.why, at=at, until=until)
        kept = seal_note(stored, NoteKind.REVEALED, words, by, at) if words else None
        is_alert = role == Role.COMPLIANCE_OFFICER
        facts: dict[str, Value] = {
            "reveal_id": str(reveal_id),
            "why": ground.why,
            "minutes": int(LASTS.total_seconds()) // 60,
            "alert": is_alert,
        }
        said: dict[str, Value] = {} if kept is None else {"reason_commitment": kept}
        _record(stored, "call.reveal", person(by, role), at, {**facts, **said})
    if is_alert:
        logger.warning(
            "identifiers shown to a compliance officer",
            extra={"person": str(by.pk), "call": str(call_id), "why": ground.why},
        )
    return until


def hide_identifiers(*, call_id: UUID, by: User, at: datetime) -> bool:
    """Have the identifiers of a call masked again for `by`; returns False where they are already.

    Raises NotAllowed or UnableToReveal.
    """
    with transaction.atomic():
        stored = _lock(call_id)
        role = check_can_reveal(by, stored.site)
        ended = live_reveals(call_id, by, at).update(hidden_at=at)
        if ended:
            _record(stored, "call.hide", person(by, role), at, {"reveals": ended})
    return bool(ended)


def _lock(call_id: UUID) -> Call:
    found = Call.objects.select_for_update(of=("self",)).select_related("site").filter(pk=call_id)
    stored = found.first()
    if stored is None:
        raise UnableToReveal("There is no such call.")
    return stored


def _check(stored: Call, ground: Ground) -> str:
    """Return the words of a ground that is one."""
    if not stored.site.masks_identifiers:
        raise UnableToReveal("The site masks no identifiers: nothing of this call is hidden.")
    if ground.why not in RevealWhy.values:
        raise UnableToReveal("Choose what you need the identifiers for.", "why")
    words = ground.words.strip()
    if ground.why == RevealWhy.OTHER and not words:
        raise UnableToReveal("Write down which reason; it is kept sealed with the call.", "words")
    if len(words) > LONGEST_WORDS:
        raise UnableToReveal(
            f"This has {len(words):,} characters; {LONGEST_WORDS:,} are kept. Shorten it.", "words"
        )
    return words


def _record(stored: Call, kind: str, by: Actor, at: datetime, facts: dict[str, Value]) -> None:
    record(chain_id=stored.id, about=About.CALL, kind=kind, by=by, at=at, facts=facts)
