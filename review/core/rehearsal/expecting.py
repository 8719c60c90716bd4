"""What a test of a catalog expects of a call, read once, and how a judged call differs from it.

1. A row is ``PID: [start, finish, verdict]``. 0, 1 and null read as fail, pass and never;
   ``unknown`` says that it cannot be told.
2. ``required``, ``facts``, ``edges`` and ``flags`` name what they are about; ``coverage``,
   ``order_safe``, ``call_success`` and the figures (``cds: "1/3"``) stand alone.
3. Of ``codes`` and ``flags`` each one listed must be there; an empty list says there is none.
4. What cannot be read is said (E708) and not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from catalogs.core.document import Document, Scalar
from review.core.cascade.triage import FlagCode
from review.core.evaluation import EdgeReport, Judged, Report
from review.core.predicates import Code

OUTCOMES = ("coverage", "order_safe", "call_success")
FIGURES = ("cds", "psa", "ord", "apc")
_UNKNOWN = "unknown"
_TRUTHS: Mapping[object, bool | None] = {True: True, False: False, None: None, _UNKNOWN: None}
_CODES = frozenset(code.value for code in Code)
_FLAGS = frozenset(code.value for code in FlagCode)

#: Start, finish and verdict as they are written: a turn or a word, a turn or a word, a word.
RowWords = tuple[int | str, int | str, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that came out otherwise: the key of `expect` it belongs to, and the sentence."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Expectation:
    """What must come out, in the words of a report. What is not named here is not compared."""

    rows: Mapping[str, RowWords] = field(default_factory=dict)
    required: Mapping[str, bool | None] = field(default_factory=dict)
    facts: Mapping[str, Scalar] = field(default_factory=dict)
    edges: Mapping[str, bool | str | None] = field(default_factory=dict)
    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    codes: tuple[str, ...] | None = None
    outcomes: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, str | None] = field(default_factory=dict)


class _UnfitError(Exception):
    """A value that no test can mean; the message says what to write."""


def read_expectation(
    raw: Mapping[str, object], document: Document
) -> tuple[Expectation, tuple[Difference, ...]]:
    """Read what a test expects, and say key by key what cannot be read."""
    reader = _Reader(document)
    for key, value in raw.items():
        reader.take(key, value)
    return reader.expectation(), tuple(reader.unfit)


class _Reader:
    """Reads one `expect` against the names a document declares."""

    def __init__(self, document: Document) -> None:
        self._phases = {phase.id for phase in document.phases}
        self._facts = set(document.facts)
        self._edges = {
            f"{edge.parent}->{phase.id}" for phase in document.phases for edge in phase.critical
        }
        self._rows: dict[str, RowWords] = {}
        self._tables: dict[str, dict[str, object]] = {}
        self._codes: tuple[str, ...] | None = None
        self._outcomes: dict[str, str] = {}
        self._figures: dict[str, str | None] = {}
        self.unfit: list[Difference] = []

    def take(self, key: str, value: object) -> None:
        """Read one key; an unfit value becomes a complaint instead."""
        try:
            self._read(key, value)
        except _UnfitError as bad:
            self.unfit.append(Difference(key, str(bad)))

    def expectation(self) -> Expectation:
        """Return all that could be read."""
        tables: dict[str, dict[str, object]] = self._tables
        return Expectation(
            rows=self._rows,
            codes=self._codes,
            outcomes=self._outcomes,
            figures=self._figures,
            **tables,  # type: ignore[arg-type]  # each table was read by its own reader
        )

    def _read(self, key: str, value: object) -> None:
        tables: dict[str, tuple[set[str], Callable[[object], object]]] = {
            "required": (self._phases, _truth),
            "facts": (self._facts, _scalar),
            "edges": (self._edges, _edge),
            "flags": (self._phases, _flags),
        }
        if key in self._phases:
            self._rows[key] = _row(value)
        elif key in tables:
            known, read = tables[key]
            self._tables[key] = dict(_table(key, value, known, read))
        elif key == "codes":
            self._codes = _names(value, _CODES)
        elif key in OUTCOMES:
            self._outcomes[key] = _outcome(value)
        elif key in FIGURES:
            self._figures[key] = None if value is None else str(value)
        else:
            keys = ", ".join(("a phase", *tables, "codes", *OUTCOMES, *FIGURES))
            raise _UnfitError(f"nothing is named {key[:40]!r} here; write {keys}")


def _table(
    key: str, value: object, known: set[str], read: Callable[[object], object]
) -> Iterator[tuple[str, object]]:
    if not isinstance(value, Mapping):
        raise _UnfitError(f"{key} takes names with values, such as {{{_example(known)}: …}}")
    for name, wanted in value.items():
        if name not in known:
            raise _UnfitError(f"{key} names {str(name)[:40]!r}, which this catalog does not have")
        yield str(name), read(wanted)


def _example(known: set[str]) -> str:
    return min(known, default="NAME")


def _row(value: object) -> RowWords:
    if not isinstance(value, list) or len(value) != 3:
        raise _UnfitError("a row is [start, finish, verdict], such as [45, never, fail]")
    start, finish, verdict = value
    return _point(start), _point(finish), _verdict(verdict)


def _point(value: object) -> int | str:
    if value is None or value == "never":
        return "never"
    if value == _UNKNOWN:
        return _UNKNOWN
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise _UnfitError(f"{str(value)[:40]!r} is no turn; write its number, never or unknown")


def _verdict(value: object) -> str:
    words: Mapping[object, str] = {0: "fail", 1: "pass", "fail": "fail", "pass": "pass"}
    if value == _UNKNOWN:
        return _UNKNOWN
    if isinstance(value, (int, str)) and value in words:
        return words[value]
    raise _UnfitError(f"{str(value)[:40]!r} is no verdict; write pass, fail or unknown")


def _outcome(value: object) -> str:
    words: Mapping[object, str] = {0: "fail", 1: "pass", "fail": "fail", "pass": "pass"}
    if value == "undetermined":
        return "undetermined"
    if isinstance(value, (int, str)) and value in words:
        return words[value]
    raise _UnfitError(f"{str(value)[:40]!r} is no outcome; write pass, fail or undetermined")


def _truth(value: object) -> bool | None:
    if (value is None or isinstance(value, (bool, str))) and value in _TRUTHS:
        return _TRUTHS[value]
    raise _UnfitError(f"{str(value)[:40]!r} is neither true, false nor unknown")


def _scalar(value: object) -> object:
    if isinstance(value, (list, Mapping)):
        raise _UnfitError("a fact has a single value; write it, or null where it is unknown")
    return None if value == _UNKNOWN else value


def _edge(value: object) -> bool | str | None:
    if isinstance(value, str) and value in _CODES:
        return value
    words = {"pass": True, "fail": False, "safe": True, "unsafe": False}
    if isinstance(value, str) and value in words:
        return words[value]
    return _truth(value)


def _flags(value: object) -> tuple[str, ...]:
    return _names(value, _FLAGS)


def _names(value: object, known: frozenset[str]) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise _UnfitError("a list of codes is expected here; put [ ] around it")
    for name in value:
        if name not in known:
            raise _UnfitError(f"{str(name)[:40]!r} is no code of this kind")
    return tuple(value)


def differences(expectation: Expectation, judged: Judged) -> tuple[Difference, ...]:
    """Return everything that came out otherwise than expected, in the order of the expectation."""
    return tuple(_differences(expectation, judged))


def _differences(wanted: Expectation, judged: Judged) -> Iterator[Difference]:
    report = judged.report
    for phase, row in wanted.rows.items():
        yield from _unlike(phase, phase, row_words(report, phase), row)
    for phase, owed in wanted.required.items():
        yield from _unlike("required", f"required {phase}", report.row(phase).required, owed)
    for name, value in wanted.facts.items():
        got = judged.filled.facts.get(name)
        if not _same_value(got, value):
            yield _difference("facts", f"the fact {name}", _plain(got), _plain(value))
    for edge in report.edges:
        name = f"{edge.parent}->{edge.child}"
        if edge.critical and name in wanted.edges:
            yield from _edge_difference(name, edge, wanted.edges[name])
    yield from _missing_codes(wanted, report)
    for key, outcome in wanted.outcomes.items():
        yield from _unlike(key, key, getattr(report, key), outcome)
    for key, figure in wanted.figures.items():
        yield from _unlike(key, key, report.diagnostics.get(key), figure)


def _missing_codes(wanted: Expectation, report: Report) -> Iterator[Difference]:
    if wanted.codes is not None:
        critical = [edge for edge in report.edges if edge.critical]
        against = [*report.reasons, *(edge.code for edge in critical if edge.ok is not True)]
        said = {row.code for row in report.rows} | {edge.code for edge in critical}
        yield from _lacking("codes", "the call", wanted.codes, against, said)
    for phase, flags in wanted.flags.items():
        raised = [flag.code for flag in report.row(phase).flags]
        yield from _lacking("flags", phase, flags, raised, set())


def _lacking(
    key: str, of: str, wanted: tuple[str, ...], got: list[str], also: set[str]
) -> Iterator[Difference]:
    shown = ", ".join(dict.fromkeys(got)) or "none"
    if not wanted and got:
        yield Difference(key, f"{key} of {of}: got {shown}, wanted none")
    for code in wanted:
        if code not in got and code not in also:
            yield Difference(key, f"{key} of {of}: got {shown}, wanted {code}")


def _edge_difference(
    name: str, edge: EdgeReport, wanted: bool | str | None
) -> Iterator[Difference]:
    got = edge.code if isinstance(wanted, str) else edge.ok
    yield from _unlike("edges", f"the edge {name}", got, wanted)


def _unlike(key: str, of: str, got: object, wanted: object) -> Iterator[Difference]:
    if got != wanted:
        yield _difference(key, of, got, wanted)


def _difference(key: str, of: str, got: object, wanted: object) -> Difference:
    return Difference(key, f"{of}: got {_said(got)}, wanted {_said(wanted)}")


def row_words(report: Report, phase: str) -> RowWords:
    """Return a row of a report as a test writes it."""
    row = report.row(phase)
    start = _UNKNOWN if row.start is None else row.start
    finish = _UNKNOWN if row.finish is None else row.finish
    return start, finish, row.verdict


def _same_value(got: Scalar, wanted: Scalar) -> bool:
    """Compare values; true is not the number 1, and a variant writes a date as text."""
    if isinstance(got, bool) is not isinstance(wanted, bool):
        return False
    return got == wanted or _plain(got) == _plain(wanted)


def _plain(value: Scalar) -> object:
    return value.isoformat() if isinstance(value, date) else value


def _said(value: object) -> str:
    match value:
        case None:
            return _UNKNOWN
        case bool():
            return "true" if value else "false"
        case tuple():
            return f"[{', '.join(str(part) for part in value)}]"
        case _:
            return str(value)
