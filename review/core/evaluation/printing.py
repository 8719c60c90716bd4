"""The report as lines of text for a terminal, and as JUnit XML for a build server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import quoteattr

from review.core.evaluation.encoding import Quote
from review.core.evaluation.report import PointText, Report, RowReport

_MARKS = {"pass": "\u2713 pass", "fail": "\u2715 fail", "unknown": "? unknown"}


def report_lines(report: Report, *, quote: Quote) -> Iterator[str]:
    """Yield the lines an engineer reads: verdicts, rows with their evidence, then edges."""
    catalog = report.catalog
    yield f"{report.call}  judged by {catalog.slug} {catalog.version} ({catalog.digest[:12]})"
    yield (
        f"  Coverage {report.coverage} \u00b7 OrderSafe {report.order_safe} \u00b7 "
        f"CallSuccess {report.call_success}"
    )
    yield f"  {report.summary}"
    yield f"  {'phase':<16}{'s':>6}{'e':>6}  verdict    required"
    for row in report.rows:
        yield from _row_lines(row, quote)
    for edge in report.edges:
        if edge.critical:
            mark = _MARKS["unknown" if edge.ok is None else "pass" if edge.ok else "fail"]
            yield f"  \u25c6 {edge.parent}\u2192{edge.child} {mark} [{edge.code}] {edge.why}"
            if edge.would_pass:
                yield f"      would pass with: {edge.would_pass}"
    if report.facts:
        facts = ", ".join(f"{name} = {_word(value)}" for name, value in report.facts.items())
        yield f"  facts: {facts}"
    figures = ", ".join(f"{name} {value}" for name, value in report.diagnostics.items() if value)
    yield f"  figures that never decide: {figures}"
    for finding in report.findings:
        yield f"  {finding.severity} {finding.code} at {finding.where}: {finding.text}"


def junit_xml(reports: Iterable[Report], refused: Sequence[tuple[str, str]] = ()) -> str:
    """Write one test case per call: fail is a failure, undetermined an error, and so is what was
    refused (its place and the sentence about it).
    """
    cases = list(reports)
    failed = sum(report.call_success == "fail" for report in cases)
    errors = len(refused) + sum(report.call_success == "undetermined" for report in cases)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuite name="evaluate_call" tests="{len(cases) + len(refused)}" '
        f'failures="{failed}" errors="{errors}">',
    ]
    for report in cases:
        lines.extend(_junit_case(report))
    for where, sentence in refused:
        lines.append(f'  <testcase name={quoteattr(where)} classname="refused">')
        lines.append(f"    <error message={quoteattr(sentence)}/>")
        lines.append("  </testcase>")
    return "\n".join([*lines, "</testsuite>"]) + "\n"


def _junit_case(report: Report) -> Iterator[str]:
    name = f"name={quoteattr(report.call)} classname={quoteattr(report.catalog.slug)}"
    if report.call_success == "pass":
        yield f"  <testcase {name}/>"
        return
    tag = "failure" if report.call_success == "fail" else "error"
    whys = [edge.why for edge in report.edges if edge.critical and edge.ok is not True]
    whys += [row.reason for row in report.rows if row.ok is not True]
    message = quoteattr(" ".join([report.summary, *whys]))
    yield f"  <testcase {name}>"
    yield f"    <{tag} message={message}/>"
    yield "  </testcase>"


def _row_lines(row: RowReport, quote: Quote) -> Iterator[str]:
    required = "yes" if row.required else "unknown" if row.required is None else "no"
    blocked = f", blocked by {row.blocked_by}" if row.blocked_by else ""
    yield (
        f"  {row.phase:<16}{_point(row.start):>6}{_point(row.finish):>6}  "
        f"{_MARKS[row.verdict]:<10} {required}{blocked}"
    )
    for piece in row.evidence:
        words = " ".join(quote(piece.turn, piece.start, piece.end, piece.event).split())
        yield f"      \u2022 {piece.item} at {piece.turn}: {words[:90]}"
    for instance in row.instances:
        span = f"{_point(instance.start)}/{_point(instance.finish)}"
        yield f"      for {instance.key}: {span} {instance.verdict}"
    for flag in row.flags:
        yield f"      \u2691 {flag.code}: {flag.text}"


def _point(point: PointText) -> str:
    return "?" if point is None else str(point)


def _word(value: object) -> str:
    if value is None:
        return "unknown"
    return str(value).lower() if isinstance(value, bool) else str(value)
