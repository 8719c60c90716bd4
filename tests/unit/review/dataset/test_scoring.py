"""The scorer against references counted by hand."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review.core.dataset import Score, ranked, read_labels, read_system, score
from review.core.dataset.rows_read import UnreadableRows


def row(phase: str, start: object, finish: object, verdict: str, **more: object) -> dict[str, Any]:
    return {"phase": phase, "start": start, "finish": finish, "verdict": verdict, **more}


def edge(ok: bool | None, policy: str = "<") -> dict[str, Any]:
    return {"parent": "PID", "child": "CSV", "policy": policy, "ok": ok}


def label(call: str, rows: list[dict[str, Any]], edges: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "format": "oip-labels/1",
        "call": call,
        "phases": rows,
        "edges": edges,
        "call_success": "fail",
    }


#: Two calls: in the first the edge is broken, in the second it is kept; one row nobody could tell.
LABELS = [
    label(
        "a",
        [row("PID", 45, 52, "pass"), row("CSV", 42, 81, "pass"), row("CRN", 104, 107, "pass")],
        [edge(False)],
    ),
    label(
        "b",
        [
            row("PID", 3, 4, "pass"),
            row("CSV", 6, "never", "fail"),
            row("CRN", "unknown", "unknown", "unknown"),
        ],
        [edge(True)],
    ),
]

SAID: list[dict[str, Any]] = [
    {
        "call": "a",
        "rows": [
            row("PID", 45, 52, "pass"),  # exact
            row("CSV", 53, 81, "pass", flags=[{"code": "X"}]),  # late, and a person is asked
            row("CRN", 105, 107, "pass"),  # one turn late, and nobody is asked
        ],
    },
    {
        "call": "b",
        "rows": [
            row("PID", 3, 4, "pass", escalate=True),  # exact, a person is asked for nothing
            row("CSV", None, None, "unknown"),  # left to a person
        ],
    },
    {"call": "z", "rows": []},
]

#: Counted by hand from the tables above.
WANTED = {
    "start_exact": "2/5",  # PID a, PID b
    "finish_exact": "4/5",  # all of a, PID b
    "both_exact": "2/5",
    "start_near": "3/5",  # and CRN a
    "finish_near": "4/5",
    "verdict": "4/5",
    "missed_violations": "1/1",  # 52 < 53: the late start hides it
    "false_alarms": "0/1",
    "undecided": "1/2",  # the edge of b
    "escalation_yield": "2/3",  # CSV a and CSV b, not PID b
    "unescalated_errors": "1/2",  # CRN a; PID a is right
    "left_out": 0,
    "strange": 1,
}


def scored(said: object, labels: object = LABELS) -> Score:
    return score(read_labels(json.dumps(labels)), read_system(json.dumps(said)))


def written(found: Score) -> dict[str, object]:
    values = {field.name: getattr(found, field.name) for field in fields(found)}
    return {
        name: value if isinstance(value, int) else f"{value.hits}/{value.of}"
        for name, value in values.items()
    }


def test_figures_counted_by_hand() -> None:
    assert written(scored(SAID)) == WANTED


def test_a_system_that_says_the_labels_is_perfect() -> None:
    found = written(scored([{"call": one["call"], "rows": one["phases"]} for one in LABELS]))
    exact = ("start_exact", "finish_exact", "both_exact", "verdict")
    assert {found[name] for name in exact} == {"5/5"}
    assert found["missed_violations"] == "0/1"
    assert (found["false_alarms"], found["left_out"]) == ("0/1", 0)
    assert found["unescalated_errors"] == "0/5"


def test_a_system_that_says_nothing_earns_nothing() -> None:
    found = written(scored([]))
    assert found["both_exact"] == "0/5"
    assert found["unescalated_errors"] == "5/5"
    assert found["escalation_yield"] == "0/0"
    assert (found["undecided"], found["left_out"]) == ("2/2", 2)


@pytest.mark.parametrize(
    ("policy", "finish", "start", "said"),
    [
        ("<", 5, 6, True),
        ("<", 6, 6, False),
        ("<=", 6, 6, True),
        ("<=", 7, 6, False),
        ("<", "never", 6, False),
        ("<", "never", "never", True),
        ("<", None, 6, None),
        ("<", 5, None, None),
    ],
)
def test_an_edge_is_read_off_the_rows(
    policy: str, finish: object, start: object, said: bool | None
) -> None:
    labels = [label("a", [row("PID", 1, 2, "pass")], [edge(True, policy)])]
    rows = [row("PID", 1, finish, "pass"), row("CSV", start, 9, "pass")]
    found = scored([{"call": "a", "rows": rows}], labels)
    assert (found.false_alarms.hits, found.undecided.hits) == (said is False, said is None)


def test_the_systems_own_word_on_an_edge_counts_first() -> None:
    said = [{**SAID[0], "edges": [{**edge(False), "critical": True}]}]
    assert scored(said).missed_violations.hits == 0


def test_the_ranking_puts_missed_violations_first() -> None:
    honest = [{**one, "edges": [edge(None)]} for one in SAID[:1]]
    scores = {"fast": scored(SAID), "honest": scored(honest), "mute": scored([])}
    assert ranked(scores) == ["honest", "mute", "fast"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "line 1: "),
        ("[1]", "item 1: an object for a call is expected here"),
        ('{"rows": []}', "`call`, the name of the call, is missing"),
        ('{"call": "a"}\n{"call": "a"}', "line 2: a is there twice"),
        ('{"call": "a", "rows": [{"phase": "P", "start": 1.5}]}', "line 1, P: start and finish"),
        ('{"call": "a", "rows": [{"phase": "P", "start": true}]}', "line 1, P: start and finish"),
        ('{"call": "a", "rows": [{"phase": "P", "verdict": "ok"}]}', "line 1, P: start and"),
        ('{"call": "a", "rows": [{"start": 1}]}', "each of `rows` needs phase"),
        ('{"call": "a", "edges": [{"parent": "P", "child": "C", "ok": 1}]}', "`ok` is true"),
    ],
)
def test_what_is_no_row_is_refused_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(UnreadableRows, match=sentence.replace("`", ".")):
        read_system(text)


def test_rows_are_no_labels() -> None:
    with pytest.raises(UnreadableRows, match="no labels of format oip-labels/1"):
        read_labels('{"call": "a", "rows": []}')
    with pytest.raises(UnreadableRows, match="holds no labels"):
        read_labels("")


@settings(max_examples=40)
@given(st.text(max_size=80))
def test_no_text_makes_a_reader_crash(text: str) -> None:
    for read in (read_labels, read_system):
        with suppress(UnreadableRows):
            read(text)
