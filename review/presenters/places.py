"""Turn numbers as people read them: alone, and inside sentences as links to the transcript."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import quote

from django.urls import reverse

from review.queries.holds import Claimed

_TURN = re.compile(r"(?<=\bturn )\d+\b|(?<=\bTurn )\d+\b")


@dataclass(frozen=True, slots=True)
class ShownPoint:
    """A turn number, "never" or "?"; `anchor` is the transcript's place for it, if it has one."""

    text: str
    anchor: str | None
    spoken: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sentence; with an anchor it is the number of a turn."""

    text: str
    anchor: str | None = None


def anchor_of(turn: int) -> str:
    """Return the id of a turn's line in the transcript."""
    return f"t{turn}"


def address_of(claimed: Claimed, *, blind: bool) -> str:
    """Return the page of a claimed call: for a `blind` reading its own, else the call's with the
    row selected that put it into the queue, its turn in view.
    """
    if blind:
        return reverse("review:reading", args=[claimed.call_id])
    path = reverse("review:call", args=[claimed.call_id])
    row = f"?row={quote(claimed.phase)}" if claimed.phase else ""
    place = "" if claimed.focus_turn is None or not row else f"#{anchor_of(claimed.focus_turn)}"
    return f"{path}{row}{place}"


def show_point(point: int | str | None) -> ShownPoint:
    """Write a start or finish of a report."""
    if point is None:
        return ShownPoint("?", None, "not known")
    if isinstance(point, int):
        return ShownPoint(str(point), anchor_of(point), f"turn {point}")
    return ShownPoint(point, None, point)


def linked(sentence: str, turns: Collection[int]) -> tuple[Piece, ...]:
    """Cut a sentence so that each "turn N" of this call can be a link.

    >>> [piece.anchor for piece in linked("CSV started at turn 42, not turn 7.", {42})]
    [None, 't42', None]
    """
    pieces: list[Piece] = []
    done = 0
    for found in _TURN.finditer(sentence):
        number = int(found.group())
        if number in turns:
            pieces.append(Piece(sentence[done : found.start()]))
            pieces.append(Piece(found.group(), anchor_of(number)))
            done = found.end()
    rest = sentence[done:]
    return (*pieces, Piece(rest)) if rest else tuple(pieces)
