"""A report says of each row, edge and figure exactly what was found, with nothing left out."""

import json
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from review.core.cascade.pipeline import prepare
from review.core.evaluation import (
    LiveState,
    Report,
    build_report,
    live_state,
    report_from_json,
    report_to_json,
)
from review.core.predicates import decide
from review.core.rows import Row, SeenMode
from tests.unit.review.predicates.plain_calls import decided, edge, phase, plan, row
from tests.unit.review.predicates.tiny_catalogs import HEAD, call, catalog, filled, gated, said
from tests.unit.review.predicates.tiny_catalogs import phase as written

FACT = (
    "facts: {limits: {type: boolean, from: PID, meaning: Limits., "
    "true_if: [{re: limits, by: [rep]}], otherwise: false, unknown: review}}"
)
WITH_FACT = HEAD.replace("facts: {}", FACT)
TWO_ITEMS = [
    {"id": "told", "text": "Said.", "match": [said("PID")]},
    {"id": "asked", "text": "Said too.", "match": [said("date")]},
]
DOCUMENT = catalog(
    written("PID", accept=TWO_ITEMS, facts=["limits"], graded={"tau": 0.5}),
    gated("CSV", "PID", required={"when": "not limits"}),
    written("DFV", parents=["CSV"], required="optional"),
    head=WITH_FACT,
)
CALL = call((1, "agent", "PID and date"), (2, "agent", "CSV"), (3, "agent", "DFV"))


def report(
    rows: dict[str, Row] | None = None,
    facts: dict[str, Any] | None = None,
    document: Any = DOCUMENT,
) -> Report:
    """Report on the call, with rows or facts put in place of those that the cascade found."""
    found = filled(document, CALL)
    changed = {**found.rows, **(rows or {})}
    known = found.facts if facts is None else facts
    decision = decide(prepare(document).plan, changed, facts=known, attributes={}, ended=CALL.ended)
    return build_report(
        CALL,
        document,
        replace(found, rows=changed, facts=known, decision=decision),
        engine="oip-engine/9",
    )


@pytest.mark.parametrize(
    ("one", "start", "finish", "verdict"),
    [
        (row("PID", 0, 3, 1), 0, 3, "pass"),
        (row("PID", 1, "N", 0), 1, "never", "fail"),
        (row("PID", "N", "N", 0), "never", "never", "fail"),
        (row("PID", "U", "U", "U"), None, None, "unknown"),
        (row("PID", 1, 3, 1, evidence=()), 1, 3, "unknown"),
    ],
)
def test_points_and_verdicts_as_people_script_against_them(
    one: Row, start: object, finish: object, verdict: str
) -> None:
    shown = report({"PID": one}).row("PID")
    assert (shown.start, shown.finish, shown.verdict) == (start, finish, verdict)


@pytest.mark.parametrize(
    ("one", "who"),
    [
        pytest.param(
            row("PID", 1, 2, 1, start_source="a", finish_source="b"),
            ("anchor:a", "rule:b", "rule:b"),
            id="found",
        ),
        pytest.param(
            row("PID", 1, 2, 1, start_source="a", finish_source="b", inferred=True),
            ("inferred:a", "rule:b", "rule:b"),
            id="inferred",
        ),
        pytest.param(row("PID", "N", "N", 0), (None, None, "rule:not found"), id="not found"),
        pytest.param(
            row("PID", "U", "U", "U", finish_source="b"), (None, "rule:b", None), id="open"
        ),
    ],
)
def test_who_decided_each_value(one: Row, who: tuple[str | None, ...]) -> None:
    by = report({"PID": one}).row("PID").decided_by
    assert (by.start, by.finish, by.verdict) == who


@pytest.mark.parametrize(("mode", "shown"), [(None, None), (SeenMode.PROCEDURAL, "procedural")])
def test_how_the_content_came_up(mode: SeenMode | None, shown: str | None) -> None:
    assert report({"PID": row("PID", 1, 2, 1, mode=mode)}).row("PID").mode == shown


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"limits": True}, "CSV (phase CSV) is not required on this branch. (limits = true)"),
        ({"limits": False}, "CSV (phase CSV) is required and passed."),
    ],
)
def test_the_fact_that_switched_a_phase_off_is_named(facts: dict[str, Any], reason: str) -> None:
    assert report(facts=facts).row("CSV").reason == reason


def test_a_fact_that_is_unknown_is_not_named_and_an_optional_phase_names_none() -> None:
    document = catalog(
        written("PID", facts=["limits"]),
        written("CSV", required={"when": "call.type = 'other' and limits"}),
        written("DFV", required="optional"),
        head=WITH_FACT,
    )
    found = filled(document, CALL)
    decision = decide(
        prepare(document).plan,
        found.rows,
        facts={"limits": None},
        attributes={"type": "test"},
        ended=True,
    )
    shown = build_report(
        CALL, document, replace(found, facts={"limits": None}, decision=decision), engine="x"
    )
    assert [shown.row(name).reason for name in ("CSV", "DFV")] == [
        f"{name} (phase {name}) is not required on this branch." for name in ("CSV", "DFV")
    ]


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (None, None),
        (True, True),
        (7, 7),
        ("x", "x"),
        (Decimal("25"), 25),
        (Decimal("25.50"), "25.50"),
        (date(2026, 3, 10), "2026-03-10"),
    ],
)
def test_facts_are_plain_values(value: Any, plain: object) -> None:
    shown = report(facts={"limits": value}).facts["limits"]
    assert (shown, type(shown)) == (plain, type(plain))


