"""Why a model proposes nothing, and the flag and the sentence that a reviewer reads for it."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Flagged(Enum):
    """The adjudicator's flags on a row (design 4.2). The row keeps all its other flags."""

    ADJUDICATED = "ADJUDICATED"
    ADJUDICATOR_ABSTAINED = "ADJUDICATOR_ABSTAINED"
    QUOTE_MISMATCH = "QUOTE_MISMATCH"
    POSSIBLE_INJECTION = "POSSIBLE_INJECTION"


class Reason(Enum):
    """What came of one question; only PROPOSED carries spans."""

    PROPOSED = "PROPOSED"
    NO_SPAN = "NO_SPAN"
    CANNOT_TELL = "CANNOT_TELL"
    DISAGREED = "DISAGREED"
    INJECTION = "INJECTION"
    # What was answered is not what was asked for.
    NOT_JSON = "NOT_JSON"
    CUT_SHORT = "CUT_SHORT"
    WRONG_MODEL = "WRONG_MODEL"
    SCHEMA = "SCHEMA"
    COUNT = "COUNT"
    WRONG_TURN = "WRONG_TURN"
    WRONG_SPEAKER = "WRONG_SPEAKER"
    QUOTE = "QUOTE"
    # Nothing usable was answered at all.
    TIMEOUT = "TIMEOUT"
    TOO_LARGE = "TOO_LARGE"
    BUSY = "BUSY"
    FAILED = "FAILED"
    REDIRECTED = "REDIRECTED"
    REFUSED = "REFUSED"
    BILLING = "BILLING"
    UNREACHABLE = "UNREACHABLE"
    ADDRESS = "ADDRESS"
    LOST = "LOST"
    # Nothing was sent.
    OFF = "OFF"
    ONE_MODEL = "ONE_MODEL"
    BUDGET = "BUDGET"
    PAUSED = "PAUSED"


_SENTENCES: Final = {
    Reason.PROPOSED: "Proposed by {model}; a person confirms it or not.",
    Reason.NO_SPAN: "No span found by {model}. That is no verdict: the row stays open.",
    Reason.CANNOT_TELL: "{model} cannot tell.",
    Reason.DISAGREED: "Two models do not point at the same places, so none is shown.",
    Reason.INJECTION: (
        "Words near this row read like an instruction to a model, so none was asked. Read them."
    ),
    Reason.NOT_JSON: "{model} answered something that is no JSON; nothing of it is shown.",
    Reason.CUT_SHORT: "The answer of {model} was cut short; nothing of it is shown.",
    Reason.WRONG_MODEL: "Another model than {model} answered; nothing of it is shown.",
    Reason.SCHEMA: "The answer of {model} has another form than was asked for.",
    Reason.COUNT: "{model} did not answer each item once; nothing of it is shown.",
    Reason.WRONG_TURN: "{model} pointed at a turn that was not shown.",
    Reason.WRONG_SPEAKER: "{model} quoted somebody who cannot show this item.",
    Reason.QUOTE: "{model} quoted words that are not in the turn that was named.",
    Reason.TIMEOUT: "{model} did not answer in time.",
    Reason.TOO_LARGE: "The answer of {model} was too large to be one.",
    Reason.BUSY: "The endpoint of {model} was too busy.",
    Reason.FAILED: "The endpoint of {model} failed.",
    Reason.REDIRECTED: "The endpoint of {model} pointed elsewhere, which is not followed.",
    Reason.REFUSED: "The endpoint of {model} refused the key or the request.",
    Reason.BILLING: "The endpoint of {model} asks for payment.",
    Reason.UNREACHABLE: "The endpoint of {model} could not be reached.",
    Reason.ADDRESS: "The address of {model} may not be connected to.",
    Reason.LOST: "A worker was lost while {model} was asked; it is not asked twice.",
    Reason.OFF: "The adjudicator was switched off before this row was asked about.",
    Reason.ONE_MODEL: "A row at a critical edge is asked of two models, and the site has one.",
    Reason.BUDGET: "Asking {model} would have passed a budget.",
    Reason.PAUSED: "Asking {model} is paused, since it failed several times in a row.",
}
_MISMATCHES: Final = frozenset({Reason.QUOTE, Reason.WRONG_TURN, Reason.WRONG_SPEAKER})


def say_reason(reason: Reason, model: str) -> str:
    """Return the sentence that a reviewer reads.

    >>> say_reason(Reason.NO_SPAN, "m1")
    'No span found by m1. That is no verdict: the row stays open.'
    """
    return _SENTENCES[reason].replace("{model}", model or "the model")


def flag_of(reason: Reason) -> Flagged:
    """Return the adjudicator's flag for what came of a question."""
    if reason is Reason.PROPOSED:
        return Flagged.ADJUDICATED
    if reason is Reason.INJECTION:
        return Flagged.POSSIBLE_INJECTION
    return Flagged.QUOTE_MISMATCH if reason in _MISMATCHES else Flagged.ADJUDICATOR_ABSTAINED
