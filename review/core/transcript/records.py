"""Text to JSON values, defensively: nesting, NaN, doubled keys, bad lines, characters that cannot
be stored.

Numbers with a point or an exponent are Decimal: a time is never a float. Nesting is counted on the
text before the JSON reader runs, which would otherwise exhaust the stack.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import NoReturn

import orjson

from catalogs.core.findings import Finding, error, warning
from review.core.transcript.decoding import RefusedInput, decode

MAX_NESTING = 50
# Millions of empty calls fit into 20 MB; each would cost a finding.
MAX_CALLS = 50_000
# Empty lists take thirty times their size in memory; a file of words has far fewer.
MAX_BRACKETS = 1_000_000

# A string (also one that never ends, so that the scan stays linear) or one bracket.
_STRUCTURE = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
# Everything else: strings whole, and whatever stands between brackets.
_NO_STRUCTURE = re.compile(r'(?:"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[^"\[\]{}]++)++', re.DOTALL)
_ALIKE = str.maketrans("[]", "{}")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_WITHOUT_PARTS = frozenset({str, int, bool, float, Decimal, type(None)})
_FILLED_LINE = re.compile(r"\S[^\n]*")
_SAMPLE = 20
_LINES_SUFFIXES = (".jsonl", ".ndjson")


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON value of a file and its place: the file's name, or the name and the line of a JSONL
    file.
    """

    where: str
    value: object
    line: int | None = None


#: What a file holds: its records, and what is to say of it.
Records = tuple[tuple[Record, ...], tuple[Finding, ...]]


