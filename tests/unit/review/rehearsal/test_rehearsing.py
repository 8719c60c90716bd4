"""The rehearsal as a whole: a complete catalog is green, and every gap is said with its code."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from catalogs.core.findings import Finding, Severity
from catalogs.core.linter import lint
from review.core.evaluation import ENGINE_VERSION
from review.core.rehearsal import load_sentences, rehearsal_to_json, rehearse
from review.core.rehearsal.texts import REHEARSAL
from tests.unit.review.rehearsal.small import call, finder, small, with_tests

CALLS = finder()
Changes = list[tuple[str, str]]


def test_a_complete_catalog_is_green_and_nothing_goes_unnoticed() -> None:
    done = rehearse(small(), calls=CALLS)
    assert done.findings == ()
    assert done.green
    assert [one for one in done.mutants if one.noticed_by is None] == []
    assert done.counts == {
        "errors": 0,
        "warnings": 0,
        "tests": 5,
        "failing": 0,
        "sentences": 15,
        "sentences_missed": 0,
        "sentences_beyond_rules": 0,
        "mutants": 20,
        "killed": 20,
        "survivors": 0,
    }


def test_the_small_catalog_itself_is_well_formed() -> None:
    codes = {one.code for one in lint(small(), today=date(2026, 11, 29))}
    assert codes == {"W502"}  # it has more examples than a reviewer should have to read


def test_what_was_seen_is_counted() -> None:
    coverage = rehearse(small(), calls=CALLS).coverage
    (edge,) = coverage.edges
    assert (edge.safe, edge.unsafe, edge.tied, edge.unknown, edge.silent) == (2, 2, 1, 1, 0)
    (condition,) = coverage.requirements
    assert (condition.owed, condition.not_owed, condition.unknown) == (3, 1, 1)
    assert [(one.passed, one.failed, one.unknown) for one in coverage.phases] == [
        (4, 0, 1),
        (4, 0, 1),
        (4, 0, 1),
    ]


SENTENCES = """\
format: oip-sentences/1
catalog: small
phases:
  TELL:
    starts: ["Agent: About the benefits.", "Agent: Let us see."]
    satisfies: ["Agent: It is covered.", "Agent: The plan takes that over."]
    near_misses: ["Rep: Is it covered?", "Agent: It would be covered if you paid."]
