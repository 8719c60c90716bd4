"""Plain values against their shapes: unknown and missing keys, wrong kinds, keys that do not go
together.

Yields complaints (code, path, sentence) and raises nothing; a document without complaints here can
be built.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from catalogs.core.document.complaint import Complaint
from catalogs.core.document.shapes import MATCHER_KINDS, SHAPES, Field, Kind, Many, Shape
from catalogs.core.requirements import KEYWORDS

CUT_SENTENCE = "W120"

_WORD_ID = re.compile(r"[a-z][a-z0-9_]*")
_PHASE_ID = re.compile(r"[A-Z][A-Z0-9_]{1,23}")
_VERSION = re.compile(r"(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})")

_SLUG = re.compile(r"[a-z][a-z0-9]*(-{1,2}[a-z0-9]+)*")
_BASE = re.compile(rf"{_SLUG.pattern}@(0|[1-9][0-9]{{0,5}})")
_SMALL = "use small letters, digits and _, letter first, and no word of the condition language"
_NAME_SHAPES = {
    "facts": (_WORD_ID, _SMALL),
    "speakers": (_WORD_ID, _SMALL),
    "inputs": (re.compile(r"call\.[a-z][a-z0-9_]*"), "write call. and small letters, digits and _"),
    "events": (re.compile(r"[A-Za-z][A-Za-z0-9_.:/-]*"), "use letters, digits and . _ : / -"),
    "sources": (re.compile(r"[A-Z][A-Z0-9_]*"), "use capitals, digits and _, letter first"),
}
"""How names of each table look, and what to tell an author whose name looks otherwise."""

_TYPES: dict[Kind, tuple[type, ...]] = {
    Kind.TEXT: (str,),
    Kind.TRUTH: (bool,),
    Kind.COUNT: (int,),
    Kind.NUMBER: (int, Decimal),
    Kind.DATE: (date,),
    Kind.SCALAR: (str, int, Decimal, bool, date),
}


def check(value: object) -> Iterator[Complaint]:
    """Check a whole catalog, or an overlay."""
    if not isinstance(value, dict):
        text = (
            f"a catalog is keys and values, not {_said(value)}; start with `format: oip-catalog/1`"
        )
        yield Complaint("E117", "", text, 1)
        return
    yield from _shape(value, "overlay" if is_overlay(value) else "catalog", "")
    yield from _version(value)


def is_overlay(value: object) -> bool:
    """Say whether this is an overlay: it names a base and has no phases of its own to list."""
    return isinstance(value, dict) and bool(value.get("extends")) and "phases" not in value


def _shape(value: object, name: str, path: str) -> Iterator[Complaint]:
    if not isinstance(value, dict):
        yield Complaint("E117", path, f"keys and values are expected here, this is {_said(value)}")
        return
    shape = SHAPES[name]
    for key in value:
        if key not in shape:
            yield _unknown(key, value[key], shape, path)
    for key, field in shape.items():
        if key in value and not _is_missing(value[key], field):
            yield from _field(value[key], field, _join(path, key))
        elif field.required:
            yield Complaint(field.absent, path, f"the key {key!r} is missing or empty; add it")
    if name in _TOGETHER:
        yield from _TOGETHER[name](value, path)


def _unknown(key: str, value: object, shape: Shape, path: str) -> Complaint:
    if value is None and " " in key:
        # {says: used, disclosed or told} reads as two keys; nothing but the end of a sentence is
        # lost.
        text = f"a comma cut a sentence before {key[:40]!r}; put quotes around the whole sentence"
        return Complaint(CUT_SENTENCE, _join(path, key), text)
    return Complaint(
        "E101", _join(path, key), f"unknown key {key[:40]!r}; {_suggestion(key, list(shape))}"
    )


def _is_missing(value: object, field: Field) -> bool:
    return field.required and (value is None or (not field.may_be_empty and value in ("", [])))


def _suggestion(key: str, known: list[str]) -> str:
    near = difflib.get_close_matches(key[:40], known, n=1)
    return f"did you mean {near[0]!r}?" if near else "remove it, or see docs/catalog-format.md"


def _field(value: object, field: Field, path: str) -> Iterator[Complaint]:
    if value is None and field.nullable:
        return
    if field.many is Many.ONE:
        yield from _one(value, field, path)
    elif field.many is Many.LIST:
        yield from _list(value, field, path)
    else:
        if not isinstance(value, dict):
            yield Complaint(
                "E117", path, f"names with values are expected here, this is {_said(value)}"
            )
            return
        each = _list if field.many is Many.LISTS else _one
        for key, item in value.items():
            yield from each(item, field, _join(path, key))


def _list(value: object, field: Field, path: str) -> Iterator[Complaint]:
    if not isinstance(value, list):
        yield Complaint(
            "E117", path, f"a list is expected here, this is {_said(value)}; put [ ] around it"
        )
        return
    for index, item in enumerate(value):
        yield from _one(item, field, f"{path}[{index}]")


def _one(value: object, field: Field, path: str) -> Iterator[Complaint]:
    match field.kind:
        case Kind.SHAPED:
            yield from _shape(value, field.shape or "", path)
        case Kind.REQUIRED:
            yield from _required(value, path)
        case Kind.FOR_EACH:
            yield from _for_each(value, path)
        case Kind.OUTCOME:
            if not isinstance(value, bool) and value != "any":
                yield Complaint(
                    "E118", path, f"true, false or any is expected here, this is {_said(value)}"
                )
        case Kind.TEXTS:
            yield from _texts(value, path)
        case Kind.FREE:
            return
        case _:
            yield from _scalar(value, field, path)


def _scalar(value: object, field: Field, path: str) -> Iterator[Complaint]:
    # True is an int to Python, never to an author.
    fits = isinstance(value, _TYPES[field.kind]) and (
        not isinstance(value, bool) or field.kind in (Kind.TRUTH, Kind.SCALAR)
    )
    if not fits:
        hint = (
            "; put quotes around it"
            if field.kind is Kind.TEXT and not isinstance(value, dict | list)
            else ""
        )
        text = f"{field.kind.value} is expected here, this is {_said(value)}{hint}"
        yield Complaint(field.code or "E117", path, text)
    elif field.choices and value not in field.choices:
        yield Complaint(
            field.code or "E118", path, f"{_said(value)} is not one of: {', '.join(field.choices)}"
        )
    elif field.least is not None and isinstance(value, int) and value < field.least:
        yield Complaint("E118", path, f"{value} is too small; {field.least} or more is expected")


def _texts(value: object, path: str) -> Iterator[Complaint]:
    items = value if isinstance(value, list) else [value]
    if not items or not all(isinstance(item, str) and item for item in items):
        yield Complaint(
            "E117", path, f"a name or a list of names is expected here, this is {_said(value)}"
        )


def _required(value: object, path: str) -> Iterator[Complaint]:
    if isinstance(value, dict):
        yield from _shape(value, "required_when", path)
    elif value not in ("always", "optional"):
        text = f"always, optional or {{when: condition}} is expected here, this is {_said(value)}"
        yield Complaint("E118", path, text)


def _for_each(value: object, path: str) -> Iterator[Complaint]:
    if isinstance(value, dict):
        yield from _shape(value, "for_each_call", path)
    elif (
        not isinstance(value, str)
        or not value.removeprefix("call.")
        or not value.startswith("call.")
    ):
        yield Complaint(
            "E410", path, f"call.NAME of a list input is expected here, this is {_said(value)}"
        )


def _matcher(value: dict[str, object], path: str) -> Iterator[Complaint]:
    kinds = [kind for kind in MATCHER_KINDS if kind in value]
    if len(kinds) != 1:
        found = " and ".join(kinds) or "none"
        yield Complaint(
            "E119", path, f"a matcher has exactly one of re, ask, tool, ui; this has {found}"
        )
        return
    for key in value:
        if key in SHAPES["matcher"] and key != kinds[0] and key not in MATCHER_KINDS[kinds[0]]:
            yield Complaint(
                "E119", _join(path, key), f"{key!r} means nothing beside {kinds[0]!r}; remove it"
            )


def _fact(value: dict[str, object], path: str) -> Iterator[Complaint]:
    if ("true_if" in value) == ("value" in value):
        yield Complaint(
            "E119", path, "a fact has exactly one of true_if and value; keep the one that decides"
        )
    elif "value" in value and not (isinstance(value["value"], dict) and "re" in value["value"]):
        yield Complaint(
            "E119",
            _join(path, "value"),
            "the value of a fact is read by {re, by}; write it that way",
        )


def _names(value: dict[str, object], _: str) -> Iterator[Complaint]:
    for key, (shape, said) in _NAME_SHAPES.items():
        table = value.get(key)
        for name in table if isinstance(table, dict) else ():
            if not shape.fullmatch(name) or name in KEYWORDS:
                text = f"{name[:40]!r} is no name here; {said}"
                yield Complaint("E105", _join(key, name), text)
    slug = value.get("catalog")
    if isinstance(slug, str) and slug and not _SLUG.fullmatch(slug):
        text = f"{slug[:40]!r} is no catalog id; use small letters, digits and -, letter first"
        yield Complaint("E105", "catalog", text)
    yield from _phases(value, "add_phases" if is_overlay(value) else "phases")


def _phases(value: dict[str, object], key: str) -> Iterator[Complaint]:
    phases = value.get(key)
    seen: set[str] = set()
    for index, phase in enumerate(phases if isinstance(phases, list) else []):
        phase_id = phase.get("id") if isinstance(phase, dict) else None
        if not isinstance(phase_id, str) or not phase_id:
            continue
        path = f"{key}[{index}]"
        if not _PHASE_ID.fullmatch(phase_id):
            text = f"{phase_id[:40]!r} is no phase id; use 2 to 24 capitals, digits and _"
            yield Complaint("E105", path, text)
        if phase_id in seen:
            yield Complaint(
                "E104", path, f"the phase id {phase_id} is used twice; rename one of the two phases"
            )
        seen.add(phase_id)


def _overlay(value: dict[str, object], path: str) -> Iterator[Complaint]:
    yield from _names(value, path)
    extends = value.get("extends")
    if isinstance(extends, str) and not _BASE.fullmatch(extends):
        text = f"{extends[:60]!r} names no base; write its catalog and major version, such as "
        yield Complaint("E616", "extends", f"{text}benefits-verification@2")


def _accept_ids(value: dict[str, object], path: str) -> Iterator[Complaint]:
    items = value.get("accept")
    seen: set[str] = set()
    for index, item in enumerate(items if isinstance(items, list) else []):
        item_id = item.get("id") if isinstance(item, dict) else None
        if not isinstance(item_id, str) or not item_id:
            continue
        where = f"{path}.accept[{index}]"
        if not _WORD_ID.fullmatch(item_id):
            text = f"{item_id[:40]!r} is no item id; use small letters, digits and _, letter first"
            yield Complaint("E109", where, text)
        if item_id in seen:
            yield Complaint(
                "E109", where, f"the accept item {item_id!r} is listed twice; rename one"
            )
        seen.add(item_id)


_TOGETHER = {
    "matcher": _matcher,
    "fact": _fact,
    "catalog": _names,
    "overlay": _overlay,
    "phase": _accept_ids,
    "tightening": _accept_ids,
}


def _version(value: dict[str, object]) -> Iterator[Complaint]:
    version = value.get("version")
    if version is not None and not (isinstance(version, str) and _VERSION.fullmatch(version)):
        yield Complaint(
            "E107", "version", f"{_said(version)} is no version; write three numbers such as 1.0.0"
        )
    window = value.get("effective")
    if isinstance(window, dict):
        start, end = window.get("from"), window.get("to")
        if isinstance(start, date) and isinstance(end, date) and end < start:
            yield Complaint(
                "E108",
                "effective",
                f"the window ends ({end}) before it begins ({start}); correct a date",
            )


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _said(value: object) -> str:
    """Say in an author's words what was written instead."""
    match value:
        case None:
            return "empty"
        case bool():
            return "the truth value " + ("true" if value else "false")
        case dict():
            return "keys and values"
        case list():
            return "a list"
        case date():
            return f"the date {value.isoformat()}"
        case int() | Decimal():
            return f"the number {value}"
        case _:
            return repr(str(value)[:40])
