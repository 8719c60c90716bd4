"""What the PDFs of an audit say, as plain values: a sheet for each call, and one over all.

A sheet is made of what the audit's own record of the call discloses under its profile, and of the
catalog: nothing is on paper that is not in the files. `kind` names the template that prints it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol

from oipsce_site.signing.core.plain import write_time
from review.core.audit.names import Profile, Why
from review.core.export.glyphs import has_named, printable_sheet
from review.core.export.order import CatalogFile, Order
from review.core.export.reports import ReportLine
from review.core.predicates.codes import Code
from review.core.predicates.decision import Decision
from review.core.predicates.edges import EdgeOutcome
from review.core.rows import Absent
from review.core.signoff.record import STATEMENT, SignOff

Plain = dict[str, Any]
CALL: Final = "call"
AUDIT: Final = "audit"
_OUTCOMES: Final = (
    ("Coverage", "coverage"),
    ("OrderSafe", "order_safe"),
    ("CallSuccess", "call_success"),
)
_POINTS: Final = {"never": "\u2013", "unknown": "?"}
_TRUTH: Final = {True: "pass", False: "fail", None: "undetermined"}
#: Whether a phase is required; nothing where that cannot be said.
_REQUIRED: Final = {True: "yes", False: "no", None: "?", "": ""}


class Printed(Protocol):
    """A PDF that is being made."""

    def result(self) -> bytes:
        """Return its bytes once they are there. Raises what kept it from being made."""
        ...


class Press(Protocol):
    """Whatever makes a PDF of a sheet: the same bytes for the same sheet, wherever it stands."""

    def submit(self, sheet: Plain) -> Printed:
        """Begin to print a sheet."""
        ...


@dataclass(frozen=True, slots=True)
class CatalogNames:
    """How a catalog version and its phases are called."""

    title: str
    digest: str
    phases: Mapping[str, str]


def names_of(catalog: CatalogFile) -> CatalogNames:
    """Return what sheets say of a catalog version."""
    phases = json.loads(catalog.content)["phases"]
    return CatalogNames(
        f"{catalog.slug} {catalog.version}",
        catalog.digest,
        {one["id"]: str(one.get("name", "")) for one in phases},
    )


def call_sheet(
    order: Order,
    line: ReportLine,
    record: Mapping[str, Any],
    catalog: CatalogNames,
    decision: Decision | None,
) -> Plain:
    """Return the sheet of one call: verdicts, rows, evidence, decisions, signatures.

    `decision` is what follows from the record alone; None where that cannot be said. `turns` are
    empty: whoever may show the words adds `turns_of` the transcript.
    """
    evaluation = record.get("evaluation")
    required = {} if decision is None else {one.phase: one.required for one in decision.phases}
    told = [] if evaluation is None else evaluation["rows"]
    reasons = {one["phase"]: one["reason"] for one in told if one["code"] != Code.PASSED.value}
    rows = {row["phase"]: row for row in record["rows"]}
    return {
        **_about(CALL, order, line.digest),
        "call": record["call"],
        "facts": _named_facts(record["about"], catalog),
        "outcomes": _outcomes(record["outcome"]),
        "summary": "" if evaluation is None else evaluation["summary"],
        "edges": [] if decision is None else _edges(decision.edges, evaluation),
        "rows": [
            [*_row(rows[phase], name), _REQUIRED[required.get(phase, "")], reasons.get(phase, "")]
            for phase, name in catalog.phases.items()
            if phase in rows
        ],
        "evidence": [
            [one["phase"], one["item"] or "", one["turn"], one["text"]]
            for one in record.get("evidence", ())
            if "text" in one
        ],
        "inputs": [
            [one["name"], one["kind"], _shown(one["value"])]
            for one in record["inputs"]
            if "value" in one
        ],
        "decisions": [_decision(one) for one in record.get("decisions", ())],
        "signatures": [_signature(*one) for one in line.signatures],
        "statement": STATEMENT if line.signatures else "",
        "turns": [],
    }


def audit_sheet(
    order: Order,
    lines: Sequence[ReportLine],
    catalogs: Mapping[str, CatalogNames],
    records_digest: str,
) -> Plain:
    """Return the sheet over all calls: what was asked, what is in it and what not, each outcome."""
    is_full = order.profile is Profile.FULL
    counts = {why: sum(one.why is why for one in order.universe) for why in Why}
    scope = order.scope
    asked = [
        f"from {scope.first_date}" if scope.first_date else "",
        f"to {scope.last_date}" if scope.last_date else "",
        f"catalog {scope.catalog}" if scope.catalog else "",
        f"call success {scope.verdict}" if scope.verdict else "",
    ]
    return {
        **_about(AUDIT, order, records_digest),
        "facts": [
            ["For", order.recipient],
            ["Purpose", order.purpose],
            ["Profile", order.profile.value],
            ["Asked for", ", ".join(one for one in asked if one) or "all signed calls of the site"],
            *([["Approved by", order.approved_by]] if order.approved_by and is_full else []),
            ["Made", _moment(order.created_at)],
        ],
        "universe": [[why.value.replace("_", " "), n] for why, n in counts.items() if n],
        "counts": _counts(lines),
        "calls": [
            [
                line.record["call"],
                line.record["about"].get("external_id") or "",
                line.record["about"].get("date") or line.record["about"].get("year") or "",
                catalogs[line.record["catalog"]].title,
                [word for _, word in _outcomes(line.record["outcome"])],
                [one.signer.printed_name for one, _, state in line.signatures if state == "stands"],
            ]
            for line in lines
        ],
    }


def to_print(sheet: Plain, *, with_marks: bool = True) -> str:
    """Return a sheet as the JSON that a template reads: every character has a glyph.

    Without marks, combining characters are named by number too: no one face may have a glyph for
    such a mark on its letter.
    """
    shown = printable_sheet(sheet, with_marks=with_marks)
    return json.dumps({**shown, "has_named": has_named(shown)}, ensure_ascii=False)


def _about(kind: str, order: Order, digest: str) -> Plain:
    at = order.created_at
    return {
        "kind": kind,
        "export": order.export_id,
        "made": [at.year, at.month, at.day, at.hour, at.minute, at.second],
        "digest": digest,
    }


def _named_facts(about: Mapping[str, Any], catalog: CatalogNames) -> list[list[str]]:
    words = {"external_id": "External id", "title": "Title", "source": "Source", "date": "Date"}
    known = [[words.get(name, name.capitalize()), about[name]] for name in about if about[name]]
    return [*known, ["Catalog", catalog.title], ["Catalog digest", catalog.digest]]


def _outcomes(outcome: Mapping[str, str]) -> list[list[str]]:
    return [[name, outcome[key]] for name, key in _OUTCOMES]


def _edges(edges: Iterable[EdgeOutcome], evaluation: Mapping[str, Any] | None) -> list[list[Any]]:
    told = [] if evaluation is None else evaluation["edges"]
    whys = {(one["parent"], one["child"]): one["why"] for one in told}
    return [
        [
            f"{one.rule.parent} → {one.rule.child}" + (f" ({one.item})" if one.item else ""),
            _point(one.parent_finish),
            _point(one.child_start),
            _TRUTH[one.ok],
            "" if one.ok is True else whys.get((one.rule.parent, one.rule.child), ""),
        ]
        for one in edges
    ]


def _row(row: Mapping[str, Any], name: str) -> list[str]:
    return [row["phase"], name, _point(row["start"]), _point(row["finish"]), row["verdict"]]


def _point(value: object) -> str:
    plain = value.value if isinstance(value, Absent) else value
    return _POINTS.get(str(plain), str(plain))


def _shown(value: object) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value.values())) if isinstance(value, dict) else str(value)


def _decision(one: Mapping[str, Any]) -> list[str]:
    value = one["value"]
    return [
        str(one["number"]),
        one["kind"].lower().replace("_", " "),
        one["phase"] or one["fact"],
        "" if not value else json.dumps(value, ensure_ascii=False, sort_keys=True),
        one["role"].replace("_", " "),
        _second(one["at"]),
        one.get("reason") or "",
    ]


def _signature(signoff: SignOff, digest: str, state: str) -> Plain:
    signer = signoff.signer
    key = signoff.key_digest
    return {
        "name": signer.printed_name,
        "role": signer.role.replace("_", " "),
        "meaning": signoff.meaning.value,
        "at": _moment(signoff.at),
        "assurance": signoff.assurance.value,
        "key": key[:8] if key else "",
        "review": signoff.content.review,
        "state": state,
        "digest": digest,
    }


def turns_of(transcript: bytes) -> list[list[Any]]:
    """Return lines: a turn as number, speaker and words; what happened in it as no number."""
    plain = json.loads(transcript)
    events: dict[Any, list[list[Any]]] = {}
    for identity, source, name, turn, _, _, ok, _, details in plain["events"]:
        mark = " failed" if ok is False else ""
        given = details.removeprefix('{"args":').removesuffix(',"result":null}')
        events.setdefault(turn, []).append(["", f"{source}{mark}", f"{identity} {name} {given}"])
    lines = list(events.get(None, []))
    for number, speaker, role, _, text, *_ in plain["turns"]:
        lines.append([str(number), (role or speaker).replace("_", " "), text])
        lines.extend(events.get(number, []))
    return lines


def _counts(lines: Sequence[ReportLine]) -> list[list[Any]]:
    words = ("pass", "fail", "undetermined")
    return [
        [name, *(sum(line.record["outcome"][key] == word for line in lines) for word in words)]
        for name, key in _OUTCOMES
    ]


def _moment(at: datetime) -> str:
    return f"{_second(write_time(at))} (UTC)"


def _second(written: str) -> str:
    """Return a written time without the parts of its second."""
    return f"{written[:10]} {written[11:19]}"
