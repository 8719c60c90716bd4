"""The decisions S1 to S36 of the reference: one row each, asked of the function that decides it.

A row says what is given in words, how it is asked, and the whole answer. Where a decision belongs
to a part that is not written yet, the row holds what stands today and says so.
"""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from catalogs.core.document import load_document
from catalogs.core.linter import guard
from review.core.diagnostics import critical_dependency_share
from review.core.evaluation import ENGINE_VERSION, build_report, report_to_json
from review.core.evidence.spans import commit, cut
from review.core.parsers import parse_calls
from review.core.predicates import Decision
from review.core.predicates.plan import EdgeRule
from review.core.rows import Row, roll_up
from tests.unit.review.predicates.plain_calls import decided, edge, phase, plan, point, row
from tests.unit.review.predicates.tiny_catalogs import (
    HEAD,
    call,
    call_bytes,
    catalog,
    catalog_bytes,
    event,
    filled,
    gated,
    said,
)
from tests.unit.review.predicates.tiny_catalogs import phase as written

EDGE = edge("PID", "CSV")
GOOD = row("PID", 45, 52, 1)
LATER = row("CSV", 60, 81, 1)


class Decided(NamedTuple):
    """One row of the table."""

    id: str
    given: str
    ask: Callable[[], object]
    answer: object


def short(decision: Decision) -> tuple[object, str, str]:
    """Write a decision as edge, its code and CallSuccess."""
    first = decision.edges[0]
    return first.ok, first.code.value, decision.call_success.value


def two(*rows: Row, rule: EdgeRule = EDGE, **phases: Any) -> tuple[object, str, str]:
    """Judge PID -> CSV; `pid` and `csv` add to the phases."""
    rules = [phase("PID", **phases.get("pid", {})), phase("CSV", **phases.get("csv", {}))]
    return short(decided(plan(rules, [rule]), rows))


def terms(decision: Decision) -> list[tuple[str, object, str]]:
    """Write every phase's term of Coverage."""
    return [(one.phase, one.ok, one.code.value) for one in decision.phases]


def consent(start: int, kind: str) -> tuple[object, str, str]:
    """Judge a disclosure after a consent (10) that was taken back at 60."""
    parent = {
        "revoked": row("PID", 5, 10, 0, revoked_at=60),
        "void": row("PID", 5, "N", 0),
        "not said": row("PID", 5, 10, 1, contradicted_at=60),
    }[kind]
    return two(parent, row("CSV", start, start + 5, 1))


def rows_found(document_phases: list[dict[str, Any]], *turns: Any, **more: Any) -> Any:
    """Return (start, finish, verdict) of every row that the cascade finds, and the decision."""
    found = filled(catalog(*document_phases), call(*turns, **more))
    rows = {name: (one.start, one.finish, one.verdict.value) for name, one in found.rows.items()}
    return {**rows, "edges": [(one.ok, one.code.value) for one in found.decision.edges]}


def load_codes(*phases: dict[str, Any], head: str = HEAD, swap: tuple[str, str] = ("", "")) -> Any:
    """Return whether a catalog loads, and the codes of what every load checks."""
    data = catalog_bytes(phases, head).replace(swap[0].encode(), swap[1].encode())
    return load_document(data)[0] is not None, [finding.code for finding in guard(data)]


def drugs(scope: str) -> tuple[object, str, str]:
    """Judge two drugs, asked one after the other."""
    rules = [phase("DFV", per_item=True), phase("DRC", per_item=True)]
    parent = roll_up("DFV", (row("DFV", 82, 85, 1, key="d1"), row("DFV", 95, 99, 1, key="d2")))
    child = roll_up("DRC", (row("DRC", 90, 92, 1, key="d1"), row("DRC", 100, 101, 1, key="d2")))
    rule = edge("DFV", "DRC", per_item=scope == "item")
    return short(decided(plan(rules, [rule]), [parent, child]))