"""
FOREIGN = "format: oip-sentences/1\ncatalog: big\nphases: {TELL: {}, GONE: {}}\n"
BARE = "format: oip-sentences/1\ncatalog: small\nphases: {TELL: {starts: ['About benefits.']}}\n"

BAD: list[tuple[str, str, Changes, str | None]] = [
    (
        "E503",
        "TELL.rubric.fail[1]",
        [('"Agent: I will look."', '"Agent: Is that covered?"')],
        None,
    ),
    ("W504", "PAY.rubric.pass[1]", [("Agent: Two dollars.", "Agent: Two bucks.")], None),
    ("E520", "sentences:catalog", [], FOREIGN),
    ("E520", "sentences:phases.GONE", [], FOREIGN),
    ("E521", "sentences:phases.TELL.near_misses[1]", [], SENTENCES),
    ("W522", "sentences:phases.TELL.satisfies[1]", [], SENTENCES),
    ("W523", "sentences:phases.TELL.starts[1]", [], SENTENCES),
    ("E524", "TELL.rubric.fail[1]", [('"Agent: I will look."', '"I will look."')], None),
    ("E524", "TELL.rubric.fail[1]", [('"Agent: I will look."', '"Agnet: I will."')], None),
    ("E524", "sentences:phases.TELL.starts[0]", [], BARE),
    ("W525", "sentences:phases.TELL.near_misses", [], SENTENCES),
    ("E702", "tests[0].expect.ID", [("ID: [1, 3, pass]", "ID: [1, 4, pass]")], None),
    ("W703", "TELL.critical_parents.ID", [("    variants: all\n", "")], None),
    ("W704", "PAY.required.when", [("    variants: all\n", "")], None),
    ("W705", "PAY", [("re: 'dollars'", "re: 'nothing like it'")], None),
    ("W706", "TELL.precedence", [("    variants: all\n", "")], None),
    ("E707", "tests[0].call", [("call: small.json", "call: gone.json")], None),
    ("E707", "tests[0].id", [("id: good", "id: [good, best]")], None),
    ("E708", "tests[0].expect.speed", [('cds: "1/1"', "speed: 1")], None),
    ("W709", "tests[1]", [("changelog:", "  - {call: small.json}\nchangelog:")], None),
]


@pytest.mark.parametrize(
    ("code", "where", "changes", "sentences"), BAD, ids=[f"{row[0]} {row[1]}" for row in BAD]
)
def test_bad_examples(code: str, where: str, changes: Changes, sentences: str | None) -> None:
    found = findings(changes, sentences)
    assert (code, where) in {(one.code, one.where) for one in found}, found
    one = next(one for one in found if (one.code, one.where) == (code, where))
    assert one.severity is (Severity.ERROR if code[0] == "E" else Severity.WARNING)
    assert one.line is not None
    assert len(one.text) > 20


def test_every_code_has_a_bad_example() -> None:
    assert {row[0] for row in BAD} == {entry.code for entry in REHEARSAL}


def findings(changes: Changes, sentences: str | None) -> tuple[Finding, ...]:
    read = None
    if sentences is not None:
        read, unread = load_sentences(sentences.encode())
        assert read is not None, unread
    return rehearse(small(*changes), calls=CALLS, sentences=read).findings


def test_sentences_that_must_not_be_found_are_not() -> None:
    found = findings([], SENTENCES)
    codes = [one.code for one in found if one.where.startswith("sentences:phases.TELL")]
    assert sorted(codes) == ["E521", "W522", "W523", "W525", "W525", "W525"]
    assert "1 of 2 satisfies sentences of TELL are not recognised" in next(
        one.text for one in found if one.code == "W522"
    )


@pytest.mark.parametrize(
    ("changes", "green"),
    [
        ([], True),
        ([("ID: [1, 3, pass]", "ID: [1, 4, pass]")], False),
        ([("    variants: all\n", "")], False),
        ([("Agent: Two dollars.", "Agent: Two bucks.")], True),
    ],
    ids=["complete", "a failing test", "one side unseen", "a warning only"],
)
def test_green(changes: Changes, green: bool) -> None:
    assert rehearse(small(*changes), calls=CALLS).green is green


def test_sentences_that_cannot_be_read_are_part_of_the_result() -> None:
    done = rehearse(small(), calls=CALLS, sentences=b"format: [")
    assert not done.green
    assert [(one.code, one.where) for one in done.findings] == [("E112", "sentences:file")]
    read = rehearse(small(), calls=CALLS, sentences=SENTENCES.encode())
    assert read.findings == findings([], SENTENCES)


def test_what_only_a_person_can_judge_is_counted_and_not_run() -> None:
    beyond = SENTENCES + '    beyond_rules: ["Agent: It is covered, so to say.", "Whatever."]\n'
    done = rehearse(small(), calls=CALLS, sentences=beyond.encode())
    assert done.findings == findings([], SENTENCES)
    assert done.counts["sentences_beyond_rules"] == 2
    assert "beyond_rules" not in {one.kind for one in done.sentences}


def test_without_tests_nothing_is_green() -> None:
    done = rehearse(with_tests("  []"), calls=CALLS)
    assert not done.green
    assert [one.code for one in done.findings] == ["E701"]


def test_a_document_without_meaning_is_not_run() -> None:
    done = rehearse(small(("re: 'dollars'", "re: '(dollars'")), calls=CALLS)
    assert not done.green
    assert [one.code for one in done.findings] == ["E401"]
    assert (done.tests, done.mutants) == ((), ())


def test_a_waiver_lifts_a_warning_and_never_makes_green() -> None:
    waiver = "waivers: [{rule: W703, reason: r, by: x, until: 2026-11-29}]\nphases:"
    document = small(("phases:", waiver), ("    variants: all\n", ""))
    held = rehearse(document, calls=CALLS, today=date(2026, 11, 29))
    over = rehearse(document, calls=CALLS, today=date(2026, 11, 30))
    assert "W703" not in {one.code for one in held.findings}
    assert "W703" in {one.code for one in over.findings}
    assert not held.green


def test_json_is_plain_and_holds_no_words_of_a_call() -> None:
    done = rehearse(small(("ID: [1, 3, pass]", "ID: [1, 4, pass]")), calls=CALLS)
    plain: dict[str, Any] = rehearsal_to_json(done)
    text = json.dumps(plain)
    assert json.loads(text) == plain
    assert (plain["digest"], plain["engine"]) == (small_digest(), ENGINE_VERSION)
    assert (plain["green"], plain["counts"]["failing"]) == (False, 1)
    assert plain["tests"][0]["differences"] == ["ID: got [1, 3, pass], wanted [1, 4, pass]"]
    assert plain["findings"][0]["code"] == "E702"
    assert not any(turn["text"] in text for turn in call()["turns"])


def small_digest() -> str:
    return small(("ID: [1, 3, pass]", "ID: [1, 4, pass]")).digest


def test_the_same_input_gives_the_same_rehearsal() -> None:
    assert rehearse(small(), calls=CALLS) == rehearse(small(), calls=CALLS)
