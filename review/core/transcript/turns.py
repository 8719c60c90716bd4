"""What every reader does with the turns of a call: limits, stored text, and the last step to a
Call.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from review.core.transcript.decoding import normalise_newlines
from review.core.transcript.gathering import CallFindings
from review.core.transcript.model import Call, Turn, TurnKind

MAX_TURNS = 20_000
MAX_CHARACTERS = 200_000

_SAID = (TurnKind.SPEECH, TurnKind.IVR)


def refuse_too_many_turns(turns: Sequence[object], found: CallFindings) -> None:
    """Refuse (RefusedInput) a call of more than 20,000 turns before any of them is read."""
    if len(turns) > MAX_TURNS:
        text = f"The call has {len(turns):,} turns; at most {MAX_TURNS:,} are read. Split the call."
        found.refuse("too_many_turns", "turns", text)


def stored_text(text: str, *, number: int, kind: TurnKind, found: CallFindings) -> str:
    """Return a turn's text as it is stored: LF line ends, otherwise verbatim (no Unicode
    normalisation).

    Reports ``empty_turn`` and ``not_nfc``; raises RefusedInput over 200,000 characters.
    """
    place = f"turn {number}"
    if len(text) > MAX_CHARACTERS:
        sentence = (
            f"Turn {number} has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read. "
            "Split the turn."
        )
        found.refuse("turn_too_long", place, sentence)
    text = normalise_newlines(text)
    if kind in _SAID and not text.strip():
        found.note(
            "empty_turn",
            place,
            f"Turn {number} has no words. It is kept and proves nothing.",
            turn=number,
        )
    if not unicodedata.is_normalized("NFC", text):
        sentence = (
            f"Turn {number} is not in Unicode form NFC. It is kept as it is; patterns run on an "
            "NFC copy."
        )
        found.note("not_nfc", place, sentence, turn=number)
    return text


def finish_call(call: Call, found: CallFindings) -> Call:
    """Write the codes found onto the turns they are about and onto the call."""
    turns = tuple(_flagged(turn, found.flags_of(turn.number)) for turn in call.turns)
    return replace(call, turns=turns, flags=found.codes)


def _flagged(turn: Turn, flags: tuple[str, ...]) -> Turn:
    return turn if flags == turn.flags else replace(turn, flags=flags)
