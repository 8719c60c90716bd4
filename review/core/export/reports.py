"""The reports for people: one page of HTML without script, and a table for spreadsheets."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from oipsce_site.signing.core.plain import write_time
from review.core.audit.names import Profile, Why
from review.core.export.order import Order
from review.core.signoff.record import SignOff

#: What a spreadsheet may take for a formula, at the start or after blanks and controls.
_FORMULA: Final = re.compile(r"[\s\x00-\x1f\x7f]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]")
#: Characters that turn the order of others round, or are not seen.
_HIDDEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
COLUMNS: Final = (
    *("call", "external_id", "date", "catalog", "coverage", "order_safe", "call_success"),
    *("signed_by", "role", "meaning", "signed_at", "assurance", "state", "record_digest"),
)
_STYLE: Final = (
    "body{font:14px/1.5 sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#1b1f24}"
    "table{border-collapse:collapse;width:100%;margin:.5em 0 1.5em}"
    "th,td{border:1px solid #c9d1d9;padding:.25em .5em;text-align:left;vertical-align:top}"
    "th{background:#f0f3f6}code{word-break:break-all}.fail{font-weight:bold}"
    "section{break-inside:avoid}"
)


_SHOWN: Final = ("call", "about", "catalog", "outcome")
_OF_ROW: Final = ("phase", "start", "finish", "verdict")


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One call as the reports show it: what they show of its record, and the record's digest.

    Each signature comes with its digest and how it stands: ``stands`` or ``void``.
    """

    record: Mapping[str, Any]
    digest: str
    signatures: Sequence[tuple[SignOff, str, str]]


def report_line(
    record: Mapping[str, Any], digest: str, signatures: Sequence[tuple[SignOff, str, str]]
) -> ReportLine:
    """Return the line of a record; of the record itself nothing is kept that no report shows."""
    rows = [{name: row[name] for name in _OF_ROW} for row in record["rows"]]
    return ReportLine({**{name: record[name] for name in _SHOWN}, "rows": rows}, digest, signatures)


def write_csv(lines: Sequence[ReportLine], catalogs: Mapping[str, str], digest: str) -> bytes:
    """Return the table: one line for each signature of each call; the last one has the digest."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for line in lines:
        for row in _csv_rows(line, catalogs):
            writer.writerow([guard(cell) for cell in row])
    writer.writerow(["records digest", digest])
    return out.getvalue().encode("utf-8")


def guard(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula.

    >>> guard("=1+1"), guard(" @x"), guard("plain")
    ("'=1+1", "' @x", 'plain')
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def write_html(
    order: Order, lines: Sequence[ReportLine], catalogs: Mapping[str, str], digest: str
) -> bytes:
    """Return the page: what was asked, what is in it, each call with its rows and signatures."""
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">\n",
        f"<title>Signed audit {escape(order.export_id)}</title>\n<style>{_STYLE}</style>\n",
        "</head>\n<body>\n<h1>Signed audit</h1>\n",
        _about(order, lines, digest),
        "<h2>Calls</h2>\n",
        *(_call(line, catalogs) for line in lines),
        "</body>\n</html>\n",
    ]
    return "".join(parts).encode("utf-8")


def _csv_rows(line: ReportLine, catalogs: Mapping[str, str]) -> list[list[str]]:
    record = line.record
    about, outcome = record["about"], record["outcome"]
    first = [
        record["call"],
        about.get("external_id") or "",
        about.get("date") or about.get("year") or "",
        catalogs.get(record["catalog"], record["catalog"]),
        *(outcome[name] for name in ("coverage", "order_safe", "call_success")),
    ]
    signed = [
        [
            signoff.signer.printed_name,
            signoff.signer.role,
            signoff.meaning.value,
            write_time(signoff.at),
            signoff.assurance.value,
            state,
            own,
        ]
        for signoff, own, state in line.signatures
    ]
    return [[*first, *one] for one in signed] or [[*first, *[""] * 7]]


def _about(order: Order, lines: Sequence[ReportLine], digest: str) -> str:
    counts = dict.fromkeys(Why, 0)
    for one in order.universe:
        counts[one.why] += 1
    scope = order.scope
    facts = [
        ("Export", order.export_id),
        ("Made", f"{write_time(order.created_at)} (UTC)"),
        ("For", order.recipient),
        ("Purpose", order.purpose),
        *(
            [("Approved by", order.approved_by)]
            if order.approved_by and order.profile is Profile.FULL
            else []
        ),
        ("Profile", order.profile.value),
        ("Calls in it", str(len(lines))),
        *(
            (f"Calls of the site: {why.value.replace('_', ' ')}", str(n))
            for why, n in counts.items()
        ),
        ("Asked for", "all signed calls" if scope.is_whole else "a part; see the manifest"),
        ("Records digest", digest),
    ]
    rows = "".join(
        f"<tr><th>{_text(name)}</th><td>{_text(value)}</td></tr>" for name, value in facts
    )
    return (
        f"<table>{rows}</table>\n<p>This page is for reading. What counts is the signed manifest: "
        "verify the whole file as README.txt says, and compare the records digest.</p>\n"
    )


def _call(line: ReportLine, catalogs: Mapping[str, str]) -> str:
    record = line.record
    outcome = record["outcome"]
    about = " ".join(str(one) for one in record["about"].values() if one)
    rows = "".join(
        f"<tr><td>{_text(row['phase'])}</td><td>{_text(row['start'])}</td>"
        f"<td>{_text(row['finish'])}</td><td>{_text(row['verdict'])}</td></tr>"
        for row in record["rows"]
    )
    said = ", ".join(
        f'{name}: <span class="{outcome[key]}">{_text(outcome[key])}</span>'
        for name, key in (
            ("Coverage", "coverage"),
            ("OrderSafe", "order_safe"),
            ("CallSuccess", "call_success"),
        )
    )
    return (
        f"<section>\n<h3><code>{_text(record['call'])}</code></h3>\n<p>{_text(about)}</p>\n"
        f"<p>{said}</p>\n<p>Catalog: {_text(catalogs.get(record['catalog'], record['catalog']))}"
        "</p>\n<table><tr><th>Phase</th><th>Start</th><th>Finish</th><th>Verdict</th></tr>"
        f"{rows}</table>\n{''.join(_signature(*one) for one in line.signatures)}</section>\n"
    )


def _signature(signoff: SignOff, digest: str, state: str) -> str:
    signer = signoff.signer
    return (
        f"<p>Signed by <bdi>{_text(signer.printed_name)}</bdi>, {_text(signer.role)}: "
        f"{_text(signoff.meaning.value)}, {write_time(signoff.at)} (UTC), "
        f"{_text(signoff.assurance.value)}, review {signoff.content.review}, {_text(state)}; "
        f"record <code>{digest}</code></p>\n"
    )


def _text(value: object) -> str:
    """Return text that is safe in a page; characters that hide or turn others are named."""
    shown = _HIDDEN.sub(lambda hit: f"[U+{ord(hit.group()):04X}]", str(value))
    return escape(shown)