def overlap() -> Any:
    """Let the child's turn begin 0.8 s before the parent's ends."""
    return rows_found(
        [written("PID"), gated("CSV", "PID")],
        (51, "agent", "PID", 10.0, 14.0),
        (52, "agent", "CSV", 13.2, 15.0),
    )["edges"]


def between(tool: str, **at: float) -> Any:
    """Place an event between turns 52 and 53, or inside turn 52."""
    matched = [{"id": "dob", "text": "Matched.", "match": [{"tool": "id.match"}]}]
    found = rows_found(
        [written("PID", accept=matched), written("CSV", starts=[{"tool": "eligibility"}])],
        (52, "agent", "PID", 52.0, 52.2),
        (53, "agent", "CSV", 53.0, 53.5),
        events=[event(tool, **at)],
    )
    return found["PID"][1] if tool == "id.match" else found["CSV"][0]


def chain(pid: tuple[Any, ...]) -> list[tuple[str, object, str]]:
    """Judge CSV required by PID and DFV required by CSV, neither of them started."""
    rules = [phase("PID"), phase("CSV", "PID passed"), phase("DFV", "CSV passed")]
    never = [row(name, "N", "N", 0) for name in ("CSV", "DFV")]
    return terms(decided(plan(rules), [row("PID", *pid), *never]))


def half(*rows: Row) -> tuple[object, str, str]:
    """Judge a call whose end is not confirmed."""
    rules = plan([phase("PID"), phase("CSV")], [EDGE])
    return short(decided(rules, rows, ended=None))


def listed(result: Any) -> list[str]:
    """Return the codes of findings, each once."""
    return sorted({finding.code for finding in result})


def rebuilt() -> list[bytes]:
    """Evaluate the same bytes twice, everything built anew; return both reports as JSON."""
    reports = []
    for _ in range(2):
        document = catalog(written("PID"), gated("CSV", "PID"))
        one = call((1, "agent", "CSV"), (2, "agent", "PID"))
        report = build_report(one, document, filled(document, one), engine=ENGINE_VERSION)
        reports.append(json.dumps(report_to_json(report), ensure_ascii=False).encode())
    return reports


def identity() -> Any:
    """Return what names the result of a report."""
    document = catalog(written("PID"))
    one = call((1, "agent", "PID"))
    report = build_report(one, document, filled(document, one), engine="oip-engine/9")
    return report.engine, report.catalog.digest == document.digest


def refused_quote(start: int, end: int) -> str:
    """Cut a quote that does not lie inside its turn."""
    with pytest.raises(ValueError, match="does not lie inside"):
        cut("born in May", start, end)
    return "refused"


ASKED = {"ask": "copay", "by": ["agent"], "answer_by": ["rep"]}
COPAY = [{"id": "amount", "text": "Said.", "match": [ASKED, said(r"\$\d+", "rep")]}]
VERIFIED = [{"id": "yes", "text": "The other side says so.", "match": [said("verified", "rep")]}]
BIRTH = [said("your birth")]
NAMED = {"attributes": {"drugs": [{"id": "d1", "names": ["A"]}, {"id": "d2", "names": ["B"]}]}}

SAFE, FAIL, OPEN = "SAFE", "fail", "undetermined"
EARLY = "STARTED_BEFORE_PARENT_FINISHED"
NEVER, UNKNOWN = point("N"), point("U")

