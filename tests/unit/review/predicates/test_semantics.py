"""The decisions S1 to S36 of the reference: one row each, asked of the function that decides it.

A row says what is given in words, how it is asked, and the whole answer. Where a decision belongs
to a part that is not written yet, the row holds what stands today and says so.
"""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from review.core.diagnostics import critical_dependency_share
from review.core.evidence.spans import commit
from review.core.parsers import parse_calls
from tests.unit.review.predicates.asking import (
    GOOD,
    LATER,
    between,
    chain,
    consent,
    drugs,
    half,
    identity,
    listed,
    load_codes,
    overlap,
    rebuilt,
    refused_quote,
    rows_found,
    terms,
    two,
)
from tests.unit.review.predicates.plain_calls import decided, edge, phase, plan, point, row
from tests.unit.review.predicates.tiny_catalogs import HEAD, call, call_bytes, event, gated, said
from tests.unit.review.predicates.tiny_catalogs import phase as written


class Decided(NamedTuple):
    """One row of the table."""

    id: str
    given: str
    ask: Callable[[], object]
    answer: object


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
        (1, NEVER, FAIL),
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
