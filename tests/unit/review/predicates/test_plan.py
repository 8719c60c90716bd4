"""What of a catalog decides, and the reasons that a decision gives."""

from typing import Any

import pytest

from catalogs.core.document import load_document
from review.core.predicates import Code, Outcome, plan_of
from review.core.predicates.plan import EdgeRule, PhaseRule
from tests.unit.review.predicates.plain_calls import decided, edge, phase, plan, row
from tests.unit.review.predicates.tiny_catalogs import HEAD, catalog, catalog_bytes, gated, said
from tests.unit.review.predicates.tiny_catalogs import phase as written

COARSE = HEAD.replace("clock: exact", "clock: coarse")
GOOD = row("PID", 45, 52, 1)


def rule_of(**more: Any) -> PhaseRule:
    """Return the rule of a phase that is written so."""
    return plan_of(catalog(written("PID", **more))).phases[0]


def edge_of(head: str = HEAD, parent: dict[str, Any] | None = None, **more: Any) -> EdgeRule:
    """Return the rule of the edge PID -> CSV that is written so."""
    document = catalog(written("PID", **parent or {}), gated("CSV", "PID", **more), head=head)
    (rule,) = plan_of(document).edges
    return rule


@pytest.mark.parametrize(
    ("required", "always", "when"),
    [
        ("always", True, None),
        ("optional", False, None),
        ({"when": "call.type = 'test'"}, False, "call.type = 'test'"),
    ],
)
def test_how_a_phase_is_owed(required: Any, always: bool, when: str | None) -> None:
    rule = rule_of(required=required)
    assert (rule.always, rule.when.source if rule.when else None) == (always, when)


@pytest.mark.parametrize(
    ("more", "may"),
    [
        ({}, True),
        ({"ack_required": True}, False),
        ({"volunteered": {"accept": True, "rationale": "Fine."}}, True),
        ({"volunteered": {"accept": False, "rationale": "Never."}}, False),
        ({"ack_required": True, "volunteered": {"accept": True, "rationale": "x"}}, False),
    ],
)
def test_what_may_be_volunteered(more: dict[str, Any], may: bool) -> None:
    assert rule_of(**more).may_volunteer is may


@pytest.mark.parametrize(
    ("head", "precedence", "low_harm", "same_turn"),
    [
        pytest.param(COARSE, "<=", True, True, id="allowed"),
        pytest.param(COARSE, "<", True, False, id="strict"),
        pytest.param(COARSE, "<=", False, False, id="high harm"),
        pytest.param(HEAD, "<=", True, False, id="exact clock"),
    ],
)
def test_the_same_turn_is_allowed_only_on_low_harm_and_a_coarse_clock(
    head: str, precedence: str, low_harm: bool, same_turn: bool
) -> None:
    assert edge_of(head, precedence=precedence, low_harm=low_harm).same_turn is same_turn


PER_DRUG = {"for_each": "call.drugs"}


@pytest.mark.parametrize(
    ("parent", "child", "scope", "per_item"),
    [
        pytest.param(PER_DRUG, PER_DRUG, {}, True, id="both share the key"),
        pytest.param(PER_DRUG, PER_DRUG, {"scope": "call"}, False, id="the call is asked for"),
        pytest.param({}, PER_DRUG, {}, False, id="only the child"),
        pytest.param({}, {}, {}, False, id="neither"),
        pytest.param({}, {}, {"scope": "item"}, False, id="asked for in vain"),
    ],
)
def test_which_edges_compare_item_with_item(
    parent: dict[str, Any], child: dict[str, Any], scope: dict[str, Any], per_item: bool
) -> None:
    assert edge_of(parent=parent, edge=scope, **child).per_item is per_item


def test_an_edge_keeps_its_condition_and_a_phase_its_key() -> None:
    rule = edge_of(edge={"when": "PID required"})
    assert (rule.parent, rule.child) == ("PID", "CSV")
    assert rule.when is not None
    assert rule.when.source == "PID required"
    assert (rule_of(**PER_DRUG).per_item, rule_of().per_item) == (True, False)


def test_a_requirement_comes_after_what_it_reads_by_name_or_through_a_fact() -> None:
    head = HEAD.replace(
        "facts: {}",
        "facts: {limits: {type: boolean, from: DFV, meaning: Limits., "
        "true_if: [{re: limits, by: [rep]}], otherwise: false, unknown: review}}",
    )
    document = catalog(
        written("DCC", required={"when": "not limits"}),
        written("DRC", required={"when": "DCC passed"}),
        written("DFV", facts=["limits"]),
        head=head,
    )
    rules = plan_of(document)
    assert [rule.id for rule in rules.phases] == ["DCC", "DRC", "DFV"]
    assert [rule.id for rule in rules.order] == ["DFV", "DCC", "DRC"]
    assert rules.fact_phases == {"limits": "DFV"}


