"""Rows are stored without loss; reports are written for a terminal and for a build server."""

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from review.core.evaluation import Report
from review.core.evaluation.encoding import quotes_of
from review.core.evaluation.printing import junit_xml, report_lines
from review.core.evaluation.report import AttemptReport, EvidenceReport
from review.core.evaluation.storing import rows_digest
from review.core.row_values import row_from_json, row_to_json
from review.core.rows import Attempt, ItemState, Row, SeenMode, roll_up
from tests.unit.review.predicates.plain_calls import EVIDENCE, row
from tests.unit.review.predicates.test_report import CALL, report

FULL = row(
    "DFV",
    3,
    9,
    1,
    key="d1",
    volunteered=True,
    inferred=True,
    mode=SeenMode.PROCEDURAL,
    revoked_at=40,
    contradicted_at=50,
    start_ms=3_000,
    finish_ms=9_500,
    clear_through=60,
    start_doubts=("overlap",),
    finish_doubts=("out_of_order", "overlap"),
    items=(ItemState("told", True, 4, EVIDENCE, acknowledged=True, volunteered=True),),
    attempts=(Attempt(3, "starts[0]", 1, 4, "ev1"),),
    unacknowledged=("asked",),
    start_source="starts[0]",
    finish_source="accept[0]",
)


@pytest.mark.parametrize(
    "one",
    [
        pytest.param(FULL, id="everything"),
        pytest.param(row("PID", "N", "N", 0, evidence=()), id="never"),
        pytest.param(row("PID", "U", "U", "U", instances=()), id="unknown, no item"),
        pytest.param(roll_up("DFV", (FULL, FULL._replace(key="d2", mode=None))), id="roll-up"),
    ],
)
def test_a_stored_row_reads_back_as_it_was(one: Row) -> None:
    stored = json.loads(json.dumps(row_to_json(one)))
    assert row_from_json(stored) == one


def test_the_digest_of_rows_is_of_what_decides() -> None:
    base = report()
    moved = report({"PID": row("PID", 1, 2, 1)})
    per_item = report({"PID": roll_up("PID", (row("PID", 1, 2, 1, key="d1"),))})
    assert rows_digest(base) == rows_digest(report())
    assert len({rows_digest(one) for one in (base, moved, per_item)}) == 3


def test_spans_are_words_unless_an_event_is_named() -> None:
    assert EvidenceReport("told", 1, 0, 4, "a").event is None
    assert AttemptReport(1, "a", 0, 4).event is None


def lines_of(one: Report) -> list[str]:
    """Write a report for a terminal."""
    return list(report_lines(one, quote=quotes_of(CALL)))


def test_a_passing_call_in_lines() -> None:
    one = report(facts={"limits": False})
    lines = lines_of(one)
    digest = one.catalog.digest
    assert lines[0] == f"  tiny  judged by tiny 1.0.0 ({digest[:12]})".strip()
    assert lines[1] == "  Coverage pass · OrderSafe pass · CallSuccess pass"
    assert "  PID                  1     1  ✓ pass     yes" in lines
    assert "  DFV                  3     3  ✓ pass     no" in lines
    assert "      • told at 1: PID" in lines
    edges = [line for line in lines if "◆" in line]
    assert [line.split(" [")[0] for line in edges] == ["  ◆ PID→CSV ✓ pass"]
    assert not [line for line in lines if "would pass with" in line or "blocked by" in line]
    assert "  facts: limits = false" in lines
    assert lines[-1].startswith("  figures that never decide: cds 1/1, psa 1/1")


def test_what_fails_and_what_is_open_in_lines() -> None:
    rows = {"PID": row("PID", 1, "U", "U"), "CSV": row("CSV", 0, "N", 0)}
    lines = lines_of(report(rows, {"limits": None}))
    assert "  PID                  1     ?  ? unknown  yes" in lines
    assert "  CSV                  0 never  ✕ fail     unknown" in lines
    assert [line.split(" [")[0] for line in lines if "◆" in line] == ["  ◆ PID→CSV ? unknown"]
    assert "  facts: limits = unknown" in lines
    early = lines_of(report({"CSV": row("CSV", 0, 2, 1)}, {"limits": 7}))
    assert "      would pass with: start of CSV after turn 1" in early
    assert "  facts: limits = 7" in early
    assert not [line for line in lines_of(report(facts={})) if line.startswith("  facts")]


def test_a_figure_that_has_no_value_is_left_out_and_long_quotes_are_cut() -> None:
    one = report()
    lines = lines_of(replace(one, diagnostics={"cds": None, "psa": "1/2"}))
    assert lines[-1] == "  figures that never decide: psa 1/2"
    long = list(report_lines(one, quote=lambda *_: "x" * 200))
    assert f"      • told at 1: {'x' * 90}" in long


def test_one_test_case_per_call_for_a_build_server() -> None:
    passed = report()
    failed = report({"CSV": row("CSV", 0, 2, 1)})
    still_open = report({"PID": row("PID", 1, "U", "U")})
    suite = ElementTree.fromstring(junit_xml([passed, failed, still_open, failed]))  # noqa: S314
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors")}
    assert counts == {"tests": "4", "failures": "2", "errors": "1"}
    assert [[child.tag for child in case] for case in suite] == [
        [],
        ["failure"],
        ["error"],
        ["failure"],
    ]
    (failure,), (error,) = suite[1], suite[2]
    assert failure.get("message") == f"{failed.summary} {failed.edges[0].why}"
    assert error.get("message") == (
        f"{still_open.summary} {still_open.edges[0].why} {still_open.row('PID').reason}"
    )


def test_what_was_refused_is_an_error_of_its_own() -> None:
    refused = [("a.json, call 2", 'needs "turns" & more')]
    suite = ElementTree.fromstring(junit_xml([report()], refused))  # noqa: S314 - our own text
    assert (suite.get("tests"), suite.get("errors")) == ("2", "1")
    case = suite[1]
    assert (case.get("name"), case.get("classname")) == ("a.json, call 2", "refused")
    assert [(child.tag, child.get("message")) for child in case] == [
        ("error", 'needs "turns" & more')
    ]


def test_people_read_whole_words_and_programs_the_exact_span() -> None:
    turn = CALL.turns[0]
    first = next(k for k, char in enumerate(turn.text) if char.isalpha())
    exact = quotes_of(CALL)(turn.number, first, first + 1, None)
    shown = quotes_of(CALL, for_people=True)(turn.number, first, first + 1, None)
    assert exact == turn.text[first]
    assert shown == turn.text[first:].split()[0].rstrip(".,?!")
