"""What a form changes of a catalog's text: values at places, and whole phases, items and edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from catalogs.core.document.reading import read
from catalogs.core.editing.changing import Place, UnableToEdit, add_item, drop, put, put_texts

WORDS_OF_DUTY = frozenset({"always", "optional"})


class EditKind(Enum):
    """How the typed words become a value: a text that must be there, one that may be left out, a
    list of texts by line, or a duty (always, optional or a condition).
    """

    TEXT = "text"
    MAYBE = "maybe"
    LINES = "lines"
    DUTY = "duty"


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of one value."""

    kind: EditKind
    place: Place
    typed: str


@dataclass(frozen=True, slots=True)
class NewPhase:
    """A phase to add behind the others, with the words that show it."""

    id: str
    name: str
    intent: str
    role: str
    pattern: str


@dataclass(frozen=True, slots=True)
class NewEdge:
    """An edge to add; without criticality it is advice."""

    parent: str
    child: str
    is_critical: bool
    rationale: str
    sources: tuple[str, ...]


def read_place(written: str) -> Place:
    """Read a place as a form writes it.

    >>> read_place("phases.0.rubric.pass")
    ('phases', 0, 'rubric', 'pass')
    """
    return tuple(int(step) if step.isdecimal() else step for step in written.split("."))


def apply(text: str, edits: Sequence[Edit]) -> str:
    """Return the text with every edit made; what was not changed keeps its bytes.

    Raises UnableToEdit for a text that cannot be read, and for a place that is not in it.
    """
    data = read(text.encode("utf-8", "surrogatepass")).value
    for edit in edits:
        before = _reached(data, edit.place)
        wanted = _wanted(edit, before)
        if wanted != before:
            text = _changed(text, edit, wanted)
    return text


def _wanted(edit: Edit, before: Any) -> Any:
    """Return the value that an edit asks for: the one before where the typed words say the same."""
    typed = edit.typed.replace("\r\n", "\n").strip()
    match edit.kind:
        case EditKind.TEXT:
            if not isinstance(before, str):
                raise UnableToEdit(_not_there(edit.place))
            return before if typed == before.strip() else typed
        case EditKind.MAYBE:
            is_same = typed == ("" if before is None else str(before).strip())
            return before if is_same else typed or None
        case EditKind.LINES:
            lines = [line.strip() for line in typed.split("\n") if line.strip()]
            return before if lines == (before or []) else lines
        case EditKind.DUTY:
            duty: object = typed if typed in WORDS_OF_DUTY else {"when": typed}
            return duty if typed else before


def _changed(text: str, edit: Edit, wanted: Any) -> str:
    if edit.kind is EditKind.LINES:
        return put_texts(text, edit.place, wanted)
    return drop(text, edit.place) if wanted is None else put(text, edit.place, wanted)


def add_phase(text: str, phase: NewPhase) -> str:
    """Return the text with a new phase at its end, complete enough to be read.

    Raises UnableToEdit.
    """
    if phase.id in _phase_ids(text):
        raise UnableToEdit(f"The phase {phase.id} is there already; give the new one another id.")
    matcher = {"re": phase.pattern, "by": [phase.role]}
    added: dict[str, object] = {
        "id": phase.id,
        "name": phase.name,
        "intent": phase.intent,
        "required": "always",
        "starts": [matcher],
        "accept": [{"id": "said", "text": phase.intent, "match": [dict(matcher)]}],
        "rubric": {"pass": [], "fail": []},
    }
    return add_item(text, ("phases",), added)


def remove_phase(text: str, phase: str) -> str:
    """Return the text without a phase and without the edges into others. Raises UnableToEdit."""
    index = _index(text, phase)
    for other in range(len(_phase_ids(text))):
        if other != index:
            text = _without_parent(text, other, phase)
    return drop(text, ("phases", index))


def add_accept_item(text: str, phase: str, item: Mapping[str, object]) -> str:
    """Return the text with one more thing that a phase must show. Raises UnableToEdit."""
    return add_item(text, ("phases", _index(text, phase), "accept"), dict(item))


def add_anchor(text: str, phase: str, pattern: str, role: str) -> str:
    """Return the text with one more pattern that starts a phase. Raises UnableToEdit."""
    place = ("phases", _index(text, phase), "starts")
    return add_item(text, place, {"re": pattern, "by": [role]})


def add_edge(text: str, edge: NewEdge) -> str:
    """Return the text with one more edge of the order. Raises UnableToEdit."""
    known = _phase_ids(text)
    if edge.parent not in known or edge.child not in known or edge.parent == edge.child:
        raise UnableToEdit("An edge leads from one phase of the catalog to another; choose two.")
    place: Place = ("phases", known.index(edge.child))
    parents = _value(text, (*place, "parents")) or []
    if edge.parent not in parents:
        text = put_texts(text, (*place, "parents"), [*parents, edge.parent])
    if not edge.is_critical:
        return text
    rule: dict[str, object] = {"sources": list(edge.sources)}
    if edge.rationale:
        rule = {"rationale": edge.rationale, **rule}
    around = (*place, "critical_parents")
    if not _value(text, around):
        return put(text, around, {edge.parent: rule})
    return put(text, (*around, edge.parent), rule)


def remove_edge(text: str, parent: str, child: str) -> str:
    """Return the text without an edge, critical or not. Raises UnableToEdit."""
    return _without_parent(text, _index(text, child), parent)


def _without_parent(text: str, index: int, parent: str) -> str:
    place: Place = ("phases", index)
    parents = _value(text, (*place, "parents")) or []
    if parent in parents:
        text = drop(text, (*place, "parents", parents.index(parent)))
    rules = _value(text, (*place, "critical_parents")) or {}
    if parent not in rules:
        return text
    if len(rules) == 1:
        return drop(text, (*place, "critical_parents"))
    return drop(text, (*place, "critical_parents", parent))


def _index(text: str, phase: str) -> int:
    known = _phase_ids(text)
    if phase not in known:
        raise UnableToEdit("The catalog has no such phase by now; look at the page again.")
    return known.index(phase)


def _phase_ids(text: str) -> list[str]:
    phases = _value(text, ("phases",))
    rows = phases if isinstance(phases, list) else []
    return [str(row.get("id")) if isinstance(row, dict) else "" for row in rows]


def _value(text: str, place: Place) -> Any:
    return _reached(read(text.encode("utf-8", "surrogatepass")).value, place)


def _reached(value: Any, place: Place) -> Any:
    for step in place:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _not_there(place: Place) -> str:
    return f"{'.'.join(map(str, place))} is not in the text by now; look at the page again."