class _BadNumber(ValueError):
    """A number that no reader of calls takes; the code says which kind."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def read_records(data: bytes, *, name: str) -> Records:
    """Read a file as one JSON value, or as JSONL if it is none but its first lines are.

    A bad line is reported (``bad_line`` and the like, with its number) and does not stop the
    others. Errors among the findings are refusals. Never raises.
    """
    try:
        decoded = decode(data, name=name)
    except RefusedInput as refusal:
        return (), (refusal.finding,)
    try:
        value, findings = parse_json(decoded.text, where=name)
    except RefusedInput as refusal:
        try:
            lines = _read_lines(decoded.text, name)
        except RefusedInput as too_many:
            return (), (*decoded.findings, too_many.finding)
        if lines is None:
            return (), (*decoded.findings, refusal.finding)
        return lines[0], (*decoded.findings, *lines[1])
    return (Record(name, value),), (*decoded.findings, *findings)


def parse_json(
    text: str, *, where: str, line: int | None = None
) -> tuple[object, tuple[Finding, ...]]:
    """Parse one JSON value; doubled keys are reported and the last one counts.

    Raises RefusedInput for nesting over 50, NaN or Infinity, numbers out of range and text that is
    no JSON.
    """
    _refuse_deep(text, where, line)
    doubled: dict[str, None] = {}

    def unite(pairs: list[tuple[str, object]]) -> dict[str, object]:
        united = dict(pairs)
        if len(united) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    doubled[key] = None
                seen.add(key)
        return united

    try:
        value: object = json.loads(
            text,
            parse_float=_decimal,
            parse_constant=_refuse_constant,
            object_pairs_hook=unite,
        )
    except _BadNumber as bad:
        raise RefusedInput(error(bad.code, where, str(bad), line)) from None
    except json.JSONDecodeError as bad:
        place = bad.lineno if line is None else line
        sentence = (
            f"The text is not JSON at line {place}, column {bad.colno} ({bad.msg}). Correct it "
            "there."
        )
        raise RefusedInput(error("bad_json", where, sentence, place)) from None
    except (ValueError, RecursionError):
        sentence = "A whole number has too many digits to be read. Correct it or send it as text."
        raise RefusedInput(error("bad_number", where, sentence, line)) from None
    return value, tuple(_doubled_finding(key, where, line) for key in list(doubled)[:20])


def refuse_too_many_calls(count: int, *, where: str) -> None:
    """Raise RefusedInput for a file of more than 50,000 calls or lines."""
    if count > MAX_CALLS:
        sentence = (
            f"The file holds {count:,} calls or lines; at most {MAX_CALLS:,} are read. Split it."
        )
        raise RefusedInput(error("too_many_calls", where, sentence))


def refuse_unstorable(value: object, *, where: str) -> None:
    """Raise RefusedInput if any string or key of a call holds a NUL or a lone surrogate (no
    database stores them).
    """
    # Nearly every call is clean, and to know that takes no paths.
    if _UNSTORABLE.search("\n".join(_texts(value))) is None:
        return
    for path, text in _strings(value, ""):
        hit = _UNSTORABLE.search(text)
        if hit is None:
            continue
        is_nul = hit.group() == "\x00"
        what = "a NUL character" if is_nul else "half of a surrogate pair"
        sentence = (
            f"{path or 'The value'} holds {what} at character {hit.start()}. Remove it and send "
            "the call again."
        )
        code = "nul_character" if is_nul else "lone_surrogate"
        raise RefusedInput(error(code, f"{where}, {path}", sentence))


def call_digest(value: object) -> str:
    """Return the SHA-256 (hex) of one call cut out of a file of several: sorted keys, no blanks,
    ASCII.
    """
    return hashlib.sha256(_written(value)).hexdigest()


def _written(value: object) -> bytes:
    try:
        fast = orjson.dumps(value, default=str, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        # A whole number of over 64 bits, or half of a character.
        fast = b"\x7f"
    # The fast writer escapes nothing that it need not.
    if fast.isascii() and b"\x7f" not in fast:
        return fast
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str).encode("ascii")


def _read_lines(text: str, name: str) -> tuple[tuple[Record, ...], tuple[Finding, ...]] | None:
    """Read JSONL; None if the text is none. Raises RefusedInput for too many lines."""
    if not _looks_like_lines(text, name):
        return None
    refuse_too_many_calls(text.count("\n"), where=name)
    records: list[Record] = []
    findings: list[Finding] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        try:
            value, extra = _parse_line(line, where, number)
        except RefusedInput as refusal:
            findings.append(refusal.finding)
            continue
        records.append(Record(where, value, number))
        findings.extend(extra)
    return (tuple(records), tuple(findings)) if records else None


def _looks_like_lines(text: str, name: str) -> bool:
    """Say whether the name says JSONL, or at least half of the first twenty lines do."""
    if name.lower().endswith(_LINES_SUFFIXES):
        return True
    lines = [match.group() for match in islice(_FILLED_LINE.finditer(text), _SAMPLE)]
    good = 0
    for line in lines:
        try:
            _parse_line(line, name, None)
        except RefusedInput:
            continue
        good += 1
    return len(lines) > 1 and 2 * good >= len(lines)


def _parse_line(line: str, where: str, number: int | None) -> tuple[object, tuple[Finding, ...]]:
    """Parse one line that must hold an object or a list. Raises RefusedInput."""
    try:
        value, findings = parse_json(line, where=where, line=number)
    except RefusedInput as refusal:
        raise RefusedInput(_bad_line(refusal.finding)) from None
    if not isinstance(value, (dict, list)):
        sentence = "The line is no JSON object or list. Put one call or one message on each line."
        raise RefusedInput(error("bad_line", where, sentence, number))
    return value, findings


def _bad_line(finding: Finding) -> Finding:
    code = "bad_line" if finding.code == "bad_json" else finding.code
    return error(code, finding.where, f"{finding.text} The other lines were read.", finding.line)


def _refuse_deep(text: str, where: str, line: int | None) -> None:
    if _is_shallow(text):
        return
    depth = opened = 0
    for token in _STRUCTURE.finditer(text):
        mark = token.group()[0]
        if mark in "]}":
            depth -= 1
        if mark not in "[{":
            continue
        depth += 1
        opened += 1
        if depth > MAX_NESTING:
            at = token.start()
            sentence = f"Brackets are nested more than {MAX_NESTING} deep at character {at}."
            raise RefusedInput(error("too_deep", where, f"{sentence} Send flatter data.", line))
        if opened > MAX_BRACKETS:
            sentence = f"There are more than {MAX_BRACKETS:,} objects and lists. Split the file."
            raise RefusedInput(error("too_many_values", where, sentence, line))


def _is_shallow(text: str) -> bool:
    """Say whether brackets close as they should and keep both limits; False says nothing yet."""
    brackets = _NO_STRUCTURE.sub("", text).translate(_ALIKE)
    if len(brackets) > 2 * MAX_BRACKETS:
        return False
    for _depth in range(MAX_NESTING):
        if not brackets:
            return True
        brackets = brackets.replace("{}", "")
    return not brackets


def _decimal(token: str) -> Decimal:
    try:
        value = Decimal(token)
    except ArithmeticError:
        raise _BadNumber(
            "bad_number", f"The number {token[:40]} is out of range. Correct it."
        ) from None
    if not -400 <= value.adjusted() <= 400:
        raise _BadNumber("bad_number", f"The number {token[:40]} is out of range. Correct it.")
    return value


def _refuse_constant(token: str) -> NoReturn:
    raise _BadNumber(
        "invalid_json_nan",
        f"The file holds {token}, which is no JSON number. Write null where a value is unknown.",
    )


def _doubled_finding(key: str, where: str, line: int | None) -> Finding:
    sentence = (
        f"The key {key[:80]!r} occurs twice in one object; the last value was taken. Keep one."
    )
    return warning("duplicate_key", where, sentence, line)


def _texts(value: object) -> list[str]:
    """Return every string and key of a value, in no order."""
    texts: list[str] = []
    level = [value]
    while level:
        inner: list[object] = []
        texts += [one for one in level if isinstance(one, str)]
        for one in level:
            if type(one) in _WITHOUT_PARTS:
                continue
            # A dict before what may be any mapping: that question is dear.
            if isinstance(one, (dict, Mapping)):
                texts += one
                inner += one.values()
            elif isinstance(one, list):
                inner += one
        level = inner
    return texts


def _strings(value: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            inner = f"{path}.{_shown(key)}" if path else _shown(key)
            yield inner, key
            yield from _strings(item, inner)
    elif isinstance(value, list):
        for k, item in enumerate(value):
            yield from _strings(item, f"{path}[{k}]")


def _shown(key: str) -> str:
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", key[:40])