TABLE = [
    Decided(
        "S1 asserted",
        "neither started, the child asserted never",
        lambda: two(
            row("PID", "N", "N", 0),
            row("CSV", "N", "N", 0),
            pid={"required": "optional"},
            csv={"required": "optional"},
        )[:2],
        (True, "CHILD_NEVER_STARTED"),
    ),
    Decided(
        "S1 absent",
        "no row for the child",
        lambda: two(row("PID", "N", "N", 0), csv={"required": "optional"})[:2],
        (None, "CHILD_START_UNKNOWN"),
    ),
    Decided(
        "S2",
        "the parent never finished and the child started",
        lambda: two(row("PID", 45, "N", 0), LATER),
        (False, "PARENT_NEVER_FINISHED", FAIL),
    ),
    Decided(
        "S3",
        "the parent started after the child, its finish unknown: e >= s is not inferred",
        lambda: two(row("PID", 90, "U", "U"), LATER),
        (None, "PARENT_FINISH_UNKNOWN", OPEN),
    ),
    Decided(
        "S4",
        "verdict fail with a finish and no contradiction",
        lambda: two(row("PID", 45, 52, 0), LATER),
        (None, "V0_WITH_FINISH", OPEN),
    ),
    Decided(
        "S5 revoked later", "disclosed before", lambda: consent(20, "revoked"), (True, SAFE, FAIL)
    ),
    Decided(
        "S5 revoked before",
        "disclosed after it was revoked",
        lambda: consent(70, "revoked"),
        (False, "PARENT_ALREADY_CONTRADICTED", FAIL),
    ),
    Decided(
        "S5 revoked on the turn",
        "disclosed on the turn of the revocation",
        lambda: consent(60, "revoked"),
        (False, "PARENT_ALREADY_CONTRADICTED", FAIL),
    ),
    Decided(
        "S5 void",
        "never valid, so no finish",
        lambda: consent(20, "void"),
        (False, "PARENT_NEVER_FINISHED", FAIL),
    ),
    Decided(
        "S5 a machine's word",
        "contradicted, nobody has said how: unknown (the method page rules, not 'void')",
        lambda: consent(20, "not said"),
        (None, "CONTRADICTED", OPEN),
    ),
    Decided(
        "S6",
        "the first completion void, the second at 30, the child at 20",
        lambda: two(row("PID", 5, 30, 1), row("CSV", 20, 25, 1)),
        (False, EARLY, FAIL),
    ),
    Decided(
        "S7",
        "a pass without a finish",
        lambda: terms(decided(plan([phase("DFV")]), [row("DFV", 82, "N", 1)])),
        [("DFV", None, "V1_WITHOUT_FINISH")],
    ),
    Decided(
        "S8",
        "a pass without evidence",
        lambda: terms(decided(plan([phase("CRN")]), [row("CRN", 104, 107, 1, evidence=())])),
        [("CRN", None, "NO_EVIDENCE")],
    ),
    Decided(
        "S9 allowed",
        "volunteered before the phase, and the catalog takes it",
        lambda: two(row("PID", 10, 3, 1, volunteered=True), LATER, pid={"may_volunteer": True}),
        (True, SAFE, "pass"),
    ),
    Decided(
        "S9 not allowed",
        "volunteered, but the phase wants an acknowledgement",
        lambda: two(row("PID", 10, 3, 1, volunteered=True), LATER),
        (None, "E_BEFORE_S", OPEN),
    ),
    Decided(
        "S9 not marked",
        "the catalog would take it, the row does not say so",
        lambda: two(row("PID", 10, 3, 1), LATER, pid={"may_volunteer": True}),
        (None, "E_BEFORE_S", OPEN),
    ),
    Decided(
        "S9 never entered",
        "finished, but asserted never started, and not volunteered",
        lambda: two(GOOD, row("CSV", "N", 60, 1)),
        (None, "E_BEFORE_S", OPEN),
    ),
    Decided(
        "S10",
        "one turn starts and finishes",
        lambda: terms(decided(plan([phase("SX_DECL")]), [row("SX_DECL", 1, 1, 1)])),
        [("SX_DECL", True, "PASSED")],
    ),
    Decided(
        "S10 as a parent",
        "the child on that turn",
        lambda: two(row("PID", 1, 1, 1), row("CSV", 1, 2, 1)),
        (False, "TIE_STRICT", FAIL),
    ),
    Decided(
        "S11 strict",
        "finish and start on one turn",
        lambda: two(GOOD, row("CSV", 52, 60, 1)),
        (False, "TIE_STRICT", FAIL),
    ),
    Decided(
        "S11 same turn allowed",
        "by the policy of the child",
        lambda: two(GOOD, row("CSV", 52, 60, 1), rule=edge("PID", "CSV", same_turn=True)),
        (True, "TIE_ALLOWED", "pass"),
    ),
    Decided(
        "S11 refused",
        "<= on a child of high harm",
        lambda: load_codes(
            written("PID"),
            gated("CSV", "PID", precedence="<="),
            head=HEAD.replace("clock: exact", "clock: coarse"),
        ),
        (True, ["E207"]),
    ),
    Decided(
        "S12",
        "the parent's words come first inside the turn",
        lambda: rows_found(
            [written("PID"), gated("CSV", "PID")], (52, "agent", "PID, and now CSV")
        )["edges"],
        [(False, "TIE_STRICT")],
    ),
    Decided("S13", "overlapping speech", overlap, [(None, "TIMING_OVERLAP")]),
    Decided("S14 start", "a start at 52.5", lambda: between("eligibility", t=52.5), 52),
    Decided("S14 finish", "a finish at 52.5", lambda: between("id.match", t=52.5), 53),
    Decided("S14 inside", "a finish inside turn 52", lambda: between("id.match", t=52.1), 52),
    Decided("S14 past the end", "a finish after all", lambda: between("id.match", t=60.0), UNKNOWN),
    Decided(
        "S15",
        "turns counted from 0: 0 is a start",
        lambda: two(row("PID", 2, 3, 1), row("CSV", 0, 1, 1)),
        (False, EARLY, FAIL),
    ),
    Decided(
        "S16",
        "asked too early at 42, correctly again at 60",
        lambda: rows_found(
            [written("PID"), gated("CSV", "PID")],
            (42, "agent", "CSV"),
            (52, "agent", "PID"),
            (60, "agent", "CSV"),
        ),
        {
            "PID": (52, 52, "pass"),
            "CSV": (42, 42, "pass"),
            "edges": [(False, EARLY)],
        },
    ),
    Decided(
        "S17 open",
        "required on an unknown fact, never done",
        lambda: terms(
            decided(
                plan([phase("DCC", "not restrictions")]),
                [row("DCC", "N", "N", 0)],
                {"restrictions": None},
            )
        ),
        [("DCC", None, "REQUIRED_UNKNOWN")],
    ),
    Decided(
        "S17 done",
        "required on an unknown fact, done",
        lambda: terms(decided(plan([phase("DCC", "not restrictions")]), [row("DCC", 102, 103, 1)])),
        [("DCC", True, "PASSED")],
    ),
    Decided(
        "S18",
        "PID fails, so CSV is not required, so DFV is not",
        lambda: [one[1] for one in chain((45, "N", 0))],
        [False, True, True],
    ),
    Decided(
        "S18 words",
        "passed, required and started of a phase that is not owed and not done",
        lambda: [
            one.required
            for one in decided(
                plan(
                    [
                        phase("FAM", "optional"),
                        phase("A", "FAM passed"),
                        phase("B", "FAM required"),
                        phase("C", "FAM started"),
                        phase("D", "FAM finished"),
                        phase("E", "FAM failed"),
                    ]
                ),
                [row("FAM", "N", "N", 0)],
            ).phases
        ],
        [False] * 6,
    ),
    Decided(
        "S19",
        "what a failure switched off is blocked by it, not 'not applicable'",
        lambda: chain((45, "N", 0)),
        [("PID", False, "REQUIRED_FAILED"), ("CSV", True, "BLOCKED"), ("DFV", True, "BLOCKED")],
    ),
    Decided(
        "S20",
        "an optional phase was tried and failed",
        lambda: (
            decided(
                plan([phase("PID"), phase("FAMHX", "optional")]), [GOOD, row("FAMHX", 60, "N", 0)]
            ).call_success.value
        ),
        "pass",
    ),
    Decided(
        "S21",
        "a child that is not required starts too early",
        lambda: two(row("PID", 90, 101, 1), row("CSV", 95, 96, 1), csv={"required": "optional"}),
        (False, EARLY, FAIL),
    ),
    Decided(
        "S22",
        "a parent that is not required binds",
        lambda: two(row("PID", "N", "N", 0), LATER, pid={"required": "optional"}),
        (False, "PARENT_NEVER_FINISHED", FAIL),
    ),
    Decided(
        "S22 waived",
        "unless the edge says when",
        lambda: two(
            row("PID", "N", "N", 0),
            LATER,
            pid={"required": "optional"},
            rule=edge("PID", "CSV", "PID required"),
        ),
        (True, "WAIVED", "pass"),
    ),
    Decided(
        "S22 open",
        "and whether it says so is unknown",
        lambda: two(
            row("PID", "N", "N", 0),
            LATER,
            pid={"required": "optional"},
            rule=edge("PID", "CSV", "disputed"),
        ),
        (None, "EDGE_CONDITION_UNKNOWN", OPEN),
    ),
    Decided(
        "S23",
        "no critical edge",
        lambda: (
            decided(plan([phase("PID")]), [GOOD]).order_safe.value,
            critical_dependency_share([]),
        ),
        ("pass", None),
    ),
    Decided(
        "S24",
        "nothing is required on this branch",
        lambda: decided(plan([phase("PID", "optional")]), [GOOD]).coverage.value,
        OPEN,
    ),
    Decided(
        "S24 not surely",
        "the only phase is owed on an unknown fact: passed, but perhaps not owed",
        lambda: decided(plan([phase("PID", "disputed")]), [GOOD]).coverage.value,
        OPEN,
    ),
    Decided(
        "S25 violated",
        "the call is cut at 60",
        lambda: half(GOOD, row("CSV", 42, "U", "U")),
        (False, EARLY, FAIL),
    ),
    Decided(
        "S25 open",
        "the call is cut at 41",
        lambda: half(row("PID", "U", "U", "U"), row("CSV", "U", "U", "U")),
        (None, "CHILD_START_UNKNOWN", OPEN),
    ),
    Decided(
        "S25 no pass",
        "all is done, the end is not confirmed",
        lambda: half(GOOD, LATER),
        (True, SAFE, OPEN),
    ),
    Decided(
        "S26",
        "the agent claims it, the other side never answers",
        lambda: rows_found(
            [written("PID", accept=VERIFIED)], (1, "agent", "PID"), (2, "agent", "You are verified")
        )["PID"],
        (1, NEVER, FAIL),
    ),
    Decided(
        "S27 procedural",
        "the copay is volunteered, the phase must be asked and answered",
        lambda: rows_found(
            [written("DCC", mode="procedural", starts=[said("copay")], accept=COPAY)],
            (1, "rep", "It is $25"),
            (2, "agent", "Thank you"),
        )["DCC"],
        (NEVER, NEVER, FAIL),
    ),
    Decided(
        "S27 either",
        "the same words where appearing is enough",
        lambda: rows_found(
            [written("DCC", starts=[said("copay")], accept=COPAY)],
            (1, "rep", "It is $25"),
            (2, "agent", "Thank you"),
        )["DCC"],
        (1, 1, "pass"),
    ),
    Decided("S28 item", "85 < 90 and 99 < 100", lambda: drugs("item"), (True, SAFE, "pass")),
    Decided("S28 call", "rolled up: 99 < 90", lambda: drugs("call"), (False, EARLY, FAIL)),
    Decided(
        "S28 read off a call",
        "each drug is asked and answered in its turn",
        lambda: rows_found(
            [
                written("DFV", for_each="call.drugs"),
                gated("DRC", "DFV", for_each="call.drugs"),
            ],
            (82, "agent", "DFV of A"),
            (90, "agent", "DRC of A"),
            (95, "agent", "DFV of B"),
            (100, "agent", "DRC of B"),
            **NAMED,
        ),
        {"DFV": (82, 95, "pass"), "DRC": (90, 100, "pass"), "edges": [(True, SAFE)]},
    ),
    Decided(
        "S29",
        "two reviewers differ (the fold of decisions is not written): the row is unknown",
        lambda: terms(decided(plan([phase("PID")]), [row("PID", 45, 52, "U")])),
        [("PID", None, "VERDICT_UNKNOWN")],
    ),
    Decided(
        "S30 outside",
        "a span that does not lie in its turn (saving evidence is not written)",
        lambda: [refused_quote(5, 99), refused_quote(-1, 3), refused_quote(4, 2)],
        ["refused"] * 3,
    ),
    Decided(
        "S30 a letter changed",
        "the commitment of a quote is of its exact letters",
        lambda: commit("born in May", b"n" * 32) == commit("born in may", b"n" * 32),
        False,
    ),
    Decided(
        "S31",
        "a place outside the call (saving a row is not written; a file is refused)",
        lambda: listed(
            parse_calls(
                call_bytes((1, "agent", "PID"), events=[event("id.match", turn=999)]), name="c"
            ).findings
        ),
        ["event_without_place"],
    ),
    Decided(
        "S32",
        "times run backwards: file order is kept and said (the method page rules, not 'refused')",
        lambda: (
            [one.number for one in call((1, "agent", "a", 5, 6), (2, "agent", "b", 3, 4)).turns],
            listed(
                parse_calls(
                    call_bytes((1, "agent", "a", 5, 6), (2, "agent", "b", 3, 4)), name="c"
                ).findings
            ),
        ),
        ([1, 2], ["out_of_order", "overlap"]),
    ),
    Decided(
        "S33 phase",
        "a phase id twice",
        lambda: load_codes(written("PID"), written("PID")),
        (False, ["E104"]),
    ),
    Decided(
        "S33 edge",
        "a critical edge twice",
        lambda: load_codes(
            written("PID"),
            gated("CSV", "PID"),
            swap=('{"PID": {"rationale"', '{"PID": {}, "PID": {"rationale"'),
        ),
        (False, ["E103"]),
    ),
    Decided(
        "S34 at load",
        "a misspelt fact",
        lambda: load_codes(written("PID", required={"when": "restrictons"})),
        (True, ["E302"]),
    ),
    Decided(
        "S34 at run time",
        "a name that nothing yields",
        lambda: terms(decided(plan([phase("PID", "not restrictons")]), [row("PID", "N", "N", 0)])),
        [("PID", None, "REQUIRED_UNKNOWN")],
    ),
    Decided(
        "S35 named by the rubric",
        "a masked value, and the acceptance item takes it",
        lambda: rows_found(
            [
                written(
                    "PID",
                    starts=BIRTH,
                    accept=[{"id": "dob", "text": "x", "match": [said(r"\[DOB\]|\d{4}", "rep")]}],
                )
            ],
            (1, "agent", "your birth date?"),
            (2, "rep", "[DOB]"),
        )["PID"],
        (1, 2, "pass"),
    ),
    Decided(
        "S35 not named",
        "a masked value nobody allowed (low ASR confidence is not read yet)",
        lambda: rows_found(
            [
                written(
                    "PID",
                    starts=BIRTH,
                    accept=[{"id": "dob", "text": "x", "match": [said(r"\d{4}", "rep")]}],
                )
            ],
            (1, "agent", "your birth date?"),
            (2, "rep", "[DOB]"),
        )["PID"],
        (1, NEVER, FAIL),
    ),
    Decided("S36", "the same inputs", lambda: len(set(rebuilt())), 1),
    Decided("S36 identity", "engine and catalog are named", identity, ("oip-engine/9", True)),
]


@pytest.mark.parametrize("decided_row", TABLE, ids=lambda one: one.id)
def test_decision_of_the_reference(decided_row: Decided) -> None:
    assert decided_row.ask() == decided_row.answer, decided_row.given


def test_every_decision_has_a_row() -> None:
    assert {one.id.split()[0] for one in TABLE} == {f"S{k}" for k in range(1, 37)}
