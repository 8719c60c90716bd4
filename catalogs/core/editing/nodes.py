"""Where each value of a text stands: nodes with their first and last character.

The YAML library's end of a block lies behind the comments that follow it; here a block ends where
its last value ends, so that a comment stays with what it stands above.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

Place: TypeAlias = tuple[str | int, ...]
"""A way through a catalog: keys of mappings and positions in lists, from its root."""


def compose(text: str) -> Node | None:
    """Return the root of a text that `reading.read` has no complaint of; None for an empty one."""
    root: Node | None = YAML(typ="safe", pure=True).compose(text)
    return root


def child(node: Node, step: str | int) -> Node | None:
    """Return the value under a key or at a position, None where there is none."""
    if isinstance(node, MappingNode):
        return next((value for key, value in node.value if key.value == step), None)
    if isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.value):
        found: Node = node.value[step]
        return found
    return None


def at(root: Node, place: Place) -> Node | None:
    """Return the value at a place, None where there is none."""
    node: Node | None = root
    for step in place:
        node = child(node, step) if node is not None else None
    return node


def key_of(node: Node, key: str) -> Node | None:
    """Return the node of a key itself."""
    pairs = node.value if isinstance(node, MappingNode) else []
    return next((found for found, _ in pairs if found.value == key), None)


def first_of(node: Node) -> int:
    """Return the index of a value's first character."""
    return _index(node.start_mark)


def end_of(node: Node, text: str) -> int:
    """Return the index behind a value's last character."""
    if is_flow(node) or not node.value:
        return _index(node.end_mark)
    if isinstance(node, ScalarNode):
        end = _index(node.end_mark)
        # A block scalar's end is the start of what follows it.
        return len(text[:end].rstrip("\n ")) if node.style in ("|", ">") else end
    last = node.value[-1]
    return end_of(last[1] if isinstance(node, MappingNode) else last, text)


def is_flow(node: Node) -> bool:
    """Say whether a mapping or list is written in braces or brackets."""
    return isinstance(node, MappingNode | SequenceNode) and bool(node.flow_style)


def column_of(node: Node) -> int:
    """Return how far a value stands from the left."""
    return int(node.start_mark.column)


def _index(mark: Any) -> int:
    return int(mark.index)