def test_a_requirement_on_a_fact_that_nothing_yields_has_a_plan() -> None:
    rules = plan_of(catalog(written("PID", required={"when": "restrictons"})))
    assert [rule.id for rule in rules.order] == ["PID"]


def test_an_edge_binds_always_unless_it_says_when() -> None:
    assert EdgeRule("PID", "CSV", same_turn=False, per_item=False).when is None
    assert edge_of().when is None


def test_a_cycle_of_requirements_has_no_plan() -> None:
    phases = [
        written("PID", required={"when": "CSV passed"}, starts=[said("a")]),
        written("CSV", required={"when": "PID passed"}),
    ]
    document, _ = load_document(catalog_bytes(phases))
    assert document is not None
    with pytest.raises(ValueError, match="PID, CSV read each other in a cycle"):
        plan_of(document)


# --- Reasons --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "ended", "reasons"),
    [
        pytest.param([GOOD, row("CSV", 60, 61, 1)], True, (), id="none for a pass"),
        pytest.param(
            [row("PID", 45, "N", 0), row("CSV", 60, "N", 0)],
            True,
            (Code.REQUIRED_FAILED,),
            id="each once",
        ),
        pytest.param(
            [GOOD, row("CSV", 60, "U", "U")], True, (Code.VERDICT_UNKNOWN,), id="only open ones"
        ),
        pytest.param([GOOD], True, (Code.ROW_MISSING,), id="no row"),
        pytest.param(
            [GOOD, row("CSV", 60, 61, 1)], None, (Code.INCOMPLETE_CALL,), id="end not confirmed"
        ),
        pytest.param(
            [row("PID", 45, "U", "U"), row("CSV", 60, 61, 1)],
            False,
            (Code.VERDICT_UNKNOWN, Code.INCOMPLETE_CALL),
            id="open, and running",
        ),
    ],
)
def test_reasons_are_what_kept_coverage_from_passing(
    rows: list[Any], ended: bool | None, reasons: tuple[Code, ...]
) -> None:
    decision = decided(plan([phase("PID"), phase("CSV")]), rows, ended=ended)
    assert decision.reasons == reasons


def test_the_fault_of_a_row_is_kept_beside_its_term() -> None:
    rules = plan([phase("PID"), phase("CSV"), phase("DFV", "optional")])
    decision = decided(rules, [GOOD, row("DFV", 60, 61, 1, evidence=())])
    assert [one.fault for one in decision.phases] == [None, Code.ROW_MISSING, Code.NO_EVIDENCE]
    assert [one.ok for one in decision.phases] == [True, None, True]


def test_a_running_call_that_owes_nothing_says_both() -> None:
    decision = decided(plan([phase("PID", "optional")]), [GOOD], ended=False)
    assert decision.reasons == (Code.VACUOUS, Code.INCOMPLETE_CALL)


def test_a_failed_verdict_in_a_running_call_is_not_final() -> None:
    decision = decided(plan([phase("PID")]), [row("PID", 45, "U", 0)], ended=False)
    (outcome,) = decision.phases
    assert (outcome.ok, outcome.code) == (None, Code.INCOMPLETE_CALL)


# --- Requirements over rows -----------------------------------------------------------------------

STATES = ("passed", "failed", "started", "finished", "required")


@pytest.mark.parametrize(
    ("one", "ended", "worth"),
    [
        pytest.param(row("PID", 1, 2, 1), True, (True, False, True, True, True), id="passed"),
        pytest.param(row("PID", 1, "N", 0), True, (False, True, True, False, True), id="failed"),
        pytest.param(row("PID", "N", "N", 0), True, (False, False, False, False, True), id="never"),
        pytest.param(row("PID", "U", "U", "U"), True, (None, None, None, None, True), id="unknown"),
        pytest.param(row("PID", "N", "N", 0), None, (None, None, None, None, True), id="running"),
        pytest.param(row("PID", 1, "U", 0), None, (None, None, True, None, True), id="so far"),
        pytest.param(row("PID", "N", "N", "U"), True, (None, False, False, False, True), id="open"),
        pytest.param(
            row("PID", 1, 2, 1, contradicted_at=9),
            True,
            (None, None, True, None, True),
            id="contradicted",
        ),
        pytest.param(
            row("PID", 1, 2, 1, evidence=()),
            True,
            (None, None, True, None, True),
            id="a fault leaves the start",
        ),
        pytest.param(row("PID", 5, 2, 1), True, (None, None, None, None, True), id="but this one"),
        pytest.param(None, True, (None, None, None, None, True), id="no row"),
        pytest.param(row("PID", "U", "N", 0), True, (False, None, None, False, True), id="start"),
    ],
)
def test_what_an_expression_reads_of_a_row(
    one: Any, ended: bool | None, worth: tuple[bool | None, ...]
) -> None:
    rules = plan([phase("PID"), *(phase(f"Q{k}", f"PID {s}") for k, s in enumerate(STATES))])
    decision = decided(rules, [one] if one else [], ended=ended)
    assert tuple(outcome.required for outcome in decision.phases[1:]) == worth


