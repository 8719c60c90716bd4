"""Rules about one phase: its starts, acknowledgement, grading and rubric."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from catalogs.core.document import Document, EventMatcher, Matcher, Phase
from catalogs.core.findings import Finding, error, warning
from catalogs.core.linter.matchers import all_matchers
from catalogs.core.linter.raw import raw_phase

_FEWEST, _MOST = 2, 3
_PAGE = 2_500
_LONGEST_INTENT = 200
_REAL_DATA = re.compile(
    r"\b\d{3}-\d{2}-\d{4}\b"  # a social security number
    r"|\b\(?\d{3}\)?[ -](?!555-01)\d{3}-\d{4}\b"  # a phone number not kept for fiction
    r"|\bMRN\b|\d{9,}"
    r"|[\w.+-]+@(?!example\.(?:org|com|net)\b)[\w-]+\.\w+"
)


def critical_child_without_start(document: Document) -> Iterator[Finding]:
    """E406: a child of a critical edge whose start would only be inferred."""
    for phase in document.phases:
        if phase.critical and not phase.starts:
            said = "the child of a critical edge needs a start of its own; add starts"
            yield error("E406", f"{phase.id}.starts", said, document.line(f"{phase.id}.starts"))


def no_start(document: Document) -> Iterator[Finding]:
    """W416: a phase whose start will be inferred from its evidence."""
    for phase in document.phases:
        if not phase.starts and not phase.critical:
            said = "no start; it will be inferred from the evidence. Add starts"
            yield warning("W416", f"{phase.id}.starts", said, document.line(f"{phase.id}.starts"))


def shared_start(document: Document) -> Iterator[Finding]:
    """W409: one start that opens two phases."""
    seen: dict[str, str] = {}
    for phase in document.phases:
        for matcher in phase.starts:
            first = seen.setdefault(_without_place(matcher), phase.id)
            if first != phase.id:
                said = f"the same start already opens {first}; make one of them more specific"
                yield warning("W409", matcher.path, said, document.line(matcher.path))


def _without_place(matcher: Matcher) -> str:
    return repr(replace(matcher, path=""))


def acknowledgement_missing(document: Document) -> Iterator[Finding]:
    """W411: early content needs an acknowledgement that nothing recognises."""
    for phase in document.phases:
        if phase.ack_required and not phase.ack and not any(item.ack for item in phase.accept):
            where = f"{phase.id}.ack_required"
            said = "no ack phrase, so early content can never count; add ack to the items"
            yield warning("W411", where, said, document.line(where))


def acknowledgement_of_all(document: Document) -> Iterator[Finding]:
    """W417: one acknowledgement would credit several items."""
    for phase in document.phases:
        if phase.ack and len(phase.accept) > 1:
            said = "put ack on the accept item it credits; one phrase must not credit all of them"
            yield warning("W417", f"{phase.id}.ack", said, document.line(f"{phase.id}.ack"))


def tau_out_of_range(document: Document) -> Iterator[Finding]:
    """E412: a share outside (0, 1]."""
    for phase in document.phases:
        if phase.graded_tau is not None and not 0 < phase.graded_tau <= 1:
            where = f"{phase.id}.graded"
            said = f"tau is a share above 0 and up to 1, not {phase.graded_tau}"
            yield error("E412", where, said, document.line(where))


def graded_decides(document: Document) -> Iterator[Finding]:
    """E413: a graded score that is meant to decide."""
    for where, graded in _graded(document):
        if graded.get("decisional") is True:
            said = "a graded score never decides; remove decisional"
            yield error("E413", where, said, document.line(where))


def graded_without_tau(document: Document) -> Iterator[Finding]:
    """E421: grading without its threshold."""
    for where, graded in _graded(document):
        if graded.get("tau") is None:
            said = "grading needs tau, the share of items that is enough (such as 0.8)"
            yield error("E421", where, said, document.line(where))


def _graded(document: Document) -> Iterator[tuple[str, dict[str, object]]]:
    for index, phase in enumerate(document.phases):
        graded = raw_phase(document, index).get("graded")
        if isinstance(graded, dict):
            yield f"{phase.id}.graded", graded


def seconds_on_coarse_clock(document: Document) -> Iterator[Finding]:
    """E415: a limit in seconds where several turns share a time."""
    for matcher in all_matchers(document):
        if matcher.within_seconds is not None and not document.clock_exact:
            said = "a limit in seconds needs clock: exact; drop it or state the clock"
            yield error("E415", matcher.path, said, document.line(matcher.path))


def self_reported_gate(document: Document) -> Iterator[Finding]:
    """E419: the audited agent could open a gate by its own word."""
    gates = document.gates
    for phase in document.phases:
        for item in phase.accept if phase.id in gates else ():
            for matcher in item.match:
                if isinstance(matcher, EventMatcher) and _self_reported(document, matcher):
                    said = f"the gate item {item.id!r} can be met by {matcher.name!r}, which the "
                    said += "audited agent writes itself; use what the other side says"
                    yield error("E419", matcher.path, said, document.line(matcher.path))


def _self_reported(document: Document, matcher: EventMatcher) -> bool:
    spec = document.events.get(matcher.name)
    return spec is not None and spec.self_reported


def too_few_examples(document: Document) -> Iterator[Finding]:
    """E501: fewer than two examples on a side."""
    for phase, side, sentences in _sides(document):
        if len(sentences) < _FEWEST:
            where = f"{phase.id}.rubric.{side}"
            said = f"{len(sentences)} {side} example(s); two or three are needed"
            yield error("E501", where, said, document.line(where))


def too_many_examples(document: Document) -> Iterator[Finding]:
    """W502: more than three examples on a side."""
    for phase, side, sentences in _sides(document):
        if len(sentences) > _MOST:
            where = f"{phase.id}.rubric.{side}"
            said = f"{len(sentences)} {side} examples; keep the two or three that teach most"
            yield warning("W502", where, said, document.line(where))


def _sides(document: Document) -> Iterator[tuple[Phase, str, tuple[str, ...]]]:
    for phase in document.phases:
        yield phase, "pass", phase.rubric.passing
        yield phase, "fail", phase.rubric.failing


def looks_like_real_data(document: Document) -> Iterator[Finding]:
    """E505: an example that could come from a real person's call."""
    for phase, side, sentences in _sides(document):
        for index, sentence in enumerate(sentences):
            if _REAL_DATA.search(sentence):
                where = f"{phase.id}.rubric.{side}[{index}]"
                said = "this looks like real personal data; invent a number nobody can have"
                yield error("E505", where, said, document.line(where))


