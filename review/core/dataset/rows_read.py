"""Labels and a system's rows, read from JSON: what is no such thing is refused with its line.

A system's object for a call is what `evaluate_call --json` prints, or less of it: `call`, `rows[]`
(or `phases[]`) with `phase`, `start`, `finish`, `verdict`, and what it escalates by `flags` that
are not empty, or `escalate: true`; `edges[]` with `parent`, `child`, `ok` where it decides them.
An edge that it does not decide is read off its rows by the label's policy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from review.core.dataset.labels import FORMAT
from review.core.row_values import point_from_json
from review.core.rows import UNKNOWN, Point, Verdict
from review.core.transcript import RefusedInput
from review.core.transcript.records import parse_json

Edge = tuple[str, str]


class UnreadableRows(ValueError):
    """A line that holds no labels or no rows; the message says which and what was expected."""


class Boundary(NamedTuple):
    """Where a phase lies and how it came out; `escalated`: the system wants a person to look."""

    start: Point
    finish: Point
    verdict: Verdict
    escalated: bool = False

    @property
    def is_open(self) -> bool:
        """Whether anything of it is left unknown."""
        return UNKNOWN in (self.start, self.finish) or self.verdict is Verdict.UNKNOWN


@dataclass(frozen=True, slots=True)
class Label:
    """What people signed of a call: its phases, and its critical edges (policy and outcome)."""

    call: str
    phases: Mapping[str, Boundary]
    edges: Mapping[Edge, tuple[str, bool | None]]
    call_success: str


@dataclass(frozen=True, slots=True)
class SystemCall:
    """What a system says of a call; `edges` only where it decides them itself."""

    call: str
    phases: Mapping[str, Boundary]
    edges: Mapping[Edge, bool | None]


def read_labels(text: str) -> dict[str, Label]:
    """Return the labels of a data set by call. Raises UnreadableRows."""
    found: dict[str, Label] = {}
    for place, plain in _objects(text):
        if plain.get("format") != FORMAT:
            raise UnreadableRows(f"{place}: these are no labels of format {FORMAT}")
        with_edges = {
            (edge["parent"], edge["child"]): (str(edge.get("policy")), edge.get("ok"))
            for edge in _listed(plain, "edges", place)
        }
        call = _name(plain, place)
        _refuse_twice(call, found, place)
        found[call] = Label(call, _phases(plain, place), with_edges, str(plain.get("call_success")))
    if not found:
        raise UnreadableRows("the file holds no labels")
    return found


def read_system(text: str) -> dict[str, SystemCall]:
    """Return a system's rows by call. Raises UnreadableRows."""
    found: dict[str, SystemCall] = {}
    for place, plain in _objects(text):
        call = _name(plain, place)
        _refuse_twice(call, found, place)
        edges = {
            (edge["parent"], edge["child"]): edge.get("ok")
            for edge in _listed(plain, "edges", place)
            if edge.get("critical", True)
        }
        found[call] = SystemCall(call, _phases(plain, place), edges)
    return found


def _objects(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a JSON array, of one object, or of one a line, each with its place."""
    stripped = text.lstrip("\ufeff \r\n\t")
    values: list[tuple[str, object]] = []
    if stripped.startswith("["):
        whole = _parsed(stripped, "the file")
        listed = whole if isinstance(whole, list) else []
        values = [(f"item {number}", one) for number, one in enumerate(listed, 1)]
    else:
        values = _by_line_or_whole(stripped)
    for place, value in values:
        if not isinstance(value, dict):
            raise UnreadableRows(f"{place}: an object for a call is expected here")
        yield place, value


def _by_line_or_whole(text: str) -> list[tuple[str, object]]:
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) > 1 and not lines[0][1].rstrip().endswith("}"):
        return [("the file", _parsed(text, "the file"))]
    return [(f"line {number}", _parsed(line, f"line {number}")) for number, line in lines]


def _parsed(text: str, place: str) -> object:
    try:
        return parse_json(text, where=place)[0]
    except RefusedInput as refusal:
        raise UnreadableRows(f"{place}: {refusal.finding.text}") from None


def _name(plain: Mapping[str, Any], place: str) -> str:
    if not isinstance(plain.get("call"), str):
        raise UnreadableRows(f"{place}: `call`, the name of the call, is missing")
    return str(plain["call"])


def _refuse_twice(call: str, found: Mapping[str, object], place: str) -> None:
    if call in found:
        raise UnreadableRows(f"{place}: {call[:60]} is there twice")


def _listed(plain: Mapping[str, Any], key: str, place: str) -> list[dict[str, Any]]:
    listed = plain.get(key) or []
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise UnreadableRows(f"{place}: `{key}` is a list of objects")
    needs = ("parent", "child") if key == "edges" else ("phase",)
    if not all(isinstance(one.get(need), str) for one in listed for need in needs):
        raise UnreadableRows(f"{place}: each of `{key}` needs {' and '.join(needs)}")
    if not all(one.get("ok") is None or isinstance(one["ok"], bool) for one in listed):
        raise UnreadableRows(f"{place}: `ok` is true, false or null")
    return listed


def _phases(plain: Mapping[str, Any], place: str) -> dict[str, Boundary]:
    key = "rows" if "rows" in plain else "phases"
    return {one["phase"]: _boundary(one, place) for one in _listed(plain, key, place)}


def _boundary(one: Mapping[str, Any], place: str) -> Boundary:
    where = f"{place}, {one['phase'][:30]}"
    try:
        start, finish = _point(one.get("start")), _point(one.get("finish"))
        verdict = Verdict(one.get("verdict") or "unknown")
    except ValueError:
        said = "start and finish are a turn number, never or null; verdict pass, fail or unknown"
        raise UnreadableRows(f"{where}: {said}") from None
    escalated = bool(one.get("flags")) or one.get("escalate") is True
    return Boundary(start, finish, verdict, escalated)


def _point(value: object) -> Point:
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, str))):
        raise ValueError(value)
    return point_from_json(value)
