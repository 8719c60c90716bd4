"""A past call as a test of a catalog, and where the rules of one phase hit in a call."""

from __future__ import annotations

import pytest

from review.core.parsers.oip_call import parse_value
from review.core.rehearsal.hits import hits_in
from review.core.rehearsal.recorded import NothingToExpect, standing_test
from review.core.rehearsal.runs import runs_of
from review.core.rows import NEVER, UNKNOWN, Point, Verdict
from review.core.transcript import Call
from tests.unit.review.rehearsal.small import call, finder, small, with_tests

PASS, FAIL, OPEN = Verdict.PASS, Verdict.FAIL, Verdict.UNKNOWN


def past() -> Call:
    found, _ = parse_value(call(), where="past")
    assert found is not None
    return found


def stored(name: str) -> Call | None:
    return past() if name == "one" else None


@pytest.mark.parametrize(
    ("test", "runs", "code", "where"),
    [
        ("  - {call: 'stored:one', expect: {ID: [1, 3, pass]}}", 1, "", ""),
        ("  - {call: 'stored:two', expect: {ID: [1, 3, pass]}}", 0, "E707", "tests[0].call"),
        ("  - {call: 'stored:one', id: good, expect: {}}", 1, "E707", "tests[0].id"),
        ("  - {call: 'stored:one', variants: all}", 1, "E707", "tests[0].variants"),
        (
            "  - {call: 'stored:one', expect: {facts: {free: false}}}",
            1,
            "E708",
            "tests[0].expect.facts",
        ),
        ("  - {call: 'stored:one'}", 0, "W709", "tests[0]"),
    ],
)
def test_a_test_names_a_past_call(test: str, runs: int, code: str, where: str) -> None:
    made, findings = runs_of(with_tests(test), finder(), stored)
    assert len(made) == runs
    assert [(one.code, one.where) for one in findings] == ([(code, where)] if code else [])
    assert all(run.label == "stored:one" and not run.expectation.facts for run in made)


def test_where_files_alone_are_read_a_past_call_is_not_at_hand() -> None:
    _, [finding] = runs_of(with_tests("  - {call: 'stored:one', expect: {}}"), finder())
    assert (finding.code, "rehearse it where it is kept" in finding.text) == ("E707", True)


def test_rows_as_they_stand_are_expected_without_words() -> None:
    rows: dict[str, tuple[Point, Point, Verdict]] = {
        "ID": (1, 3, PASS),
        "TELL": (NEVER, NEVER, FAIL),
        "PAY": (6, UNKNOWN, OPEN),
        "GONE": (2, 2, PASS),
    }
    assert standing_test(small(), "one", rows, {"ID": True, "TELL": None, "PAY": False}) == {
        "call": "stored:one",
        "expect": {
            "ID": [1, 3, "pass"],
            "TELL": ["never", "never", "fail"],
            "required": {"ID": True, "PAY": False},
        },
    }
    with pytest.raises(NothingToExpect, match="choose another call"):
        standing_test(small(), "one", {"PAY": (6, UNKNOWN, OPEN), "GONE": (2, 2, PASS)}, {})


def test_hits_are_turns_matcher_by_matcher() -> None:
    document = small()
    found = {
        phase.id: [(one.item, one.position, one.turns) for one in hits_in(document, phase, past())]
        for phase in document.phases
    }
    assert found == {
        "ID": [("", 1, (1,)), ("given", 1, (2,)), ("found", 1, (3,))],
        "TELL": [("", 1, (4,)), ("told", 1, (5,))],
        "PAY": [("", 1, (6,)), ("amount", 1, (7,))],
    }
    # Other words, another role: no hit.
    other = small(
        ("birth date", "birthday"),
        ("match: [{re: '(?i)found', by: [rep]", "match: [{re: '(?i)found', by: [agent]"),
    )
    assert [one.turns for one in hits_in(other, other.phases[0], past())] == [(), (2,), ()]
