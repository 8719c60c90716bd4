"""The registry of call formats: recognise a file by its content, read it, sort out what was
refused.

Every reader is a pure function ``parse(data, *, name) -> (calls, findings)``; one of JSON also
takes what `read_records` has made of the file already, as `read`. An error among its
findings is a refusal of the file, line or call it names; warnings and notes are about calls that
were read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from catalogs.core.findings import Finding, Severity, error
from review.core.parsers import (
    abcd,
    anthropic_events,
    anthropic_messages,
    assemblyai,
    aws_call_analytics,
    aws_healthscribe,
    aws_transcribe,
    azure_speech,
    bland,
    contact_lens,
    deepgram,
    genesys,
    google_insights,
    google_stt,
    harper_valley,
    langfuse,
    langsmith,
    livekit,
    meditod,
    oip_call,
    openai_messages,
    otel_genai,
    pipecat,
    plain_text,
    retell,
    sgd,
    srt,
    table,
    taskmaster,
    tau2,
    textgrid,
    twilio_sentences,
    vapi,
    vcon,
    webvtt,
    whisperx,
    workbook,
)
from review.core.transcript import Call, Record, RefusedInput, decode, read_records

Parse = Callable[..., tuple[tuple[Call, ...], tuple[Finding, ...]]]
Recognise = Callable[[object], bool]


class Head(Enum):
    """What of a file a format is recognised by: its bytes, its text, or its first JSON value."""

    BYTES = "bytes"
    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Format:
    """A format a file may have: its name, what people call it, what its module says of it, by what
    and how it is recognised, its reader.
    """

    name: str
    title: str
    about: str
    head: Head
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


#: Formats by name, in the order in which a file is tried (formats.md 3b): what can only be one
#: format first, plain text last.
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        module.NAME: Format(
            module.NAME, module.TITLE, module.__doc__ or "", head, module.recognise, module.parse
        )
        for module, head in (
            (webvtt, Head.TEXT),
            (srt, Head.TEXT),
            (textgrid, Head.TEXT),
            (workbook, Head.BYTES),
            (oip_call, Head.JSON),
            (vcon, Head.JSON),
            (retell, Head.JSON),
            (vapi, Head.JSON),
            (bland, Head.JSON),
            (livekit, Head.JSON),
            (deepgram, Head.JSON),
            (aws_transcribe, Head.JSON),
            (aws_call_analytics, Head.JSON),
            (contact_lens, Head.JSON),
            (aws_healthscribe, Head.JSON),
            (azure_speech, Head.JSON),
            (google_stt, Head.JSON),
            (google_insights, Head.JSON),
            (assemblyai, Head.JSON),
            (whisperx, Head.JSON),
            (twilio_sentences, Head.JSON),
            (genesys, Head.JSON),
            (otel_genai, Head.JSON),
            (langfuse, Head.JSON),
            (langsmith, Head.JSON),
            (tau2, Head.JSON),
            (anthropic_events, Head.JSON),
            (anthropic_messages, Head.JSON),
            (pipecat, Head.JSON),
            (openai_messages, Head.JSON),
            (meditod, Head.JSON),
            (abcd, Head.JSON),
            (sgd, Head.JSON),
            (taskmaster, Head.JSON),
            (harper_valley, Head.JSON),
            (table, Head.TEXT),
            (plain_text, Head.TEXT),
        )
    }
)


def by_title() -> list[Format]:
    """Return the formats in the order of what people call them."""
    return sorted(FORMATS.values(), key=lambda form: form.title.casefold())


def detect(data: bytes, name: str) -> str | None:
    """Return the name of the format a file has by its content, or None."""
    return _recognised(data, _readable(data, name))


def _recognised(data: bytes, readable: _Readable) -> str | None:
    heads: dict[Head, object] = {Head.BYTES: data}
    if readable.text is not None:
        heads[Head.TEXT] = readable.text
    if readable.records:
        heads[Head.JSON] = readable.records[0].value
    return next(
        (
            form.name
            for form in FORMATS.values()
            if form.head in heads and form.recognise(heads[form.head])
        ),
        None,
    )


@dataclass(frozen=True, slots=True)
class _Readable:
    """The text of a file and its JSON values, as far as it has them, and what is to say of it."""

    text: str | None = None
    records: tuple[Record, ...] = ()
    findings: tuple[Finding, ...] = ()


def _readable(data: bytes, name: str) -> _Readable:
    try:
        text = decode(data, name=name).text
    except RefusedInput:
        return _Readable()
    return _Readable(text, *read_records(data, name=name))


def parse_calls(data: bytes, *, name: str, format: str | None = None) -> ParseResult:
    """Read every call of a file; `format` overrules what the content says. Never raises for bad
    input.
    """
    readable = _readable(data, name) if format is None else None
    chosen = _recognised(data, readable) if readable is not None else format
    if chosen is None or chosen not in FORMATS:
        return _refusal(data, name, format)
    form = FORMATS[chosen]
    if readable is not None and form.head is Head.JSON:
        # What the format was told by need not be read again: it may be most of the work.
        calls, findings = form.parse(data, name=name, read=(readable.records, readable.findings))
    else:
        calls, findings = form.parse(data, name=name)
    return ParseResult(chosen, calls, findings, _refusals(findings))


def parse_voices(
    files: Sequence[tuple[str, bytes]], *, name: str, format: str | None = None
) -> ParseResult:
    """Read files that hold one voice of a call each, as their names say, as one call.

    Files of another format are calls of their own. Never raises for bad input.
    """
    forms = {format or detect(data, file_name) for file_name, data in files}
    if forms == {textgrid.NAME}:
        calls, findings = textgrid.parse_together(files, name=name)
        return ParseResult(textgrid.NAME, calls, findings, _refusals(findings))
    each = [parse_calls(data, name=file_name, format=format) for file_name, data in files]
    return ParseResult(
        each[0].format,
        tuple(call for one in each for call in one.calls),
        tuple(finding for one in each for finding in one.findings),
        tuple(refused for one in each for refused in one.refused),
    )


def _refusal(data: bytes, name: str, asked: str | None) -> ParseResult:
    if asked is not None:
        known = ", ".join(FORMATS)
        findings: tuple[Finding, ...] = (
            error("unknown_format", name, f"There is no format {asked!r}. Choose one of {known}."),
        )
    else:
        _, findings = read_records(data, name=name)
        if not _refusals(findings) or _is_no_json(data, findings):
            sentence = (
                "The content is of no known format. Choose its format by name, or convert the file."
            )
            kept = (finding for finding in findings if finding.code != "bad_json")
            findings = (*kept, error("unknown_format", name, sentence))
    return ParseResult(None, (), findings, _refusals(findings))


def _is_no_json(data: bytes, findings: tuple[Finding, ...]) -> bool:
    """Say whether a text never meant to be JSON: then "not JSON" would help nobody."""
    opening = data.lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n")[:1]
    return opening not in (b"", b"{", b"[") and all(
        finding.code == "bad_json" for _, finding in _refusals(findings)
    )


def _refusals(findings: tuple[Finding, ...]) -> tuple[tuple[str, Finding], ...]:
    return tuple(
        (finding.where, finding) for finding in findings if finding.severity is Severity.ERROR
    )


def findings_by_call(result: ParseResult) -> dict[str, list[Finding]]:
    """Return the findings about each call by its id: all that refuse nothing where it is alone."""
    refused = {finding for _, finding in result.refused}
    kept = [finding for finding in result.findings if finding not in refused]
    if len(result.calls) == 1:
        return {result.calls[0].id: kept}
    ids = {call.id for call in result.calls}
    found: dict[str, list[Finding]] = {}
    for finding in kept:
        for call_id in _named(finding.where, ids):
            found.setdefault(call_id, []).append(finding)
    return found


def _named(where: str, ids: Collection[str]) -> Iterator[str]:
    """Yield the calls that a place names: a run of its parts, which an id may itself be made of."""
    parts = where.split(", ")
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            if (joined := ", ".join(parts[start:end])) in ids:
                yield joined
