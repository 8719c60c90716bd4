"""What holds for every call (engine.md 2b), over calls that Hypothesis draws and shrinks."""

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from review.core.predicates import Decision, Outcome
from tests.reference.random_calls import NEVER, random_call
from tests.unit.review.predicates.plain_calls import decide_plain

Plain = dict[str, Any]

calls = st.randoms(use_true_random=False).map(random_call)
paper_calls = st.randoms(use_true_random=False).map(lambda draw: random_call(draw, two_valued=True))
check = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@check
@given(calls, st.randoms(use_true_random=False))
def test_the_order_of_rows_phases_edges_and_instances_changes_nothing(
    call: Plain, draw: Random
) -> None:
    mixed = deepcopy(call)
    for key in ("phases", "edges"):
        draw.shuffle(mixed[key])
    mixed["rows"] = dict(draw.sample(list(call["rows"].items()), len(call["rows"])))
    for row in mixed["rows"].values():
        draw.shuffle(row["instances"] or [])

    assert facts_of(decide_plain(mixed)) == facts_of(decide_plain(call))


@check
@given(calls, st.randoms(use_true_random=False))
def test_learning_what_was_unknown_never_turns_a_fail_into_a_pass_nor_back(
    call: Plain, draw: Random
) -> None:
    before = decide_plain(call)
    after = decide_plain(learnt(call, draw))

    for name in ("coverage", "order_safe", "call_success"):
        pair = {getattr(before, name), getattr(after, name)}
        assert pair != {Outcome.PASS, Outcome.FAIL}, name


@check
@given(calls, st.randoms(use_true_random=False))
def test_starting_earlier_or_finishing_later_never_mends_an_edge(call: Plain, draw: Random) -> None:
    for row in rows_of(call):
        row["revoked"] = row["clear"] = None
    before = decide_plain(call)
    for number, rule in enumerate(call["edges"]):
        if before.edges[number].ok is not False:
            continue
        worse = deepcopy(call)
        for row in parts_of(worse, rule["child"]):
            if isinstance(row["s"], int):
                row["s"] = draw.randint(0, row["s"])
        assert decide_plain(worse).edges[number].ok is not True
        for row in parts_of(worse, rule["parent"]):
            if isinstance(row["e"], int):
                row["e"] += draw.randint(0, 9)
        assert decide_plain(worse).edges[number].ok is not True


@check
@given(calls)
def test_removing_a_critical_edge_never_turns_a_pass_into_a_fail(call: Plain) -> None:
    before = decide_plain(call)
    for number in range(len(call["edges"])):
        fewer = {**call, "edges": call["edges"][:number] + call["edges"][number + 1 :]}
        after = decide_plain(fewer)
        assert after.coverage is before.coverage
        assert before.order_safe is not Outcome.PASS or after.order_safe is Outcome.PASS
        assert before.call_success is not Outcome.PASS or after.call_success is Outcome.PASS


@check
@given(paper_calls)
def test_two_valued_calls_get_exactly_the_bits_of_the_paper(call: Plain) -> None:
    decision = decide_plain(call)
    rows = call["rows"]
    owed = {one.phase: one.required for one in decision.phases}
    coverage = all(rows[name]["v"] for name in owed if owed[name])
    order = all(
        rows[rule["child"]]["s"] == NEVER
        or (
            rows[rule["parent"]]["e"] != NEVER
            and rows[rule["parent"]]["e"] < rows[rule["child"]]["s"]
        )
        for rule in call["edges"]
    )
    if faultless(rows) and any(owed.values()):
        assert None not in owed.values()
        assert decision.coverage is (Outcome.PASS if coverage else Outcome.FAIL)
        assert decision.order_safe is (Outcome.PASS if order else Outcome.FAIL)
        assert (decision.call_success is Outcome.PASS) == (coverage and order)


@check
@given(calls)
def test_a_pass_needs_an_ended_call_something_owed_and_evidence_for_all_of_it(call: Plain) -> None:
    decision = decide_plain(call)
    if decision.call_success is Outcome.PASS:
        assert call["ended"] is True
        assert any(one.required for one in decision.phases)
        for one in decision.phases:
            if one.required is not False:
                for part in parts_of(call, one.phase):
                    assert (part["v"], part["evidence"]) == (True, True), one.phase
                    assert isinstance(part["e"], int), one.phase
                    assert part["contradicted"] is None, one.phase


def test_every_outcome_is_drawn_often_enough_to_mean_something() -> None:
    seen: Counter[Outcome] = Counter()

    @settings(check, max_examples=400)
    @given(calls)
    def draw(call: Plain) -> None:
        seen[decide_plain(call).call_success] += 1

    draw()
    total = seen.total()
    assert total >= 300
    assert {name for name in Outcome if seen[name] >= total * 0.05} == set(Outcome), seen


# --- Ways to change a call ------------------------------------------------------------------------


def rows_of(call: Plain) -> Iterator[Plain]:
    """Yield every row and every instance."""
    for row in call["rows"].values():
        yield row
        yield from row["instances"] or []


def parts_of(call: Plain, name: str) -> list[Plain]:
    """Return the instances of a phase, or its row, or nothing."""
    row = call["rows"].get(name)
    return [] if row is None else row["instances"] or [row]


def faultless(rows: Plain) -> bool:
    """Say whether the paper's rows can all be believed: e not before s."""
    return all(not isinstance(row["e"], int) or row["s"] <= row["e"] for row in rows.values())


def learnt(call: Plain, draw: Random) -> Plain:
    """Replace some unknowns by values that do not contradict what the row says."""
    known = deepcopy(call)
    if known["ended"] is None:
        known["ended"] = draw.choice([True, False, None])
    for table in (known["facts"], known["attributes"]):
        for name, value in table.items():
            other = [True, False] if table is known["facts"] else ["ai", "person"]
            table[name] = draw.choice([*other, None]) if value is None else value
    for row in rows_of(known):
        if row["v"] is None:
            row["v"] = draw.choice([True, False, None])
        after = 0 if row["clear"] is None else row["clear"] + 1
        for end in ("s", "e"):
            # NEVER is a value only where the call has ended; before that it stands for unknown.
            if row[end] is None and row["instances"] != []:
                row[end] = draw.choice([after + draw.randint(0, 12), NEVER, None])
    return known


def facts_of(decision: Decision) -> Any:
    """Write a decision without the order of its parts."""
    return (
        decision[:3],
        {one.phase: (one.required, one.ok) for one in decision.phases},
        Counter((one.rule.parent, one.rule.child, one.ok) for one in decision.edges),
        set(decision.reasons) if not any(one.fault for one in decision.phases) else None,
    )
