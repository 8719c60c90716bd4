"""What differs between two catalogs as a whole: phases by their ids, then what they share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from catalogs.core.diff.change import Change, Effect
from catalogs.core.diff.matchers import Reach, compare
from catalogs.core.diff.phases import phase_added, phase_changes, phase_removed
from catalogs.core.document import Document, Fact, Phase
from catalogs.core.requirements import Expression, free_facts


def diff(old: Document, new: Document) -> tuple[Change, ...]:
    """Return every change from one document to the other, phase by phase in the new order.

    Nothing for equal content. Source: design 2 (Diff).
    """
    if old.digest == new.digest:
        return ()
    found = [*_of_phases(old, new), *_of_facts(old, new), *_of_catalog(old, new)]
    if not found:
        text = "the text differs in what decides nothing (layout of values, tests or change log)"
        found.append(Change("", "", Effect.WORDS, text))
    return tuple(dict.fromkeys(found))


def _of_phases(old: Document, new: Document) -> Iterator[Change]:
    before = {phase.id: phase for phase in old.phases}
    matched: set[str] = set()
    for phase in new.phases:
        partner = _partner(phase, before, {one.id for one in new.phases})
        if partner is None:
            yield from phase_added(phase)
        else:
            matched.add(partner.id)
            yield from phase_changes(partner, phase)
    for phase in old.phases:
        if phase.id not in matched:
            yield from phase_removed(phase)


def _partner(phase: Phase, before: Mapping[str, Phase], kept: set[str]) -> Phase | None:
    if phase.id in before:
        return before[phase.id]
    if phase.replaces is None or phase.replaces in kept:
        return None
    return before.get(phase.replaces)


def _of_facts(old: Document, new: Document) -> Iterator[Change]:
    read = _facts_read(old) | _facts_read(new)
    for name in dict.fromkeys((*old.facts, *new.facts)):
        before, after = old.facts.get(name), new.facts.get(name)
        effect = Effect.EITHER if name in read else Effect.WORDS
        if after is None:
            yield Change("", f"facts.{name}", effect, f"fact {name} removed")
        elif before is None:
            yield Change("", f"facts.{name}", effect, f"fact {name} added: {after.meaning}")
        elif _decides(before) != _decides(after):
            heard = compare(before.true_if, after.true_if)
            how = f" ({heard.reach.value})" if heard.reach is not Reach.SAME else ""
            yield Change("", f"facts.{name}", effect, f"fact {name} is found otherwise{how}")
        elif before.meaning != after.meaning:
            yield Change("", f"facts.{name}", Effect.WORDS, f"fact {name} reworded")


def _facts_read(document: Document) -> set[str]:
    conditions: list[Expression | None] = []
    for phase in document.phases:
        conditions += [phase.required.when, *(edge.when for edge in phase.critical)]
        conditions += [item.when for item in phase.accept]
    return {name for one in conditions if one is not None for name in free_facts(one)}


def _decides(fact: Fact) -> object:
    matchers = tuple(replace(one, path="") for one in fact.true_if)
    value = None if fact.value is None else replace(fact.value, path="")
    return fact.type, fact.source, matchers, value, fact.otherwise, fact.review_unknown


def _of_catalog(old: Document, new: Document) -> Iterator[Change]:
    for key, read, effect, text in _SHARED:
        before, after = read(old), read(new)
        if before != after:
            said = text.format(old=before or "nothing", new=after or "nothing")
            yield Change("", key, effect, said)


def _condition(document: Document) -> object:
    return "" if document.applies_to is None else document.applies_to.source


def _days(document: Document) -> object:
    last = document.effective_to.isoformat() if document.effective_to else "open"
    return f"{document.effective_from.isoformat()} to {last}"


_SHARED: tuple[tuple[str, Callable[[Document], object], Effect, str], ...] = (
    ("catalog", lambda one: one.slug, Effect.WORDS, "another catalog: {new}; before: {old}"),
    ("version", lambda one: one.version, Effect.WORDS, "version {new}; before: {old}"),
    ("title", lambda one: one.title, Effect.WORDS, "title: {new}"),
    ("effective", _days, Effect.WORDS, "in force {new}; before: {old}"),
    (
        "applies_to",
        _condition,
        Effect.EITHER,
        "judges other calls: those where {new}; before: {old}",
    ),
    (
        "clock",
        lambda one: "exact" if one.clock_exact else "coarse",
        Effect.EITHER,
        "clock is {new}; before: {old}",
    ),
    ("languages", lambda one: ", ".join(one.languages), Effect.WORDS, "languages: {new}"),
    ("inputs", lambda one: dict(one.inputs), Effect.EITHER, "declares other attributes of a call"),
    (
        "speakers",
        lambda one: dict(one.speakers),
        Effect.WORDS,
        "speakers changed",
    ),
    ("events", lambda one: dict(one.events), Effect.EITHER, "declares other events"),
    ("labels", lambda one: dict(one.labels), Effect.WORDS, "labels changed"),
    ("sources", lambda one: dict(one.sources), Effect.WORDS, "sources changed"),
    ("owner", lambda one: one.data.get("owner"), Effect.WORDS, "owner changed"),
    ("tests", lambda one: one.data.get("tests"), Effect.WORDS, "tests changed"),
    ("waivers", lambda one: one.data.get("waivers"), Effect.WORDS, "waivers changed"),
    ("review_by", lambda one: one.data.get("review_by"), Effect.WORDS, "to be reviewed by {new}"),
    ("turn_base", lambda one: one.turn_base, Effect.EITHER, "turns are counted from {new}"),
)
"""What a catalog's phases share: the key, how it is read, what a change can do, and its words."""