def longer_than_a_page(document: Document) -> Iterator[Finding]:
    """W506: what a reviewer reads about a phase does not fit a page."""
    for phase in document.phases:
        texts = [phase.intent, *(item.text for item in phase.accept), *phase.counterexamples]
        length = sum(len(text) for text in [*texts, *phase.rubric.passing, *phase.rubric.failing])
        if length > _PAGE:
            said = f"{length:,} characters to read; keep it under {_PAGE:,} (one page)"
            yield warning("W506", phase.id, said, document.line(phase.id))


def no_counterexample(document: Document) -> Iterator[Finding]:
    """W507: nothing says what does not count."""
    for phase in document.phases:
        if not phase.counterexamples:
            said = "no counterexample; name what looks right and does not count"
            yield warning("W507", phase.id, said, document.line(phase.id))


def sentence_on_both_sides(document: Document) -> Iterator[Finding]:
    """E508: one sentence is a pass and a fail example."""
    for phase in document.phases:
        for sentence in phase.rubric.passing:
            if sentence in phase.rubric.failing:
                where = f"{phase.id}.rubric"
                said = f"{sentence[:40]!r} is both a pass and a fail example; decide"
                yield error("E508", where, said, document.line(where))


def long_intent(document: Document) -> Iterator[Finding]:
    """W509: an intent over 200 characters."""
    for phase in document.phases:
        if len(phase.intent) > _LONGEST_INTENT:
            where = f"{phase.id}.intent"
            said = f"{len(phase.intent)} characters; say it in {_LONGEST_INTENT}"
            yield warning("W509", where, said, document.line(where))
