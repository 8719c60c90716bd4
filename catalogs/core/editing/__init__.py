"""Changing single values of a catalog's text and leaving every other byte as it stands.

A form writes here: the text that an author sees stays theirs, comments, quotes and line breaks
included. `nodes` finds where a value stands, `writing` says how a new one is written, `changing`
puts the two together and reads the result again before it is handed out.
"""

from catalogs.core.editing.changing import (
    Place,
    UnableToEdit,
    add_first,
    add_item,
    drop,
    put,
    put_texts,
)
from catalogs.core.editing.edits import (
    WORDS_OF_DUTY,
    Edit,
    EditKind,
    NewEdge,
    NewPhase,
    add_accept_item,
    add_anchor,
    add_edge,
    add_phase,
    apply,
    read_place,
    remove_edge,
    remove_phase,
)
from catalogs.core.editing.starting import (
    Start,
    empty_catalog,
    next_version,
    renumbered,
    with_line_ends_of,
)

__all__ = [
    "WORDS_OF_DUTY",
    "Edit",
    "EditKind",
    "NewEdge",
    "NewPhase",
    "Place",
    "Start",
    "UnableToEdit",
    "add_accept_item",
    "add_anchor",
    "add_edge",
    "add_first",
    "add_item",
    "add_phase",
    "apply",
    "drop",
    "empty_catalog",
    "next_version",
    "put",
    "put_texts",
    "read_place",
    "remove_edge",
    "remove_phase",
    "renumbered",
    "with_line_ends_of",
]
