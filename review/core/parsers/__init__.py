"""The registry of call formats: recognise a file by its content, read it, sort out what was
refused.

Every reader is a pure function ``parse(data, *, name) -> (calls, findings)``. An error among its
findings is a refusal of the file, line or call it names; warnings and notes are about calls that
were read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from catalogs.core.findings import Finding, Severity, error
from review.core.parsers import meditod, oip_call, openai_messages
from review.core.transcript import Call, read_records

Parse = Callable[..., tuple[tuple[Call, ...], tuple[Finding, ...]]]
Recognise = Callable[[object], bool]


@dataclass(frozen=True, slots=True)
class Format:
    """A format a file may have: its name, how its first JSON value is recognised, its reader."""

    name: str
    recognise: Recognise
    parse: Parse


@dataclass(frozen=True, slots=True)
class ParseResult:
    """What a file gave: its format (None if unknown), its calls, all findings, and the refusals
    with their places.
    """

    format: str | None
    calls: tuple[Call, ...]
    findings: tuple[Finding, ...]
    refused: tuple[tuple[str, Finding], ...]


#: Formats by name, in the order in which a file is tried (formats.md 3b).
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        module.NAME: Format(module.NAME, module.recognise, module.parse)
        for module in (oip_call, openai_messages, meditod)
    }
)


def detect(data: bytes, name: str) -> str | None:
    """Return the name of the format a file has by its content, or None."""
    records, _ = read_records(data, name=name)
    return next(
        (form.name for form in FORMATS.values() if records and form.recognise(records[0].value)),
        None,
    )


def parse_calls(data: bytes, *, name: str, format: str | None = None) -> ParseResult:
    """Read every call of a file; `format` overrules what the content says. Never raises for bad
    input.
    """
    chosen = format if format is not None else detect(data, name)
    if chosen is None or chosen not in FORMATS:
        return _refusal(data, name, format)
    calls, findings = FORMATS[chosen].parse(data, name=name)
    return ParseResult(chosen, calls, findings, _refusals(findings))


def _refusal(data: bytes, name: str, asked: str | None) -> ParseResult:
    known = ", ".join(FORMATS)
    if asked is not None:
        findings: tuple[Finding, ...] = (
            error("unknown_format", name, f"There is no format {asked!r}. Choose one of {known}."),
        )
    else:
        _, findings = read_records(data, name=name)
        if not _refusals(findings):
            sentence = (
                f"The content is of no known format. Choose one of {known}, or convert the file."
            )
            findings = (*findings, error("unknown_format", name, sentence))
    return ParseResult(None, (), findings, _refusals(findings))


def _refusals(findings: tuple[Finding, ...]) -> tuple[tuple[str, Finding], ...]:
    return tuple(
        (finding.where, finding) for finding in findings if finding.severity is Severity.ERROR
    )
