"""From bytes to plain values, each with its line, under caps that hold before anything is built.

The YAML library is used as a stream of events only; it constructs nothing. Anchors, aliases, merge
keys, tags and directives are refused because a reviewer must be able to read the file as it stands,
and because aliases are how a small file becomes a huge one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
)

from catalogs.core.document.complaint import Complaint
from catalogs.core.document.scalars import Unreadable, resolve

MAX_BYTES = 1_048_576
MAX_NODES = 50_000
MAX_DEPTH = 40
MAX_LINE = 5_000
MAX_COMPLAINTS = 200

# What YAML itself refuses, plus the characters that a double-quoted escape can smuggle in.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff\ufeff]"
)
# The YAML library needs quadratic time for some very long words.
_LONG_LINE = re.compile(f"[^\n]{{{MAX_LINE + 1}}}")


@dataclass(frozen=True, slots=True)
class Source:
    """What was read: the value (None if nothing could be), the line of every path, and what was
    wrong.
    """

    value: object
    lines: dict[str, int]
    complaints: list[Complaint]


class _StopReadingError(Exception):
    """Ends the reading at the complaint it carries."""

    def __init__(self, complaint: Complaint) -> None:
        super().__init__(complaint.text)
        self.complaint = complaint


def read(data: bytes) -> Source:
    """Read one YAML document. Never raises for bad input: what is wrong is in `complaints`."""
    reader = _Reader()
    try:
        value = reader.run(_decoded(data))
    except _StopReadingError as stop:
        return Source(None, reader.lines, [*reader.complaints, stop.complaint])
    return Source(value, reader.lines, reader.complaints)


def _decoded(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        said = f"the file has {len(data):,} bytes; a catalog may have {MAX_BYTES:,}. Split it"
        raise _stop("E110", said, 1)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as bad:
        line = data.count(b"\n", 0, bad.start) + 1
        raise _stop("E111", "the file is not UTF-8 text here; save it as UTF-8", line) from None
    if text.startswith("\ufeff"):
        said = "the file starts with a byte order mark; save it as UTF-8 without one"
        raise _stop("E111", said, 1)
    hit = _FORBIDDEN.search(text)
    if hit:
        said = f"a control character (U+{ord(hit.group()):04X}) stands here; remove it"
        raise _stop("E113", said, _line_at(text, hit))
    hit = _LONG_LINE.search(text)
    if hit:
        said = f"a line has more than {MAX_LINE:,} characters; break it"
        raise _stop("E114", said, _line_at(text, hit))
    return text


def _line_at(text: str, hit: re.Match[str]) -> int:
    return text.count("\n", 0, hit.start()) + 1


def _stop(code: str, text: str, line: int | None, path: str = "") -> _StopReadingError:
    return _StopReadingError(Complaint(code, path, text, line))


def _events(text: str) -> Iterator[Event]:
    """Yield the library's events; its refusals end the reading with E112 and their line."""
    events = YAML(typ="safe", pure=True).parse(text)
    while True:
        try:
            event = next(events)
        except StopIteration:
            return
        except MarkedYAMLError as bad:
            mark = bad.problem_mark or bad.context_mark
            problem = " ".join(str(bad.problem or bad.context or "unreadable").split())
            said = f"not YAML: {problem}. Check indent, quotes and brackets"
            raise _stop("E112", said, _line_within(text, mark)) from None
        # Only library code runs here, and it also fails in ways that carry no mark.
        except Exception as bad:
            said = (
                f"not YAML ({type(bad).__name__}). Check quotes and brackets to the end of the file"
            )
            raise _stop("E112", said, None) from None
        yield event


def _line(mark: object) -> int | None:
    line = getattr(mark, "line", None)
    return line + 1 if isinstance(line, int) else None


def _line_within(text: str, mark: object) -> int | None:
    """Take the last line for a fault that the library sees only behind the end of the file."""
    line = _line(mark)
    return None if line is None else min(line, max(1, len(text.splitlines())))


@dataclass(slots=True)
class _Frame:
    """One open mapping or list. `key` is the key whose value comes next; `first` holds each key's
    first line.
    """

    value: dict[str, object] | list[object]
    path: str
    key: str | None = None
    first: dict[str, int] = field(default_factory=dict)


