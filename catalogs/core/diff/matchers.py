"""Lists of matchers: wider, narrower, or both.

A list hears more when a matcher is added, loses an exemption, or its pattern gains an alternative.
Whether one pattern hears more than another is otherwise not to be told from their letters: that is
both ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from catalogs.core.document import AskMatcher, EventMatcher, Matcher, TextMatcher


class Reach(Enum):
    """How a list of matchers hears beside the one before."""

    SAME = "the same"
    WIDER = "wider"
    NARROWER = "narrower"
    OTHER = "otherwise"


@dataclass(frozen=True, slots=True)
class Heard:
    """How a list of matchers changed, with what came and what went in words."""

    reach: Reach
    text: str


def compare(old: Sequence[Matcher], new: Sequence[Matcher]) -> Heard:
    """Return how one list hears beside the other."""
    before, after = _placeless(old), _placeless(new)
    gone = [one for one in before if one not in after]
    come = [one for one in after if one not in before]
    if not gone and not come:
        return Heard(Reach.SAME, "")
    reaches, left, rest = [], list(gone), list(come)
    for one in gone:
        partner = next((two for two in rest if _reach(one, two) is not Reach.OTHER), None)
        if partner is not None:
            reaches.append(_reach(one, partner))
            left.remove(one)
            rest.remove(partner)
    reaches += [Reach.NARROWER] * len(left) + [Reach.WIDER] * len(rest)
    kinds = set(reaches) - {Reach.SAME}
    reach = kinds.pop() if len(kinds) == 1 else (Reach.OTHER if kinds else Reach.SAME)
    return Heard(reach, _said(gone, come))


def _placeless(matchers: Sequence[Matcher]) -> list[Matcher]:
    return [replace(one, path="") for one in matchers]


def _reach(old: Matcher, new: Matcher) -> Reach:
    """Compare two matchers that differ; OTHER where they are no versions of one another."""
    match old, new:
        case TextMatcher(), TextMatcher():
            parts = [*_shared(old, new), _window(old.within_seconds, new.within_seconds)]
        case AskMatcher(), AskMatcher():
            parts = [
                *_shared(old, new),
                _sets(old.answer_by, new.answer_by),
                _exemption(old.answer_unless, new.answer_unless),
                _order(old.within, new.within),
                _window(old.within_seconds, new.within_seconds),
            ]
        case EventMatcher(), EventMatcher() if old.name == new.name and old.source is new.source:
            same = replace(new, ok=old.ok, where=old.where, within_seconds=old.within_seconds)
            if same != old:
                return Reach.OTHER
            parts = [
                _sets(tuple(new.where.items()), tuple(old.where.items())),
                Reach.SAME if old.ok is new.ok else Reach.OTHER,
                _window(old.within_seconds, new.within_seconds),
            ]
        case _:
            return Reach.OTHER
    kinds = set(parts) - {Reach.SAME}
    if not kinds:
        return Reach.SAME
    return kinds.pop() if len(kinds) == 1 else Reach.OTHER


def _shared(old: TextMatcher | AskMatcher, new: TextMatcher | AskMatcher) -> list[Reach]:
    language = Reach.SAME if old.lang == new.lang else Reach.OTHER
    return [
        _patterns(old.pattern, new.pattern),
        _sets(old.by, new.by),
        _exemption(old.unless, new.unless),
        language,
    ]


def _patterns(old: str, new: str) -> Reach:
    if old == new:
        return Reach.SAME
    if new.startswith(f"{old}|"):
        return Reach.WIDER
    return Reach.NARROWER if old.startswith(f"{new}|") else Reach.OTHER


def _sets(old: Sequence[object], new: Sequence[object]) -> Reach:
    gone = [one for one in old if one not in new]
    come = [one for one in new if one not in old]
    if gone and come:
        return Reach.OTHER
    return Reach.NARROWER if gone else Reach.WIDER if come else Reach.SAME


def _exemption(old: str | None, new: str | None) -> Reach:
    if old == new:
        return Reach.SAME
    if old is None or new is None:
        return Reach.NARROWER if old is None else Reach.WIDER
    turned = {Reach.WIDER: Reach.NARROWER, Reach.NARROWER: Reach.WIDER}
    reach = _patterns(old, new)
    return turned.get(reach, reach)


def _window(old: int | None, new: int | None) -> Reach:
    limits = [float("inf") if one is None else one for one in (old, new)]
    return _order(*limits)


def _order(old: float, new: float) -> Reach:
    return Reach.SAME if old == new else Reach.WIDER if new > old else Reach.NARROWER


def _said(gone: Sequence[Matcher], come: Sequence[Matcher]) -> str:
    parts = [f"{len(come)} new or changed"] if come else []
    if gone:
        parts.append(f"{len(gone)} gone or changed")
    return ", ".join(parts)
