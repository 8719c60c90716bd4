"""One change and its effect."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Effect(Enum):
    """What a change can do to verdicts, the gravest first."""

    PASS_TO_FAIL = "may turn pass to fail"
    FAIL_TO_PASS = "may turn fail to pass"
    EITHER = "may turn a verdict either way"
    WORDS = "words only"

    @property
    def turns(self) -> bool:
        """Say whether any verdict can turn."""
        return self is not Effect.WORDS

    @property
    def reverse(self) -> Effect:
        """Return the effect of undoing the change."""
        return _REVERSE.get(self, self)


_REVERSE = {Effect.PASS_TO_FAIL: Effect.FAIL_TO_PASS, Effect.FAIL_TO_PASS: Effect.PASS_TO_FAIL}


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: the phase it is in (empty for the catalog as a whole), the key it is under,
    its effect and a sentence.
    """

    phase: str
    key: str
    effect: Effect
    text: str


def stronger(*, tightens: bool) -> Effect:
    """Return the effect of asking for more, or for less."""
    return Effect.PASS_TO_FAIL if tightens else Effect.FAIL_TO_PASS
