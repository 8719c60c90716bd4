"""The mutation check: which wrong changes are tried, and that each goes unnoticed without its
test.
"""

from __future__ import annotations

import pytest

from review.core.cascade.pipeline import Cascade, prepare
from review.core.evaluation import judge_call
from review.core.rehearsal import rehearse
from review.core.rehearsal.expecting import Difference, differences
from review.core.rehearsal.hearing import heard_in
from review.core.rehearsal.mutants import mutants_of
from review.core.rehearsal.runs import Run, runs_of
from tests.unit.review.rehearsal.small import call, finder, small

KINDS = [
    ("role", "ID.starts[0].by", "without the role agent"),
    ("role", "ID.accept.given.match[0].by", "without the role agent"),
    ("role", "ID.accept.given.match[0].by", "without the role rep"),
    ("role", "ID.accept.given.ack[0].by", "without the role agent"),
    ("role", "ID.accept.found.match[0].by", "without the role rep"),
    ("unless", "ID.accept.found.match[0].unless", "without its exemption"),
    ("item", "ID.accept.given", "without the acceptance item given"),
    ("item", "ID.accept.found", "without the acceptance item found"),
    ("acknowledgement", "ID.ack_required", "early content counts without acknowledgement"),
    ("requirement", "ID.required", "optional instead of always"),
    ("role", "TELL.starts[0].by", "without the role agent"),
    ("role", "TELL.starts[0].by", "without the role rep"),
    ("role", "TELL.accept.told.match[0].by", "without the role agent"),
    ("requirement", "TELL.required", "optional instead of always"),
    ("edge", "TELL.critical_parents.ID", "without the critical edge ID→TELL"),
    ("precedence", "TELL.precedence", "one turn may finish the parent and start the child"),
    ("role", "PAY.starts[0].by", "without the role agent"),
    ("role", "PAY.accept.amount.match[0].by", "without the role agent"),
    ("requirement", "PAY.required", "required when not (TELL passed and not free)"),
    ("role", "facts.free.true_if[0].by", "without the role agent"),
]


def test_every_wrong_change_is_tried_once() -> None:
    assert [(one.kind, one.where, one.text) for one in mutants_of(small())] == KINDS


@pytest.mark.parametrize(
    ("required", "text"),
    [
        ("optional", "always instead of optional"),
        ("{when: not free}", "required when free"),
        ("{when: TELL passed}", "required when not TELL passed"),
    ],
)
def test_how_a_requirement_is_turned_round(required: str, text: str) -> None:
    document = small(("{when: TELL passed and not free}", required))
    found = [one.text for one in mutants_of(document) if one.where == "PAY.required"]
    assert found == [text]


UNNOTICED: list[tuple[str, list[tuple[str, str]], set[str]]] = [
    (
        "ID.accept.found.match[0].unless",
        [('        - "Agent: Your birth date? Rep: Born in May. Rep: Not found."\n', "")],
        set(),
    ),
    (
        "ID.accept.given",
        [
            ('        - "Agent: Your birth date? Rep: Found."\n', ""),
            ('        - "Rep: Born in May. Agent: Your birth date? Rep: Found."\n', ""),
        ],
        set(),
    ),
    (
        "ID.ack_required",
        [('        - "Rep: Born in May. Agent: Your birth date? Rep: Found."\n', "")],
        set(),
    ),
    (
        "ID.accept.given.ack[0].by",
        [
            (
                '        - "Rep: Born in May. Agent: Your birth date is as you '
                'said? Rep: Found."\n',
                "",
            )
        ],
        set(),
    ),
    ("ID.required", [("required: {ID: true, TELL", "required: {TELL")], set()),
    ("TELL.precedence", [], {"tie"}),
    ("TELL.critical_parents.ID", [], {"tie", "benefits-first", "cut"}),
    ("facts.free.true_if[0].by", [], {"free"}),
]


@pytest.mark.parametrize(
    ("where", "changes", "without"), UNNOTICED, ids=[row[0] for row in UNNOTICED]
)
def test_without_its_test_a_change_goes_unnoticed(
    where: str, changes: list[tuple[str, str]], without: set[str]
) -> None:
    kept = [one for one in call()["variants"] if one["id"] not in without]
    extra = [
        ('cds: "1/1"\n      ', ""),
        ("edges: {ID->TELL: SAFE}\n      ", ""),
        ("flags: {ID: [SAFETY_CRITICAL], PAY: []}\n", "flags: {}\n"),
    ]
    less = extra if "critical" in where else []
    calls = finder({"small.json": call(variants=kept)})
    done = rehearse(small(*changes, *less), calls=calls)
    assert where in {one.where for one in done.findings if one.code == "W706"}
    assert where not in {one.where for one in rehearse(small(), calls=finder()).findings}


def test_who_noticed_is_named() -> None:
    done = rehearse(small(), calls=finder())
    noticed = {(one.where, one.text): one.noticed_by for one in done.mutants}
    assert noticed["TELL.precedence", KINDS[15][2]] == "good/tie"
    assert noticed["ID.accept.found", KINDS[7][2]] == "ID.rubric.fail[0]"


def test_sharing_compiled_patterns_changes_nothing() -> None:
    cascade = prepare(small())
    runs, _ = runs_of(small(), finder())
    for mutant in mutants_of(small()):
        if mutant.kind == "precedence":  # no document says what it does
            continue
        wrong = mutant.make(cascade)
        anew = prepare(wrong.document)
        for run in runs:
            quick, slow = judge_call(run.call, wrong), judge_call(run.call, anew)
            assert (quick.filled.rows, quick.filled.facts) == (slow.filled.rows, slow.filled.facts)
            assert quick.filled.decision == slow.filled.decision


def test_only_calls_in_which_a_role_was_heard_are_touched_by_silencing_it() -> None:
    cascade = prepare(small())
    runs, _ = runs_of(small(), finder())
    for mutant in mutants_of(small()):
        for run in runs if mutant.silenced is not None else ():
            before = judge_call(run.call, cascade)
            after = judge_call(run.call, mutant.make(cascade))
            if mutant.silenced not in heard_in(before.call, cascade):
                assert after.filled.rows == before.filled.rows
                assert after.filled.facts == before.filled.facts


def test_the_first_call_that_notices_is_the_one_that_does_so_judged_anew() -> None:
    cascade = prepare(small())
    runs, _ = runs_of(small(), finder())

    def seen(run: Run, by: Cascade) -> tuple[Difference, ...]:
        return differences(run.expectation, judge_call(run.call, by))

    done = rehearse(small(), calls=finder())
    by_calls = 0
    for mutant, result in zip(mutants_of(small()), done.mutants, strict=True):
        wrong = mutant.make(cascade)
        anew = (run.label for run in runs if seen(run, wrong) != seen(run, cascade))
        if result.noticed_by in (None, *(run.label for run in runs)):
            assert result.noticed_by == next(anew, None)
            by_calls += 1
    assert by_calls > 5
