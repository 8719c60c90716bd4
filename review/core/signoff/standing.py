"""Which signatures a call's chain tells of, and which of them still stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.core.entry import Entry
from review.core.signoff.record import SIGN, VOID

DECIDE = "row.decide"
#: Decisions that change no value: a signature stands beside them.
CHANGE_NOTHING = frozenset({"COMMENT"})


@dataclass(frozen=True, slots=True)
class Told:
    """One signature as the chain tells of it.

    `evaluation_digest` and `decisions` are what the chain had told when it was made; `voided_at` is
    the entry that ended it, `changed_at` one that changed a row while it stood (there is none).
    """

    seq: int
    at_us: int
    actor: Mapping[str, Any]
    facts: Mapping[str, Any]
    evaluation_digest: str | None
    decisions: int
    voided_at: int | None = None
    changed_at: int | None = None

    @property
    def digest(self) -> str:
        """The digest of the signed record."""
        return str(self.facts.get("record_digest"))


def told_signatures(entries: Iterable[Entry]) -> list[Told]:
    """Return the signatures that a chain tells of, in their order.

    Raises NotCanonical for a body of another form.
    """
    told: list[Told] = []
    evaluation: str | None = None
    decisions = 0
    for entry in entries:
        body: dict[str, Any] = read_body(entry.body)
        kind, facts = body["type"], body["facts"]
        if kind == DECIDE:
            decisions = int(facts["number"])
            if facts["decision"] not in CHANGE_NOTHING:
                told = [_changed(one, entry.seq) for one in told]
        if kind != SIGN:
            evaluation = facts.get("folded_digest") or facts.get("evaluation_digest") or evaluation
        if kind == SIGN:
            told.append(Told(entry.seq, entry.at_us, body["actor"], facts, evaluation, decisions))
        elif kind == VOID:
            told = [_voided(one, str(facts.get("record_digest")), entry.seq) for one in told]
    return told


def _voided(one: Told, digest: str, seq: int) -> Told:
    if one.digest != digest or one.voided_at is not None:
        return one
    # The change and the end of the signature are one act: either may be written first.
    return _replace(one, voided_at=seq, changed_at=None)


def _changed(one: Told, seq: int) -> Told:
    if one.voided_at is not None or one.changed_at is not None:
        return one
    return _replace(one, voided_at=None, changed_at=seq)


def _replace(one: Told, *, voided_at: int | None, changed_at: int | None) -> Told:
    return Told(
        one.seq,
        one.at_us,
        one.actor,
        one.facts,
        one.evaluation_digest,
        one.decisions,
        voided_at,
        changed_at,
    )
