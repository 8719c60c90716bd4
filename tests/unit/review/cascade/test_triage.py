"""Which rows a person must look at, and the sentence that says why. A flag changes no verdict."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.review.cascade.small import call, catalog, critical, item, phase, read, said, timed

VERIFY, MATCH = said("verify", "agent"), said("matches", "rep")
OPENED = {"ui": "screen.open", "where": {"part": "id"}}
PID = phase("PID", [VERIFY, OPENED], [item("match", MATCH)])
CSV = phase("CSV", [said("coverage", "agent")], [item("told", said("active", "rep"))])
CHILD = {**CSV, **critical("PID")}
BOTH = [item("match", MATCH), item("name", said("i am", "rep"))]
RIGHT = (("agent", "verify"), ("rep", "matches"), ("agent", "coverage?"), ("rep", "active"))
SCREEN = {"turn": 3, "name": "screen.open", "source": "ui", "args": {"part": "id"}}
FACT = {
    "type": "boolean", "from": "CSV", "meaning": "m", "otherwise": False, "unknown": "review",
    "true_if": [said("restricted", "rep")],
}  # fmt: skip

TELLS = {**CSV, "facts": ["restricted"]}

#: id, phases, turns, what else the call has, phase, its flags, a part of the last sentence
FLAGGED: tuple[tuple[Any, ...], ...] = (
    ("nothing-to-see", [PID, CSV], RIGHT, {}, "CSV", [], ""),
    ("critical-child", [PID, CHILD], RIGHT, {}, "CSV", ["SAFETY_CRITICAL"], "Child of"),
    ("critical-parent", [PID, CHILD], RIGHT, {}, "PID", ["SAFETY_CRITICAL"], "Parent of"),
    ("violated", [PID, CHILD], [("agent", "coverage?"), ("agent", "verify"), ("rep", "matches"),
     ("rep", "active")], {}, "PID", ["ORDER_VIOLATION", "SAFETY_CRITICAL"], "confirms this row"),
    ("same-turn", [PID, CHILD], [("agent", "verify"), ("rep", "matches"), ("agent", "coverage?")],
     {}, "CSV", ["SAFETY_CRITICAL", "NO_FINISH"], "turn 3"),
    ("tie", [phase("PID", [VERIFY], [item("match", said("matches", "agent"))]), CHILD],
     [("agent", "verify: it matches. coverage?"), ("rep", "active")], {}, "CSV",
     ["ORDER_VIOLATION", "SAFETY_CRITICAL", "SAME_TURN"], "the words of PID come first"),
    ("never-found", [PID, CSV], RIGHT[2:], {}, "PID", ["NO_FINISH"], "worded differently"),
    ("not-required", [{**PID, "required": "optional"}, CSV], RIGHT[2:], {}, "PID", [], ""),
    ("no-finish", [PID, CSV], [("agent", "verify"), ("rep", "hm")], {}, "PID", ["NO_FINISH"],
     "Entered at turn 1"),
    ("partial", [phase("PID", [VERIFY], BOTH), CSV], RIGHT, {}, "PID", ["NO_FINISH", "PARTIAL"],
     "these are open: name"),
    ("inferred", [PID, CSV], [("rep", "matches")], {}, "PID", ["AMBIGUOUS_START"],
     "first evidence"),
    ("words-and-log-disagree", [PID, CSV], RIGHT, {"events": [SCREEN]}, "PID",
     ["AMBIGUOUS_START"], "the event log at turn 3"),
    ("contradicted", [{**PID, "contradicts": [said("sorry", "rep")]}, CHILD],
     [*RIGHT, ("rep", "sorry")], {}, "PID",
     ["ORDER_UNCERTAIN", "CONTRADICTED", "SAFETY_CRITICAL"], "Parent of"),
    ("unacknowledged", [{**PID, "ack_required": True}, CSV], [("rep", "matches"), *RIGHT[:1]], {},
     "PID", ["NO_FINISH", "UNACKNOWLEDGED"], "not credited: match"),
    ("unknown-fact", [{**PID, "required": {"when": "restricted"}}, TELLS], RIGHT[:2],
     {"facts": {"restricted": FACT}}, "PID", ["UNKNOWN_FACT"], "still open"),
    ("unknown-role", [PID, CSV], [("agent", "verify"), ("caller", "matches")], {}, "PID",
     ["NO_FINISH", "UNKNOWN_ROLE"], "Map the speakers"),
)  # fmt: skip


@pytest.mark.parametrize("case", FLAGGED, ids=[case[0] for case in FLAGGED])
def test_flags(case: tuple[Any, ...]) -> None:
    _, phases, turns, more, subject, codes, sentence = case
    document = catalog(*phases, facts=more.get("facts", {}))
    filled = read(document, call(*turns, events=more.get("events", ())))
    flags = filled.flags[subject]
    assert [flag.code.value for flag in flags] == codes
    assert sentence in (flags[-1].text if flags else "")


def test_overlapping_speech_leaves_the_edge_to_a_person() -> None:
    times = [(0, 1000), (2000, 5000), (4500, 6000), (7000, 8000)]
    filled = read(catalog(PID, CHILD), timed(call(*RIGHT), *times))
    assert filled.decision.edges[0].code.value == "TIMING_OVERLAP"
    assert filled.decision.order_safe.value == "undetermined"
    assert filled.flags["CSV"][0].code.value == "ORDER_UNCERTAIN"
    assert "overlaps in time" in filled.flags["CSV"][0].text