@pytest.mark.parametrize(
    ("parent", "child", "ok", "word"),
    [
        (row("CSV", 1, 2, 1), row("DFV", 3, 4, 1), True, "in order"),
        (row("CSV", 1, 5, 1), row("DFV", 3, 4, 1), False, "not in order"),
        (row("CSV", 1, "U", "U"), row("DFV", 3, 4, 1), None, "not known"),
    ],
)
def test_an_edge_that_is_advice_says_so_and_decides_nothing(
    parent: Row, child: Row, ok: bool | None, word: str
) -> None:
    shown = report({"CSV": parent, "DFV": child}).edges[-1]
    assert (shown.parent, shown.child, shown.critical, shown.ok) == ("CSV", "DFV", False, ok)
    assert (shown.code, shown.scope, shown.item, shown.would_pass) == (
        "ADVISORY",
        "call",
        None,
        None,
    )
    assert shown.why == f"CSV before DFV is advice, not a critical edge: {word}."


def test_a_critical_edge_says_why_and_what_would_pass() -> None:
    shown = report({"CSV": row("CSV", 0, 2, 1)}).edges[0]
    assert (shown.critical, shown.ok, shown.scope, shown.policy) == (True, False, "call", "<")
    assert (shown.parent_finish, shown.child_start) == (1, 0)
    assert shown.why.endswith("1 < 0 is false. Why it is critical: Harm.")
    assert shown.would_pass == "start of CSV after turn 1"


def items(*met: bool | None) -> Row:
    """Mark the items of PID; the row passed."""
    found = filled(DOCUMENT, CALL).rows["PID"]
    marked = tuple(one._replace(met=mark) for one, mark in zip(found.items, met, strict=True))
    return found._replace(items=marked)


@pytest.mark.parametrize(
    ("one", "graded"),
    [
        (items(True, True), "1/1 of items, tau 0.5: reached"),
        (items(True, False), "1/2 of items, tau 0.5: reached"),
        (items(False, False), "0/1 of items, tau 0.5: not reached, unlike the verdict"),
        (items(False, None), "0/1..1/2 of items, tau 0.5: open"),
        (row("PID", 1, 2, 1), None),
    ],
)
def test_a_graded_phase_shows_its_score_beside_the_verdict(one: Row, graded: str | None) -> None:
    shown = report({"PID": one})
    assert shown.row("PID").graded == graded
    assert shown.row("CSV").graded is None
    assert shown.row("PID").verdict == "pass"


def test_figures_that_never_decide() -> None:
    assert report().diagnostics == {
        "cds": "1/1",
        "psa": "1/1",
        "ord": "1/1",
        "apc": "1/1",
        "coverage_alone": "pass",
        "order_safe_alone": "pass",
    }
    lone = report(document=catalog(written("PID")))
    assert (lone.diagnostics["cds"], lone.diagnostics["psa"]) == (None, None)
    still_open = report({"PID": row("PID", 1, "U", "U")})
    assert still_open.diagnostics["cds"] == "0/1..1/1"


def test_whole_report_reads_back_as_it_was() -> None:
    shown = report()
    plain = report_to_json(shown)
    assert report_from_json(json.loads(json.dumps(plain))) == shown
    assert json.loads(json.dumps(plain)) == plain


# --- Live -----------------------------------------------------------------------------------------


def live(rows: list[Row], required: str = "optional") -> LiveState:
    """Judge a running call of PID -> CSV."""
    rules = plan([phase("PID", required), phase("CSV", "optional")], [edge("PID", "CSV")])
    return live_state(decided(rules, rows, ended=False), {one.phase: one for one in rows})


WAITING = row("CSV", "U", "U", "U", clear_through=60)


@pytest.mark.parametrize(
    ("rows", "state"),
    [
        pytest.param([row("PID", 1, 2, 1), row("CSV", 1, 5, 1)], "VIOLATED", id="too early"),
        pytest.param([row("PID", 1, 2, 1), row("CSV", 3, 5, 1)], "DONE", id="done"),
        pytest.param([row("PID", 1, 2, 1), WAITING], "DONE", id="whatever comes is after"),
        pytest.param([row("PID", 1, "U", "U"), WAITING], "HOLDS_SO_FAR", id="may come too early"),
        pytest.param(
            [row("PID", 1, 2, 1), row("CSV", "U", "U", "U")], "HOLDS_SO_FAR", id="not scanned"
        ),
        pytest.param([row("PID", 1, 2, 1)], "HOLDS_SO_FAR", id="no row of the child"),
        pytest.param([WAITING], "HOLDS_SO_FAR", id="no row of the parent"),
        pytest.param(
            [row("PID", 1, 2, 1, contradicted_at=9), WAITING], "HOLDS_SO_FAR", id="contradicted"
        ),
    ],
)
def test_what_can_still_go_wrong(rows: list[Row], state: str) -> None:
    assert live(rows) is LiveState[state]


def test_what_is_owed_is_open() -> None:
    assert live([row("PID", 1, "U", "U"), WAITING], "always") is LiveState.OPEN
