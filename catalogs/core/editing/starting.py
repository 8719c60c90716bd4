"""How a draft begins: an earlier version under the next number, or an empty catalog."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from catalogs.core.document.reading import read
from catalogs.core.editing.changing import UnableToEdit, add_first, put

_NUMBERS = 3


@dataclass(frozen=True, slots=True)
class Start:
    """What a draft that follows a version says of itself; `change` is for its change log."""

    version: str
    effective_from: date
    author: str
    change: str
    day: date
    bump: str = "minor"


def next_version(version: str, taken: Collection[str]) -> str:
    """Return the next free minor number after a version.

    >>> next_version("2.0.0", {"2.0.0", "2.1.0"})
    '2.2.0'
    """
    parts = [int(part) if part.isdecimal() else 0 for part in version.split(".")][:_NUMBERS]
    major, minor = (*parts, 0, 0)[:2]
    while True:
        minor += 1
        proposed = f"{major}.{minor}.0"
        if proposed not in taken:
            return proposed


def renumbered(source: bytes, start: Start) -> bytes:
    """Return a version's text as the draft that follows it; every other byte stays.

    Its number, its first day, its status and its change log are those of `start`; a last day and
    approvals of the other text are dropped. A text that cannot be changed like that is returned as
    it is: its author reads what lint says of it.
    """
    try:
        text = source.decode("utf-8")
        value = read(source).value
        data = value if isinstance(value, dict) else {}
        text = put(text, ("version",), start.version)
        text = put(text, ("status",), "draft")
        text = put(text, ("effective", "from"), start.effective_from)
        if (data.get("effective") or {}).get("to") is not None:
            text = put(text, ("effective", "to"), None)
        if data.get("approvers"):
            text = put(text, ("approvers",), [])
        return _with_change(text, data, start).encode("utf-8")
    except (UnableToEdit, UnicodeError, AttributeError):
        return source


def _with_change(text: str, data: dict[str, object], start: Start) -> str:
    entry: dict[str, object] = {
        "version": start.version,
        "date": start.day,
        "by": start.author,
        "change": start.change,
        "bump": start.bump,
    }
    log = data.get("changelog")
    if not isinstance(log, list) or not log:
        return put(text, ("changelog",), [entry])
    return add_first(text, ("changelog",), entry)


def with_line_ends_of(typed: str, before: bytes) -> bytes:
    r"""Return typed text as bytes with the line ends that the file had: browsers send \r\n.

    >>> with_line_ends_of("a\r\nb", b"x\ny"), with_line_ends_of("a\r\nb", b"x\r\ny\r\n")
    (b'a\nb', b'a\r\nb')
    """
    plain = typed.replace("\r\n", "\n").replace("\r", "\n")
    has_windows_ends = b"\r\n" in before and before.count(b"\n") == before.count(b"\r\n")
    text = plain.replace("\n", "\r\n") if has_windows_ends else plain
    return text.encode("utf-8", "replace")


def empty_catalog(day: date, author: str) -> bytes:
    """Return the text that a draft from nothing begins with: one phase to write over."""
    return _EMPTY.format(day=day.isoformat(), author=author).encode("utf-8")


_EMPTY = """\
format: oip-catalog/1
catalog: new-catalog        # the name that stays: small letters, digits and -
version: 0.1.0
title: A new catalog
status: draft
effective: {{from: {day}}}    # calls of this day and later are judged by it
owner: {{name: "who answers for it"}}
applies_to: "call.type = 'new_type'"
inputs: {{call.type: string}}
speakers: {{agent: the audited side, caller: who is called or calls}}
labels: {{Agent: agent, Caller: caller}}
sources:
  POLICY: {{kind: site_policy, cite: "where it is written", says: "what it says"}}
phases:
  - id: GREETING
    name: Greeting
    basis: [POLICY]
    intent: The agent says who calls.
    required: always
    starts:
      - {{re: '(?i)\\bthis is\\b', by: [agent]}}
    accept:
      - id: named
        text: The agent gives a name.
        match:
          - {{re: '(?i)\\bthis is [a-z]+', by: [agent]}}
    counterexamples: [Hello without a name.]
    rubric:
      pass: ["Agent: Hello, this is Ann.", "Agent: Good morning, this is Tom."]
      fail: ["Agent: Hello.", "Caller: Who is there?"]
tests: []
changelog:
  - {{version: 0.1.0, date: {day}, by: "{author}", change: First draft.}}
"""
