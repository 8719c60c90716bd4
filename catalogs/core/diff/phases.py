"""What differs between two versions of one phase."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from catalogs.core.diff.change import Change, Effect, stronger
from catalogs.core.diff.matchers import Reach, compare
from catalogs.core.document import (
    AcceptItem,
    CriticalEdge,
    FinishRule,
    Matcher,
    Mode,
    Phase,
    Precedence,
    Required,
    RequiredKind,
    Scope,
)
from catalogs.core.requirements import Expression

_TIGHTER = Effect.PASS_TO_FAIL
_LOOSER = Effect.FAIL_TO_PASS
_DUTY = {RequiredKind.OPTIONAL: 0, RequiredKind.WHEN: 1, RequiredKind.ALWAYS: 2}
_MODE = {Mode.EITHER: 0, Mode.INFORMATIONAL: 1, Mode.PROCEDURAL: 1}


def phase_added(phase: Phase) -> Iterator[Change]:
    """Say that a phase is new, and which critical edges come with it."""
    owed = phase.required.kind is not RequiredKind.OPTIONAL
    text = f"phase {phase.id} ({phase.name}) added, owed {duty(phase.required)}"
    yield Change(phase.id, "phase", _TIGHTER if owed else Effect.WORDS, text)
    for edge in phase.critical:
        yield _edge_added(phase, edge)


def phase_removed(phase: Phase) -> Iterator[Change]:
    """Say that a phase is gone."""
    text = f"phase {phase.id} ({phase.name}) removed; nothing asks for it any more"
    yield Change(phase.id, "phase", _LOOSER, text)


def duty(required: Required) -> str:
    """Say when a phase is owed."""
    if required.kind is RequiredKind.WHEN and required.when is not None:
        return f"when {required.when.source}"
    return "in every call" if required.kind is RequiredKind.ALWAYS else "never (optional)"


def phase_changes(old: Phase, new: Phase) -> Iterator[Change]:
    """Yield what differs between two versions of a phase."""
    if old.id != new.id:
        text = f"phase {old.id} is now {new.id}"
        yield Change(new.id, "id", Effect.WORDS, text)
    yield from _required(old, new)
    yield from _edges(old, new)
    yield from _items(old, new)
    yield from _matchers(new.id, "starts", "what starts the phase", old.starts, new.starts)
    yield from _matchers(new.id, "ack", "what takes up earlier words", old.ack, new.ack)
    yield from _matchers(
        new.id, "contradicts", "what revokes the phase", old.contradicts, new.contradicts
    )
    yield from _policies(old, new)
    yield from _words(old, new)


def _required(old: Phase, new: Phase) -> Iterator[Change]:
    before, after = old.required, new.required
    if before.kind is after.kind and _same(before.when, after.when):
        return
    step = _DUTY[after.kind] - _DUTY[before.kind]
    effect = stronger(tightens=step > 0) if step else Effect.EITHER
    text = f"owed {duty(after)}; before: {duty(before)}"
    yield Change(new.id, "required", effect, text)


def _same(old: Expression | None, new: Expression | None) -> bool:
    return (None if old is None else old.node) == (None if new is None else new.node)


def _edges(old: Phase, new: Phase) -> Iterator[Change]:
    before = {edge.parent: edge for edge in old.critical}
    after = {edge.parent: edge for edge in new.critical}
    for name, edge in before.items():
        if name not in after:
            text = f"critical edge {name}→{new.id} removed: this order no longer decides"
            yield Change(new.id, f"critical_parents.{name}", _LOOSER, text)
        else:
            yield from _edge(new.id, edge, after[name])
    for name, edge in after.items():
        if name not in before:
            yield _edge_added(new, edge)
    for name in old.parents:
        if name not in new.parents and name not in before:
            yield Change(new.id, "parents", Effect.WORDS, f"advice {name}→{new.id} removed")
    for name in new.parents:
        if name not in old.parents and name not in after:
            yield Change(new.id, "parents", Effect.WORDS, f"advice {name}→{new.id} added")


def _edge_added(phase: Phase, edge: CriticalEdge) -> Change:
    text = (
        f"critical edge {edge.parent}→{phase.id} added: {edge.parent} must finish before "
        f"{phase.id} starts ({phase.precedence.value}){_when(edge.when)}"
    )
    return Change(phase.id, f"critical_parents.{edge.parent}", _TIGHTER, text)


def _when(when: Expression | None) -> str:
    return f", when {when.source}" if when else ""


def _edge(phase: str, old: CriticalEdge, new: CriticalEdge) -> Iterator[Change]:
    name, key = f"{old.parent}→{phase}", f"critical_parents.{old.parent}"
    if not _same(old.when, new.when):
        effect = _TIGHTER if new.when is None else _LOOSER if old.when is None else Effect.EITHER
        text = f"critical edge {name} binds {_binds(new.when)}; before: {_binds(old.when)}"
        yield Change(phase, key, effect, text)
    if old.scope is not new.scope:
        each = "for each item" if new.scope is Scope.ITEM else "over the whole call"
        yield Change(phase, key, Effect.EITHER, f"critical edge {name} is compared {each}")
    if old.rationale != new.rationale:
        yield Change(phase, key, Effect.WORDS, f"rationale of {name} reworded")
    if old.sources != new.sources:
        cited = ", ".join(new.sources) or "nothing"
        yield Change(phase, key, Effect.WORDS, f"critical edge {name} now rests on {cited}")


def _binds(when: Expression | None) -> str:
    return f"when {when.source}" if when else "always"


def _items(old: Phase, new: Phase) -> Iterator[Change]:
    before = {item.id: item for item in old.accept}
    after = {item.id: item for item in new.accept}
    needs_all = new.finish is FinishRule.ALL
    for name, item in after.items():
        if name not in before:
            text = f"acceptance item {name} added: {item.text}"
            yield Change(new.id, f"accept.{name}", stronger(tightens=needs_all), text)
        else:
            yield from _item(new.id, before[name], item)
    for name, item in before.items():
        if name not in after:
            text = f"acceptance item {name} removed: {item.text}"
            yield Change(new.id, f"accept.{name}", stronger(tightens=not needs_all), text)


def _item(phase: str, old: AcceptItem, new: AcceptItem) -> Iterator[Change]:
    key = f"accept.{new.id}"
    if old.text != new.text:
        yield Change(phase, key, Effect.WORDS, f"acceptance item {new.id} reads: {new.text}")
    if not _same(old.when, new.when):
        effect = _TIGHTER if new.when is None else _LOOSER if old.when is None else Effect.EITHER
        yield Change(phase, key, effect, f"acceptance item {new.id} is asked {_binds(new.when)}")
    yield from _matchers(phase, key, f"what shows {new.id}", old.match, new.match)
    yield from _matchers(phase, f"{key}.ack", f"what takes {new.id} up", old.ack, new.ack)


_REACHES = {Reach.WIDER: "widened", Reach.NARROWER: "narrowed", Reach.OTHER: "changed"}


def _matchers(
    phase: str, key: str, what: str, old: Sequence[Matcher], new: Sequence[Matcher]
) -> Iterator[Change]:
    heard = compare(old, new)
    if heard.reach is Reach.SAME:
        return
    # An earlier start may break an order, a missed one leaves the row without its start.
    effect = Effect.EITHER
    if key != "starts" and heard.reach is not Reach.OTHER:
        tightens = heard.reach is Reach.NARROWER
        effect = stronger(tightens=tightens is not (key == "contradicts"))
    text = f"{what}: anchors {_REACHES[heard.reach]} ({heard.text})"
    yield Change(phase, key, effect, text)


def _policies(old: Phase, new: Phase) -> Iterator[Change]:
    for key, read, effect in _POLICIES:
        before, after = read(old), read(new)
        if before != after:
            text = f"{key} is {_value(after)}; before: {_value(before)}"
            yield Change(new.id, key, effect(old, new), text)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "not given" if value is None else str(getattr(value, "value", value))


def _either(_old: Phase, _new: Phase) -> Effect:
    return Effect.EITHER


def _mode(old: Phase, new: Phase) -> Effect:
    step = _MODE[new.mode] - _MODE[old.mode]
    return stronger(tightens=step > 0) if step else Effect.EITHER


def _counts_early(phase: Phase) -> bool:
    return phase.volunteered is None or phase.volunteered.accept


_POLICIES: tuple[tuple[str, Callable[[Phase], object], Callable[[Phase, Phase], Effect]], ...] = (
    (
        "precedence",
        lambda phase: phase.precedence,
        lambda _, new: stronger(tightens=new.precedence is Precedence.STRICT),
    ),
    (
        "finish",
        lambda phase: phase.finish,
        lambda _, new: stronger(tightens=new.finish is FinishRule.ALL),
    ),
    (
        "ack_required",
        lambda phase: phase.ack_required,
        lambda _, new: stronger(tightens=new.ack_required),
    ),
    (
        "volunteered.accept",
        _counts_early,
        lambda _, new: stronger(tightens=not _counts_early(new)),
    ),
    ("mode", lambda phase: phase.mode, _mode),
    ("starts_on", lambda phase: phase.starts_on, _either),
    ("for_each", lambda phase: phase.for_each, _either),
    ("low_harm", lambda phase: phase.low_harm, _either),
)
"""The policies of a phase: the key, how it is read, and what a change of it can do."""


def _words(old: Phase, new: Phase) -> Iterator[Change]:
    for key, read, text in _TEXTS:
        if read(old) != read(new):
            yield Change(new.id, key, Effect.WORDS, text.format(new=new))


_TEXTS: tuple[tuple[str, Callable[[Phase], object], str], ...] = (
    ("name", lambda phase: phase.name, "named {new.name}"),
    ("intent", lambda phase: phase.intent, "intent reworded: {new.intent}"),
    ("basis", lambda phase: phase.basis, "rests on other sources"),
    ("rubric.pass", lambda phase: phase.rubric.passing, "examples that pass changed"),
    ("rubric.fail", lambda phase: phase.rubric.failing, "examples that fail changed"),
    ("counterexamples", lambda phase: phase.counterexamples, "counterexamples changed"),
    ("facts", lambda phase: set(phase.facts), "yields other facts"),
    ("graded", lambda phase: phase.graded_tau, "its graded share, which never decides, changed"),
    ("note", lambda phase: phase.note, "note changed"),
    (
        "volunteered.rationale",
        lambda phase: phase.volunteered and phase.volunteered.rationale,
        "rationale of what is volunteered reworded",
    ),
    ("replaces", lambda phase: phase.replaces, "says which phase it replaces"),
)
