"""Plans and rows of the product, built by hand or out of the plain calls of tests/reference."""

from collections.abc import Iterable, Mapping
from typing import Any

from catalogs.core.requirements import (
    And,
    AttributeName,
    Comparison,
    Constant,
    Expression,
    FactName,
    Node,
    Not,
    Operator,
    Or,
    PhaseAtom,
    PhaseState,
    Truth,
    parse,
    render,
)
from review.core.predicates import Decision, decide
from review.core.predicates.plan import EdgeRule, PhaseRule, Plan
from review.core.rows import NEVER, UNKNOWN, Evidence, Point, Row, Verdict, roll_up

EVIDENCE = (Evidence("told", 1, 0, 4, "test"),)
VERDICTS = {1: Verdict.PASS, 0: Verdict.FAIL, None: Verdict.UNKNOWN}
POINTS = {"N": NEVER, "U": UNKNOWN, "never": NEVER, None: UNKNOWN}


def row(phase: str, s: int | str, e: int | str, v: int | str, **more: Any) -> Row:
    """Build a row as the vectors write it: N is never, U unknown; evidence unless taken away."""
    verdict = Verdict.UNKNOWN if v == "U" else VERDICTS[int(v)]
    return Row(phase, point(s), point(e), verdict, **{"evidence": EVIDENCE, **more})


def point(value: int | str | None) -> Point:
    """Read a turn number, or one of the words for its absence."""
    return value if isinstance(value, int) else POINTS[value]


def phase(name: str, required: str = "always", **more: Any) -> PhaseRule:
    """Build a phase rule: `always`, `optional` or an expression."""
    when = None if required in ("always", "optional") else parse(required)
    fields = {"may_volunteer": False, **more}
    return PhaseRule(name, always=required == "always", when=when, **fields)


def edge(parent: str, child: str, when: str | None = None, **more: Any) -> EdgeRule:
    """Build a critical edge, strict and over the whole call unless said."""
    fields = {"same_turn": False, "per_item": False, **more}
    return EdgeRule(parent, child, when=parse(when) if when else None, **fields)


def plan(phases: Iterable[PhaseRule], edges: Iterable[EdgeRule] = (), **sources: str) -> Plan:
    """Build a plan whose phases read only earlier ones; `sources` are facts and their phases."""
    rules = tuple(phases)
    return Plan(rules, rules, tuple(edges), sources)


def decided(
    rules: Plan,
    rows: Iterable[Row],
    facts: Mapping[str, Any] | None = None,
    attributes: Mapping[str, Any] | None = None,
    *,
    ended: bool | None = True,
) -> Decision:
    """Judge rows, each under its phase."""
    by_phase = {one.phase: one for one in rows}
    return decide(rules, by_phase, facts=facts or {}, attributes=attributes or {}, ended=ended)


# --- From the plain calls of the reference --------------------------------------------------------


def decide_plain(call: Mapping[str, Any]) -> Decision:
    """Judge a plain call by the product."""
    return decide(
        plan_of_plain(call),
        rows_of_plain(call),
        facts=call["facts"],
        attributes=call["attributes"],
        ended=call["ended"],
    )


def plan_of_plain(call: Mapping[str, Any]) -> Plan:
    """Build the plan of a plain call."""
    phases = tuple(
        PhaseRule(
            id=rule["id"],
            always=rule["required"] == "always",
            when=None if isinstance(rule["required"], str) else expression_of(rule["required"]),
            may_volunteer=rule["volunteer"],
            per_item=rule["per_item"],
        )
        for rule in call["phases"]
    )
    edges = tuple(
        EdgeRule(
            parent=rule["parent"],
            child=rule["child"],
            same_turn=rule["same_turn"],
            per_item=rule["per_item"],
            when=None if rule["when"] is None else expression_of(rule["when"]),
        )
        for rule in call["edges"]
    )
    order = tuple(sorted(phases, key=lambda rule: rule.id))
    return Plan(phases, order, edges, dict(call["sources"]))


def rows_of_plain(call: Mapping[str, Any]) -> dict[str, Row]:
    """Build the rows of a plain call."""
    return {name: row_of_plain(name, one) for name, one in call["rows"].items()}


def row_of_plain(name: str, one: Mapping[str, Any]) -> Row:
    """Build a row; one with instances is rolled up from them by the product."""
    if one["instances"]:
        return roll_up(name, tuple(row_of_plain(name, part) for part in one["instances"]))
    return Row(
        phase=name,
        start=point(one["s"]),
        finish=point(one["e"]),
        verdict=VERDICTS[one["v"]],
        evidence=EVIDENCE if one["evidence"] else (),
        volunteered=one["volunteered"],
        revoked_at=one["revoked"],
        contradicted_at=one["contradicted"],
        key=one["key"],
        instances=() if one["instances"] == [] else None,
        start_ms=one["s_ms"],
        finish_ms=one["e_ms"],
        clear_through=one["clear"],
        start_doubts=("out_of_order",) if one["s_doubt"] else (),
        finish_doubts=("out_of_order",) if one["e_doubt"] else (),
    )


def expression_of(tree: Any) -> Expression:
    """Build an expression out of a tree of the reference."""
    node = _node(tree)
    return Expression(render(node), node)


def _node(tree: Any) -> Node:
    match tree:
        case ("const", value):
            return Constant(value)
        case ("phase", name, state):
            return PhaseAtom(name, PhaseState(state))
        case ("fact", name):
            return Truth(FactName(name))
        case ("attr=", name, value):
            return Comparison(AttributeName(name), Operator.EQUAL, (value,))
        case ("not", inner):
            return Not(_node(inner))
        case ("and", *parts):
            return And(tuple(map(_node, parts)))
        case ("or", *parts):
            return Or(tuple(map(_node, parts)))
    raise AssertionError(tree)