def per_item(required: str, start: str, ended: bool | None = True) -> tuple[object, str]:
    """Judge a per-item phase of which the call has no item."""
    rules = plan([phase("PID"), phase("DFV", required, per_item=True)])
    none = row("DFV", start, start, 0 if start == "N" else "U", instances=())
    outcome = decided(rules, [GOOD, none], ended=ended).phases[1]
    return outcome.required, outcome.code.value


@pytest.mark.parametrize(
    ("required", "start", "answer"),
    [
        ("always", "N", (False, "NO_ITEMS")),
        ("always", "U", (None, "REQUIRED_UNKNOWN")),
        ("optional", "N", (False, "NO_ITEMS")),
        ("optional", "U", (False, "NOT_REQUIRED")),
        ("PID failed", "U", (False, "NOT_REQUIRED")),
        ("disputed", "U", (None, "REQUIRED_UNKNOWN")),
    ],
)
def test_no_item_owes_nothing_and_items_not_known_yet_leave_it_open(
    required: str, start: str, answer: tuple[object, str]
) -> None:
    assert per_item(required, start) == answer


def test_without_per_item_an_empty_row_is_a_row() -> None:
    rules = plan([phase("PID"), phase("DFV")])
    decision = decided(rules, [GOOD, row("DFV", "N", "N", 0, instances=())])
    assert decision.call_success is Outcome.FAIL


@pytest.mark.parametrize(
    ("required", "facts", "answer"),
    [
        pytest.param("PID passed", {}, (Code.BLOCKED, "PID"), id="by name"),
        pytest.param("not PID failed", {}, (Code.BLOCKED, "PID"), id="by a failure denied"),
        pytest.param("PID passed and limits", {}, (Code.BLOCKED, "PID"), id="a fact it yields"),
        pytest.param(
            "PID passed and disputed",
            {"disputed": False},
            (Code.NOT_REQUIRED, None),
            id="switched off by another fact all the same",
        ),
        pytest.param("FAM passed", {}, (Code.NOT_REQUIRED, None), id="a phase that was not owed"),
        pytest.param("CRN failed", {}, (Code.NOT_REQUIRED, None), id="a phase that passed"),
        pytest.param(
            "CRN failed and FAM passed and PID passed", {}, (Code.NOT_REQUIRED, None), id="both"
        ),
        pytest.param("SEC passed and PID passed", {}, (Code.BLOCKED, "PID"), id="the earliest"),
        pytest.param("SEC passed", {}, (Code.BLOCKED, "SEC"), id="a later one alone"),
        pytest.param("PID passed and not limits", {}, (Code.BLOCKED, "PID"), id="either way"),
    ],
)
def test_what_counts_as_blocked(
    required: str, facts: dict[str, Any], answer: tuple[Code, str | None]
) -> None:
    rules = plan(
        [
            phase("PID"),
            phase("SEC"),
            phase("CRN"),
            phase("FAM", "optional"),
            phase("CSV", required),
        ],
        limits="PID",
    )
    rows = [
        row("PID", 45, "N", 0),
        row("SEC", 46, "N", 0),
        row("CRN", 1, 2, 1),
        row("FAM", "N", "N", 0),
        row("CSV", "N", "N", 0),
    ]
    outcome = decided(rules, rows, {"limits": False, **facts}).phases[-1]
    assert (outcome.code, outcome.blocked_by) == answer


def test_the_first_cause_of_a_chain_is_named() -> None:
    rules = plan([phase("PID"), phase("CSV", "PID passed"), phase("DFV", "CSV passed")])
    rows = [row("PID", 45, "N", 0), row("CSV", "N", "N", 0), row("DFV", "N", "N", 0)]
    decision = decided(rules, rows)
    assert [one.blocked_by for one in decision.phases] == [None, "PID", "PID"]


def test_an_edge_condition_reads_rows_facts_and_attributes() -> None:
    rules = plan(
        [phase("PID"), phase("CSV")],
        [edge("PID", "CSV", "call.kind = 'ai' and disputed and PID started")],
    )
    rows = [row("PID", 45, 52, 1), row("CSV", 42, 81, 1)]
    assert decided(rules, rows, {"disputed": True}, {"kind": "ai"}).edges[0].ok is False
    assert decided(rules, rows, {"disputed": True}).edges[0].ok is None
    assert decided(rules, rows, {"disputed": False}).edges[0].code is Code.WAIVED
