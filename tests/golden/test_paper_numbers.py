"""Design 1.5: the numbers that must come out. The paper's own cases are the specification."""

from __future__ import annotations

from typing import Any

import pytest

from tests.golden.judged import item_scoped, judged, numbers, raw_case, verdicts

CASE_B = {
    "PID": (45, 52, "pass"),
    "CSV": (42, 81, "pass"),
    "DFV": (82, 99, "pass"),
    "DRC": (90, 101, "pass"),
    "DCC": (102, 103, "pass"),
    "CRN": (104, 107, "pass"),
}
SLICE = {
    "SX_DECL": (1, 1, "pass"),
    "SX_ONSET_DUR": (2, 3, "pass"),
    "SX_CHARACTER": (4, 5, "pass"),
}
MICRO = {"PID": (3, 4, "pass"), "CSV": (2, 2, "pass"), "DCC": (2, 2, "pass")}
BENEFITS = "benefits_verification"
PAPER = "benefits_verification_paper"
RESPIRATORY = "respiratory_history"

#: id, catalog, case, variant, changes, rows, (Coverage, OrderSafe, CallSuccess), failing edges, CDS
GOLDEN: tuple[tuple[Any, ...], ...] = (
    ("case-b", BENEFITS, "case_b_call", None, {}, CASE_B,
     ("pass", "fail", "fail"), {"PID-CSV"}, "0/1"),
    # The paper's text says that only PID->CSV fails; its own rows say that 99 < 90 is false too.
    ("case-b-paper-edges", PAPER, "case_b_call", None, {}, CASE_B,
     ("pass", "fail", "fail"), {"PID-CSV", "DFV-DRC"}, "1/3"),
    ("case-a-slice", RESPIRATORY, "case_a_respiratory", "slice", {}, SLICE,
     ("fail", "pass", "fail"), set(), "1/1"),
    ("case-a-slice-running", RESPIRATORY, "case_a_respiratory", "slice", {"ended": False}, SLICE,
     ("undetermined", "undetermined", "undetermined"), set(), "0/1..1/1"),
    ("case-a-whole", RESPIRATORY, "case_a_respiratory", None, {},
     {**SLICE, "SX_SEV_PROG": (6, 9, "pass"), "RED_FLAGS": (10, 15, "pass"),
      "PLAN_TEST": (28, 28, "pass")},
     ("pass", "pass", "pass"), set(), "1/1"),
    ("micro", "micro", "case_micro", None, {}, MICRO,
     ("pass", "fail", "fail"), {"PID-CSV", "PID-DCC"}, "0/2"),
    ("micro-identity-first", "micro", "case_micro", "reordered", {},
     {"PID": (1, 2, "pass"), "CSV": (4, 4, "pass"), "DCC": (4, 4, "pass")},
     ("pass", "pass", "pass"), set(), "2/2"),
    ("micro-identity-only", "micro", "case_micro", "identity-only", {},
     {"PID": (1, 2, "pass"), "CSV": ("never", "never", "fail"), "DCC": ("never", "never", "fail")},
     ("fail", "pass", "fail"), set(), "2/2"),
    ("micro-never-asked", "micro", "case_micro", "never-asked", {},
     {"PID": ("never", "never", "fail")},
     ("fail", "fail", "fail"), {"PID-CSV", "PID-DCC"}, "0/2"),
)  # fmt: skip


@pytest.mark.parametrize("case", GOLDEN, ids=[row[0] for row in GOLDEN])
def test_the_numbers_of_the_paper(case: tuple[Any, ...]) -> None:
    _, catalog, stem, variant, changes, rows, expected, failing, cds = case
    one = judged(catalog, raw_case(stem, variant, **changes))
    found = numbers(one)
    assert {phase: found[phase] for phase in rows} == rows
    assert verdicts(one) == expected
    assert {
        f"{e.parent}-{e.child}" for e in one.report.edges if e.critical and e.ok is False
    } == failing
    assert one.report.diagnostics["cds"] == cds


def test_case_b_does_not_owe_the_copay_because_a_drug_is_restricted() -> None:
    row = judged(BENEFITS, raw_case("case_b_call")).report.row("DCC")
    assert (row.required, row.code) == (False, "NOT_REQUIRED")
    assert "restrictions = true" in row.reason


def test_case_b_says_why_it_fails_and_what_would_pass() -> None:
    report = judged(BENEFITS, raw_case("case_b_call")).report
    edge = next(edge for edge in report.edges if edge.critical)
    assert edge.code == "STARTED_BEFORE_PARENT_FINISHED"
    assert "started at turn 42" in edge.why
    assert "first finished at turn 52" in edge.why
    assert "52 < 42 is false" in edge.why
    assert "Why it is critical: Coverage is PHI" in edge.why
    assert edge.would_pass == "start of CSV after turn 52"


def test_case_b_facts_and_items() -> None:
    report = judged(BENEFITS, raw_case("case_b_call")).report
    assert report.facts == {"restrictions": True, "coverage_active": True, "copay_usd": 25}
    formulary = {one.key: (one.start, one.finish) for one in report.row("DFV").instances}
    restrictions = {one.key: (one.start, one.finish) for one in report.row("DRC").instances}
    assert formulary == {"fictorol": (82, 89), "imaginumab": (92, 99)}
    assert restrictions == {"fictorol": (90, 91), "imaginumab": (100, 101)}


def test_the_paper_s_figures_on_its_nine_edges() -> None:
    report = judged(PAPER, raw_case("case_b_call")).report
    assert report.diagnostics["psa"] == "14/15"
    assert report.diagnostics["ord"] == "7/9"


def test_item_by_item_only_the_first_edge_of_the_paper_fails() -> None:
    report = judged(item_scoped(PAPER), raw_case("case_b_call")).report
    edges = {f"{e.parent}-{e.child}": (e.ok, e.scope) for e in report.edges if e.critical}
    assert edges["DFV-DRC"] == (True, "item")
    assert [name for name, (ok, _) in edges.items() if ok is False] == ["PID-CSV"]


def test_the_only_critical_edge_of_case_a() -> None:
    report = judged(RESPIRATORY, raw_case("case_a_respiratory")).report
    critical = [(edge.parent, edge.child) for edge in report.edges if edge.critical]
    assert critical == [("RED_FLAGS", "PLAN_TEST")]
