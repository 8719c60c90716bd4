"""What the form of a draft sends: which values change, and which phases, items and edges come or
go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from catalogs.core.editing import (
    WORDS_OF_DUTY,
    Edit,
    EditKind,
    NewEdge,
    NewPhase,
    UnableToEdit,
    add_accept_item,
    add_anchor,
    add_edge,
    add_phase,
    apply,
    read_place,
    remove_edge,
    remove_phase,
)
from catalogs.core.requirements import ExpressionError, parse

_KINDS = {kind.value: kind for kind in EditKind}
_LONGEST_PLACE = 200
_CONDITIONS = frozenset({"applies_to", "when"})
_AROUND = 30


def changed_text(text: str, sent: Mapping[str, str]) -> str:
    """Return the text as a form wants it. Raises UnableToEdit with what is to be done."""
    act = sent.get("act", "change")
    if act == "change":
        return apply(text, list(_edits(sent)))
    make = _ACTS.get(act)
    if make is None:
        raise UnableToEdit("Choose what to change.")
    return make(text, sent)


def expression_errors(sent: Mapping[str, str]) -> dict[str, str]:
    """Return what is wrong with the expressions that a form sends, by the name of their field.

    Names are lint's to check: a form may speak of a phase that is still to come.
    """
    return {
        name: said for name, typed in sent.items() if (said := _unreadable(name, typed.strip()))
    }


def _unreadable(name: str, typed: str) -> str:
    kind, _, place = name.partition(":")
    is_duty = kind == EditKind.DUTY.value and typed not in WORDS_OF_DUTY
    is_condition = kind == EditKind.MAYBE.value and place.rpartition(".")[2] in _CONDITIONS
    if not typed or typed == "always" or not (is_duty or is_condition):
        return ""
    try:
        parse(typed)
    except ExpressionError as bad:
        here = typed[max(0, bad.position - _AROUND) : bad.position]
        return (
            f"At character {bad.position + 1}, after {here!r}: {bad.sentence}"
            if here
            else (f"At character {bad.position + 1}: {bad.sentence}")
        )
    return ""


def _edits(sent: Mapping[str, str]) -> Iterator[Edit]:
    for name, typed in sent.items():
        kind, colon, written = name.partition(":")
        if colon and kind in _KINDS and len(written) <= _LONGEST_PLACE:
            yield Edit(_KINDS[kind], read_place(written), typed)


def _words(sent: Mapping[str, str], name: str, label: str) -> str:
    typed = sent.get(name, "").strip()
    if not typed:
        raise UnableToEdit(f"{label} is missing; type it.")
    return typed


def _add_phase(text: str, sent: Mapping[str, str]) -> str:
    phase = NewPhase(
        id=_words(sent, "new_id", "The id"),
        name=_words(sent, "new_name", "The name"),
        intent=_words(sent, "new_intent", "The intent"),
        role=_words(sent, "new_role", "Who says it"),
        pattern=_words(sent, "new_pattern", "The pattern"),
    )
    return add_phase(text, phase)


def _add_item(text: str, sent: Mapping[str, str]) -> str:
    pattern = _words(sent, "item_pattern", "The pattern")
    item = {
        "id": _words(sent, "item_id", "The id"),
        "text": _words(sent, "item_text", "What must be shown"),
        "match": [{"re": pattern, "by": [_words(sent, "item_role", "Who says it")]}],
    }
    return add_accept_item(text, sent.get("phase", ""), item)


def _add_anchor(text: str, sent: Mapping[str, str]) -> str:
    role = _words(sent, "anchor_role", "Who says it")
    return add_anchor(
        text, sent.get("phase", ""), _words(sent, "anchor_pattern", "The pattern"), role
    )


def _add_edge(text: str, sent: Mapping[str, str]) -> str:
    sources = tuple(sent.get("sources", "").split())
    edge = NewEdge(
        parent=sent.get("parent", ""),
        child=sent.get("child", ""),
        is_critical=sent.get("critical") == "yes",
        rationale=sent.get("rationale", "").strip(),
        sources=sources,
    )
    return add_edge(text, edge)


def _remove_phase(text: str, sent: Mapping[str, str]) -> str:
    return remove_phase(text, sent.get("phase", ""))


def _remove_edge(text: str, sent: Mapping[str, str]) -> str:
    return remove_edge(text, sent.get("parent", ""), sent.get("child", ""))


_ACTS: Mapping[str, Callable[[str, Mapping[str, str]], str]] = {
    "add-phase": _add_phase,
    "remove-phase": _remove_phase,
    "add-item": _add_item,
    "add-anchor": _add_anchor,
    "add-edge": _add_edge,
    "remove-edge": _remove_edge,
}
"""What a form may ask for beside changed values."""
