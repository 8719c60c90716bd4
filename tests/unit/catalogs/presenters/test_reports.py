"""Findings and rehearsals in plain words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from catalogs.core.findings import error, warning
from catalogs.presenters.findings import group_findings
from catalogs.presenters.rehearsal import ShownRehearsal, show_rehearsal
from catalogs.presenters.version_words import risk_class
from catalogs.queries import RehearsalLine

WHOLE = {"parent": "A", "child": "B", "safe": 2, "unsafe": 1, "tied": 1, "unknown": 1, "silent": 2}
HALF = {**WHOLE, "child": "C", "unsafe": 0}


def rehearsal(*, is_green: bool = True, **changed: Any) -> ShownRehearsal:
    counts = {
        "tests": 3,
        "failing": 0,
        "sentences": 10,
        "sentences_missed": 0,
        "mutants": 8,
        "survivors": 0,
        **changed.pop("counts", {}),
    }
    result = {
        "counts": counts,
        "coverage": {"edges": [WHOLE], "requirements": []},
        "tests": [],
        "findings": [],
        "mutants": [],
        **changed,
    }
    made_at = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
    return show_rehearsal(RehearsalLine(is_green, "oip-engine/1", made_at, result))


def test_findings_are_grouped_by_code_errors_first_each_with_its_reference_text() -> None:
    groups = group_findings(
        [
            warning("W201", "critical_parents", "many are critical", 3),
            error("E205", "CSV", "no rationale", 9),
            error("E205", "DCC", "no rationale"),
        ]
    )
    assert [(one.code, one.mark.word, len(one.places)) for one in groups] == [
        ("E205", "error", 2),
        ("W201", "warning", 1),
    ]
    assert groups[0].what == "A critical edge without a rationale."
    assert groups[0].mend
    assert [place.line for place in groups[0].places] == ["line 9", ""]


def test_a_code_without_reference_text_still_shows_its_findings() -> None:
    [group] = group_findings([error("E999", "here", "something")])
    assert (group.what, group.why, group.mend) == ("", "", "")
    assert group.places[0].text == "something"


def test_a_green_rehearsal_in_sentences() -> None:
    found = rehearsal()
    assert (found.mark.word, found.made) == ("green", "2026-11-29 12:00 UTC")
    assert found.sentences == (
        "3 tests run, all as the document expects.",
        "The critical edge was seen kept and broken.",
        "10 example sentences, all judged as written.",
        "8 small wrong changes tried, each noticed by a test or sentence.",
    )


def test_a_red_rehearsal_says_what_is_missing() -> None:
    requirement = {"phase": "B", "owed": 3, "not_owed": 0, "unknown": 0}
    found = rehearsal(
        is_green=False,
        counts={"failing": 1, "sentences_missed": 2, "survivors": 4},
        coverage={"edges": [WHOLE, HALF], "requirements": [requirement]},
        findings=[
            {"code": "W703", "severity": "warning", "where": "C", "text": "only safe"},
            {"code": "W706", "severity": "warning", "where": "A", "text": "survives"},
        ],
        mutants=[
            {"where": "A.starts[0].by", "text": "without the role rep", "noticed_by": None},
            {"where": "A.starts[1].by", "text": "without the role rep", "noticed_by": "case"},
        ],
        tests=[
            {
                "label": "case",
                "differences": ["PID finished at 52, not 45"],
                "coverage": "pass",
                "order_safe": "fail",
                "call_success": "fail",
            }
        ],
    )
    assert found.sentences == (
        "3 tests run, 1 not as the document expects.",
        "1 of 2 critical edges was seen kept and broken; the tests lack the other side.",
        "0 of 1 condition was seen true and false; the tests lack the other side.",
        "10 example sentences, 2 judged otherwise than written.",
        "8 small wrong changes tried, 4 noticed by no test or sentence.",
    )
    assert [edge.mark.word for edge in found.edges] == ["both ways", "one side missing"]
    assert found.edges[0].unknown == 3
    assert [one.code for one in found.remarks] == ["W703"]
    assert [one.where for one in found.survivors] == ["A.starts[0].by"]
    assert found.tests[0].mark.word == "differs"


def test_a_rehearsal_of_nothing_says_so() -> None:
    nothing = {"tests": 0, "sentences": 0, "mutants": 0}
    found = rehearsal(counts=nothing, coverage={"edges": [], "requirements": []})
    assert found.sentences == ("The document has no test that could be run.",)


def test_the_risk_class_follows_the_gravest_source_of_a_critical_edge() -> None:
    assert risk_class(2, {"regulation", "inference"}).words == "critical by law"
    assert risk_class(1, {"guidance"}).words == "critical by rule"
    assert risk_class(0, set()).words == "no critical edge"
    assert not risk_class(0, {"regulation"}).is_critical
