"""A published version on trial: beside what decides, or for a share of calls (design 2).

A trial belongs to a version that is published and does not decide by its days alone. For a call
that the version before it would judge, when the trial has begun and its own condition holds:

| mode | the call is judged by | beside it runs |
| --- | --- | --- |
| SHADOW | the version before | the version on trial |
| CANARY, the call is drawn | the version on trial | nothing |
| CANARY, it is not | the version before | nothing |

A call that no other version judges is judged by none: a trial fills no gap. The draw is a keyed
hash of the call's id and the version's digest: drawn again it is the same draw, nobody without the
key can tell beforehand, and a larger share keeps the calls of a smaller one.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from datetime import date
from enum import Enum
from typing import NamedTuple
from uuid import UUID

from catalogs.core.document.choosing import applicable, in_force
from catalogs.core.document.model import Document
from catalogs.core.requirements import Scalar

#: A share in whole percent: none would be a shadow that says nothing, all of them a decision.
LEAST_SHARE, MOST_SHARE = 1, 99


class TrialMode(Enum):
    """How a version is tried."""

    SHADOW = "SHADOW"
    CANARY = "CANARY"


class Trial(NamedTuple):
    """How a version is tried, and for calls of which days: `share` is in percent, 0 in shadow."""

    mode: TrialMode
    share: int
    first_day: date

    @property
    def words(self) -> str:
        """Say it as lists do.

        >>> Trial(TrialMode.CANARY, 10, date(2026, 1, 1)).words
        'for 10 % of calls'
        """
        return "in shadow" if self.mode is TrialMode.SHADOW else f"for {self.share} % of calls"


class Draw(NamedTuple):
    """What a canary draws by: the call's id and the installation's key."""

    call_id: UUID
    key: bytes


class Tried(NamedTuple):
    """The version that judges a call, and the one that runs beside it, if any."""

    judges: Document
    beside: Document | None


class UnfitTrial(ValueError):
    """The trial cannot be begun like that; the sentence says why. `field` is what it is about."""

    def __init__(self, sentence: str, field: str | None = None) -> None:
        super().__init__(sentence)
        self.field = field


def check_trial(trial: Trial, document: Document, deciding: Iterable[Document]) -> None:
    """Check what a trial of a document asks for. `deciding` are the versions of its catalog that
    decide by their days. Raises UnfitTrial.
    """
    if trial.mode is TrialMode.CANARY and not LEAST_SHARE <= trial.share <= MOST_SHARE:
        raise UnfitTrial(
            f"Give a share from {LEAST_SHARE} to {MOST_SHARE} percent of the calls.", "share"
        )
    if trial.mode is TrialMode.SHADOW and trial.share:
        raise UnfitTrial("In shadow a version judges no call, so there is no share.", "share")
    if not in_force(document, trial.first_day):
        raise UnfitTrial(
            f"The version is not in force on {trial.first_day.isoformat()}; choose a day from "
            f"{document.effective_from.isoformat()} on.",
            "first_day",
        )
    if not any(in_force(one, trial.first_day) for one in deciding):
        raise UnfitTrial(
            f"No other version of {document.slug} is in force on {trial.first_day.isoformat()}, so "
            "nothing would decide beside it. Choose another day, or let it decide at once.",
            "first_day",
        )


def try_out(
    judges: Document,
    trials: Mapping[str, tuple[Document, Trial]],
    attributes: Mapping[str, Scalar],
    on: date,
    draw: Draw | None,
    site: str | None = None,
) -> Tried:
    """Return what judges a call of a site for which `judges` was chosen, and what runs beside it.

    `trials` are the documents on trial by the slug of their catalog, at most one of each. Without
    a `draw` no canary takes the call.
    """
    document, trial = trials.get(judges.slug, (None, None))
    if document is None or trial is None or not _fits(document, trial, attributes, on, site):
        return Tried(judges, None)
    if trial.mode is TrialMode.SHADOW:
        return Tried(judges, document)
    if draw is not None and is_drawn(draw, document.digest, trial.share):
        return Tried(document, None)
    return Tried(judges, None)


def is_drawn(draw: Draw, digest: str, share: int) -> bool:
    """Say whether a canary of this version takes the call: the first 8 bytes of HMAC-SHA256 over
    both, as a share of all they can be.
    """
    words = b"oip-sce/canary/v1\0" + digest.encode() + b"\0" + draw.call_id.bytes
    drawn = hmac.new(draw.key, words, hashlib.sha256).digest()
    return int.from_bytes(drawn[:8], "big") * 100 < share << 64


def _fits(
    document: Document,
    trial: Trial,
    attributes: Mapping[str, Scalar],
    on: date,
    site: str | None,
) -> bool:
    return on >= trial.first_day and bool(applicable([document], attributes, on, site))