class _Reader:
    """Builds plain values from events, with a stack of its own instead of recursion."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        self.complaints: list[Complaint] = []
        self._stack: list[_Frame] = []
        self._nodes = 0
        self._root: object = None
        self._documents = 0

    def run(self, text: str) -> object:
        for event in _events(text):
            self._take(event, _line(event.start_mark) or 1)
            if len(self.complaints) >= MAX_COMPLAINTS:
                said = f"{MAX_COMPLAINTS} problems so far; the rest of the file was not read"
                raise _stop("E114", said, None)
        if self._documents == 0:
            raise _stop("E112", "the file is empty; start with `format: oip-catalog/1`", 1)
        return self._root

    def _take(self, event: Event, line: int) -> None:
        match event:
            case DocumentStartEvent():
                self._start_document(event, line)
            case AliasEvent():
                self._refuse_alias(event, line)
            case NodeEvent():
                self._nodes += 1
                if self._nodes > MAX_NODES:
                    said = f"the file has more than {MAX_NODES:,} values; split the catalog"
                    raise _stop("E114", said, line)
                self._refuse_extras(event, line)
                self._node(event, line)
            case MappingEndEvent() | SequenceEndEvent():
                self._stack.pop()
            case _:
                return

    def _start_document(self, event: DocumentStartEvent, line: int) -> None:
        self._documents += 1
        if self._documents > 1:
            said = "a second document starts here; one file holds one catalog"
            raise _stop("E112", said, line)
        if event.version or event.tags:
            self._complain("E115", "a YAML directive (%) stands here; remove it", line)

    def _refuse_alias(self, event: AliasEvent, line: int) -> None:
        said = f"an alias (*{event.anchor}) stands here; write the value out again"
        if self._awaits_key():
            raise _stop("E115", said, line, self._here())
        self._complain("E115", said, line)
        self._place(None, line)

    def _refuse_extras(self, event: NodeEvent, line: int) -> None:
        if event.anchor is not None:
            self._complain("E115", f"an anchor (&{event.anchor}) stands here; remove it", line)
        if isinstance(event, ScalarEvent | CollectionStartEvent) and event.ctag is not None:
            self._complain("E115", f"a tag ({event.ctag}) stands here; remove it", line)

    def _node(self, event: NodeEvent, line: int) -> None:
        if self._awaits_key():
            self._set_key(event, line)
        elif isinstance(event, ScalarEvent):
            self._place(self._scalar(event, line), line)
        else:
            if len(self._stack) >= MAX_DEPTH:
                said = f"values are nested more than {MAX_DEPTH} deep here; flatten them"
                raise _stop("E114", said, line)
            value: dict[str, object] | list[object] = (
                {} if isinstance(event, MappingStartEvent) else []
            )
            path = self._place(value, line)
            self._stack.append(_Frame(value, path))

    def _awaits_key(self) -> bool:
        if not self._stack:
            return False
        return isinstance(self._stack[-1].value, dict) and self._stack[-1].key is None

    def _set_key(self, event: NodeEvent, line: int) -> None:
        frame = self._stack[-1]
        if not isinstance(event, ScalarEvent):
            said = "a key is a list or a mapping; keys are single words"
            raise _stop("E117", said, line, frame.path)
        key: str = event.value
        if not event.style and key == "<<":
            self._complain("E115", "a merge key (<<) stands here; write the keys out", line)
        elif not event.style and not isinstance(resolve(key), str):
            said = f"the key {key[:40]!r} is not a word; put quotes around it"
            self._complain("E117", said, line)
        elif _FORBIDDEN.search(key):
            said = "a key holds a control character; remove it"
            raise _stop("E113", said, line, frame.path)
        if key in frame.first:
            said = (
                f"the key {key[:40]!r} is given twice, first on line {frame.first[key]}; keep one"
            )
            self._complain("E103", said, line, f"{frame.path}.{key}" if frame.path else key)
        frame.first.setdefault(key, line)
        frame.key = key

    def _scalar(self, event: ScalarEvent, line: int) -> object:
        text: str = event.value
        hit = _FORBIDDEN.search(text)
        if hit:
            said = f"a control character (U+{ord(hit.group()):04X}) is written here; remove it"
            self._complain("E113", said, line)
            return None
        if event.style:
            return text
        value = resolve(text)
        if isinstance(value, Unreadable):
            self._complain("E116", value.sentence, line)
            return None
        return value

    def _place(self, value: object, line: int) -> str:
        """Put a value where it belongs and return its path."""
        if not self._stack:
            self._root = value
            return ""
        frame = self._stack[-1]
        if isinstance(frame.value, list):
            path = f"{frame.path}[{len(frame.value)}]"
            frame.value.append(value)
            self.lines[path] = line
            return path
        key = frame.key or ""
        frame.key = None
        path = f"{frame.path}.{key}" if frame.path else key
        frame.value[key] = value
        # The key's line, not the value's: that is where an author looks.
        self.lines[path] = frame.first[key]
        return path

    def _complain(self, code: str, text: str, line: int, path: str | None = None) -> None:
        place = self._here() if path is None else path
        self.complaints.append(Complaint(code, place, text, line))

    def _here(self) -> str:
        if not self._stack:
            return ""
        frame = self._stack[-1]
        if isinstance(frame.value, list):
            return f"{frame.path}[{len(frame.value)}]"
        return ".".join(part for part in (frame.path, frame.key) if part)
