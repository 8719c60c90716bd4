"""Single changes of a text. Each reads its result again: a text that would say anything but the
change asked for is not handed out.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from catalogs.core.document.reading import read
from catalogs.core.editing.nodes import (
    Place,
    at,
    column_of,
    compose,
    end_of,
    first_of,
    is_flow,
    key_of,
)
from catalogs.core.editing.writing import entry, flow, item, scalar

__all__ = ["Place", "UnableToEdit", "add_first", "add_item", "drop", "put", "put_texts"]

_BY_HAND = "change it in the text"


class UnableToEdit(Exception):
    """The text cannot be changed there; the sentence says why and what to do."""


def put(text: str, place: Place, value: object) -> str:
    """Return the text with a value at a place, there or new; the mapping around it must be there.

    Raises UnableToEdit for a text that cannot be read and for a place that is not in it.
    """
    root, plain = _read(text)
    if _reached(plain, place) == value and at(root, place) is not None:
        return text
    parent, key = at(root, place[:-1]), place[-1]
    found = at(root, place)
    if found is not None:
        changed = _replaced(text, found, parent, key, value)
    elif isinstance(parent, MappingNode) and isinstance(key, str):
        changed = _with_key(text, parent, key, value)
    else:
        raise UnableToEdit(f"{_said(place)} is not in the text; {_BY_HAND}.")
    return _checked(changed, plain, place, lambda around: _set(around, key, value))


def add_item(text: str, place: Place, value: object) -> str:
    """Return the text with one item more at the end of the list at a place. Raises UnableToEdit."""
    root, plain = _read(text)
    found = at(root, place)
    if not isinstance(found, SequenceNode) or not found.value:
        return put(text, place, [value])
    if is_flow(found):
        end = end_of(found.value[-1], text)
        changed = f"{text[:end]}, {flow(value)}{text[end:]}"
    else:
        indent = column_of(found)
        end = _line_end(text, end_of(found, text))
        changed = f"{text[:end]}\n{' ' * indent}{item(value, indent)}{text[end:]}"
    return _checked(changed, plain, (*place, -1), lambda around: around.append(value))


def add_first(text: str, place: Place, value: object) -> str:
    """Return the text with one item more at the head of the list at a place, which has some.

    Raises UnableToEdit.
    """
    root, plain = _read(text)
    found = at(root, place)
    if not isinstance(found, SequenceNode) or not found.value:
        return put(text, place, [value])
    start = first_of(found.value[0])
    if is_flow(found):
        changed = f"{text[:start]}{flow(value)}, {text[start:]}"
    else:
        start = first_of(found)
        room = " " * column_of(found)
        changed = f"{text[:start]}- {flow(value)}\n{room}{text[start:]}"
    return _checked(changed, plain, (*place, 0), lambda around: around.insert(0, value))


def drop(text: str, place: Place) -> str:
    """Return the text without the value at a place, its key or dash included.

    What is gone takes the comments inside it along, and those behind it on its last line. Raises
    UnableToEdit.
    """
    root, plain = _read(text)
    parent, found = at(root, place[:-1]), at(root, place)
    if parent is None or found is None:
        raise UnableToEdit(f"{_said(place)} is not in the text; {_BY_HAND}.")
    if len(parent.value) == 1:
        empty: object = {} if isinstance(parent, MappingNode) else []
        return put(text, place[:-1], empty)
    start, end = _whole(text, parent, found, place[-1])
    rest = text[:start] + text[end:]
    return _checked(rest, plain, place, lambda around: _unset(around, place[-1]))


def put_texts(text: str, place: Place, values: Sequence[str]) -> str:
    """Return the text with these texts in the list at a place; those that stay keep their bytes.

    Raises UnableToEdit.
    """
    _, plain = _read(text)
    before = _reached(plain, place)
    if not isinstance(before, list) or not before or not values:
        return put(text, place, list(values)) if before or values else text
    for index, value in enumerate(values[: len(before)]):
        if value != before[index]:
            text = put(text, (*place, index), value)
    for value in values[len(before) :]:
        text = add_item(text, place, value)
    for index in range(len(before) - 1, len(values) - 1, -1):
        text = drop(text, (*place, index))
    return text


def _read(text: str) -> tuple[Node, Any]:
    source = read(text.encode("utf-8", "surrogatepass"))
    root = None if source.complaints else compose(text)
    if root is None or not isinstance(source.value, dict):
        raise UnableToEdit(f"The text cannot be read as a catalog at this moment; {_BY_HAND}.")
    return root, source.value


def _replaced(text: str, found: Node, parent: Node | None, key: str | int, value: object) -> str:
    start, end = first_of(found), end_of(found, text)
    if isinstance(found, ScalarNode):
        is_single = not isinstance(value, dict | list | tuple)
        written = scalar(value, found.style) if is_single else flow(value)
        return _spaced(text, start, end, written)
    if not is_flow(found) and isinstance(parent, MappingNode):
        # A block may stand as far left as its key; what replaces it goes behind the key.
        named = key_of(parent, str(key))
        start = text.index(":", end_of(named, text)) + 1 if named is not None else start
    return _spaced(text, start, end, flow(value))


def _spaced(text: str, start: int, end: int, written: str) -> str:
    before = "" if text[:start].endswith((" ", "\n", "[", "{")) else " "
    return f"{text[:start]}{before}{written}{text[end:]}"


def _with_key(text: str, parent: MappingNode, key: str, value: object) -> str:
    if is_flow(parent) or not parent.value:
        end = end_of(parent.value[-1][1], text) if parent.value else first_of(parent) + 1
        comma = ", " if parent.value else ""
        return f"{text[:end]}{comma}{scalar(key)}: {flow(value)}{text[end:]}"
    indent = column_of(parent.value[0][0])
    end = _line_end(text, end_of(parent, text))
    return f"{text[:end]}\n{' ' * indent}{entry(key, value, indent)}{text[end:]}"


def _whole(text: str, parent: Node, found: Node, key: str | int) -> tuple[int, int]:
    """Return where a value with its key or dash begins and ends."""
    named = key_of(parent, str(key)) if isinstance(parent, MappingNode) else None
    start, end = first_of(named or found), end_of(found, text)
    if is_flow(parent):
        after = text[end:]
        if after.lstrip().startswith(","):
            behind = end + after.index(",") + 1
            return start, behind + len(text[behind:]) - len(text[behind:].lstrip(" "))
        return text.rindex(",", 0, start), end
    if named is None:
        start = text.rindex("-", 0, start)
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].strip():
        # The first key of an item stands behind its dash: the next one takes its place.
        behind = _line_end(text, end) + 1
        return start, behind + len(text[behind:]) - len(text[behind:].lstrip(" "))
    return line, min(_line_end(text, end) + 1, len(text))


def _line_end(text: str, index: int) -> int:
    end = text.find("\n", index)
    return len(text) if end < 0 else end


def _checked(text: str, plain: Any, place: Place, change: Callable[[Any], object]) -> str:
    wanted = copy.deepcopy(plain)
    change(_reached(wanted, place[:-1]))
    source = read(text.encode("utf-8", "surrogatepass"))
    if source.complaints or source.value != wanted:
        raise UnableToEdit(f"{_said(place)} cannot be changed from here; {_BY_HAND}.")
    return text


def _reached(plain: Any, place: Place) -> Any:
    for step in place:
        try:
            plain = plain[step]
        except (KeyError, IndexError, TypeError):
            return None
    return plain


def _set(around: Any, key: str | int, value: object) -> None:
    around[key] = list(value) if isinstance(value, tuple) else value


def _unset(around: Any, key: str | int) -> None:
    del around[key]


def _said(place: Place) -> str:
    return ".".join(str(step) for step in place) or "The catalog"
