"""*Read again*: what the pre-fill would give, decisions kept, compared with what stands."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from catalogs.core.document import load_document
from catalogs.shipped import SHIPPED_CATALOGS
from review.core.cascade.pipeline import Cascade, prefill, prepare, scalar_attributes
from review.core.decisions import Base, Decision, ItemValue, Kind, PointValue, UndoValue
from review.core.decisions import VerdictValue as Says
from review.core.decisions.folding import fold, grounds_of
from review.core.evaluation import judge_call
from review.core.parsers import parse_calls
from review.core.predicates import Outcome, decide
from review.core.rows import NEVER, UNKNOWN, Point, Row, Verdict
from review.core.transcript import Call
from review.core.whatif import Change, Compared, Decided, Standing, Stored, read_again, reread
from review.shipped import shipped_case

[_PATH] = [path for path in SHIPPED_CATALOGS if path.stem == "benefits_verification"]
SOURCE = _PATH.read_text("utf-8")
_raw = shipped_case("case_b_call.json")
assert _raw is not None
[CALL] = parse_calls(_raw, name="case_b_call.json").calls

#: Catalogs that an author may come to, by what is written otherwise.
CHANGES = {
    "the same": ("", ""),
    "an item gone": (
        "      - id: payer_match\n",
        "      - id: payer_says\n",
    ),
    "an anchor gone": (
        "      - {ui: worksheet.section_opened, where: {section: coverage_status}}\n",
        "",
    ),
    "an edge gone": (
        "    critical_parents:\n"
        "      PID:\n"
        "        rationale: Coverage is PHI. Asking about it, or telling it, before the patient is "
        "matched risks a disclosure about the wrong person.\n"
        "        sources: [HIPAA_VERIFY, MAC_CTI, SITE]\n",
        "",
    ),
    "a phase added": (
        "phases:\n  - id: PID\n",
        "phases:\n"
        "  - id: AID\n    name: AI disclosure\n    basis: [SITE]\n    intent: The agent says so.\n"
        "    required: always\n    parents: []\n"
        "    starts:\n      - {re: '(?i)\\bI am an AI\\b', by: [agent]}\n"
        "    accept:\n      - id: told\n        text: Said.\n        match:\n"
        "          - {re: '(?i)\\bI am an AI\\b', by: [agent]}\n"
        "    counterexamples: [A greeting.]\n"
        "    rubric: {pass: ['Agent: I am an AI.'], fail: ['Agent: Hello.']}\n"
        "  - id: PID\n",
    ),
}


def cascade_of(change: str) -> Cascade:
    old, new = CHANGES[change]
    assert old in SOURCE, change
    document, findings = load_document(SOURCE.replace(old, new, 1).encode("utf-8"))
    assert document is not None, findings
    return prepare(document)


CASCADES = {change: cascade_of(change) for change in CHANGES}
OLD = CASCADES["the same"]


def decision(number: int, kind: Kind, phase: str, value: object = None) -> Decision:
    return Decision(number, kind, "ann", False, phase, None, None, value)  # type: ignore[arg-type]


def standing_of(rows: dict[str, Row]) -> dict[str, Standing]:
    return {name: Standing(row.start, row.finish, row.verdict) for name, row in rows.items()}


def stored(call: Call, *made: Decision) -> Stored:
    """Return a call as it stands under the old catalog after these decisions."""
    filled = judge_call(call, OLD).filled
    base = Base(filled.rows, filled.facts)
    shown = fold(base, made, grounds_of(OLD.document, ended=call.ended))
    rows = {name: one.row for name, one in shown.rows.items()}
    found = decide(
        OLD.plan,
        rows,
        facts=shown.facts,
        attributes=scalar_attributes(call),
        ended=call.ended,
    )
    decided = Decided(OLD.document, base, made) if made else None
    return Stored("one", call, True, found.call_success, standing_of(rows), decided)


def weighed(change: str, *made: Decision) -> Compared:
    return read_again(CASCADES[change], stored(CALL, *made))


PASSED = decision(1, Kind.SET_VERDICT, "PID", Says(Verdict.PASS))
#: A person says that the patient was identified before coverage was asked about: the call passes.
EARLIER = (
    decision(1, Kind.SET_START, "PID", PointValue(40)),
    decision(2, Kind.SET_FINISH, "PID", PointValue(41)),
)
CONFIRMED = decision(1, Kind.CONFIRM, "PID")


@pytest.mark.parametrize(
    ("change", "made", "expected", "rows", "annotate", "lost"),
    [
        ("the same", (), Change.SAME, (), (), ()),
        ("the same", EARLIER, Change.SAME, (), (), ()),
        # Nobody has looked for the new phase: the machine found nothing, so the call fails it.
        ("a phase added", (), Change.SAME, ("AID",), (), ()),
        ("a phase added", EARLIER, Change.PASS_TO_FAIL, ("AID",), (), ()),
        # The decision stands under a catalog with the same items ...
        ("an anchor gone", EARLIER, Change.SAME, (), (), ()),
        # ... and where an item is another one, a person must look at the row again.
        ("an item gone", (CONFIRMED,), Change.SAME, (), ("PID",), ("PID",)),
        ("an item gone", EARLIER, Change.SAME, (), ("PID",), ("PID",)),
    ],
)
def test_what_becomes_of_case_b(
    change: str,
    made: tuple[Decision, ...],
    expected: Change,
    rows: tuple[str, ...],
    annotate: tuple[str, ...],
    lost: tuple[str, ...],
) -> None:
    found = weighed(change, *made)
    assert (found.change, tuple(one.name for one in found.rows)) == (expected, rows)
    assert (found.annotate, found.lost) == (annotate, lost)


def test_a_row_says_where_to_look_and_what_it_was() -> None:
    [row] = weighed("a phase added").rows
    assert row == ("AID", None, "", "never, fail")


def test_a_pass_by_a_person_says_nothing_of_an_item_they_were_not_asked() -> None:
    """The reading finds no match by the payer, a person passed the row without that item."""
    deaf = replace(CALL, turns=tuple(turn for turn in CALL.turns if turn.number < 50))
    kept = reread(
        CASCADES["an item gone"],
        deaf,
        Decided(OLD.document, Base(judge_call(deaf, OLD).filled.rows, {}), (PASSED,)),
    )
    assert kept.rows["PID"].verdict is Verdict.UNKNOWN
    assert kept.lost == ("PID",)
    assert kept.decision.call_success is not Outcome.PASS


def test_random_calls_are_read_as_the_pre_fill_reads_them() -> None:
    draw = Random(17)  # noqa: S311 - chooses test cases
    seen: set[Change] = set()
    for _ in range(60):
        call, change = shuffled(draw), draw.choice(list(CHANGES))
        cascade = CASCADES[change]
        judged = judge_call(call, cascade).filled
        plain = reread(cascade, call)
        assert (plain.rows, plain.facts) == (judged.rows, judged.facts)
        assert plain.decision == judged.decision
        made = decisions(draw)
        one = stored(call, *made)
        assert not read_again(OLD, one).says_something, "by the same version it is what stands"
        found = read_again(cascade, one)
        by_hand = reread(cascade, call, one.decided)
        assert {row.name for row in found.rows} == differing(
            {**one.rows}, standing_of({**by_hand.rows})
        )
        untouched = set(by_hand.rows) - {each.phase for each in made}
        assert all(by_hand.rows[phase] == judged.rows[phase] for phase in untouched)
        seen.add(found.change)
    assert len(seen) > 2, seen


def differing(before: dict[str, Standing], after: dict[str, Standing]) -> set[str]:
    return {name for name in before | after if before.get(name) != after.get(name)}


def shuffled(draw: Random) -> Call:
    """Drop some turns of case B and let the words of others change places."""
    turns = [turn for turn in CALL.turns if draw.random() > 0.01]
    for _ in range(draw.randrange(2)):
        one, other = draw.randrange(len(turns)), draw.randrange(len(turns))
        texts = turns[one].text, turns[other].text
        turns[one] = replace(turns[one], text=texts[1])
        turns[other] = replace(turns[other], text=texts[0])
    kept = {turn.number for turn in turns}
    events = tuple(event for event in CALL.events if draw.random() > 0.02)
    assert kept
    return replace(CALL, turns=tuple(turns), events=events, ended=draw.random() > 0.1)


def decisions(draw: Random) -> tuple[Decision, ...]:
    made: list[Decision] = list(EARLIER) if draw.random() > 0.4 else []
    for number in range(len(made) + 1, len(made) + 1 + draw.randrange(3)):
        phase = draw.choice([phase.id for phase in OLD.document.phases if not phase.for_each])
        points: list[Point] = [draw.randrange(1, 90), NEVER, UNKNOWN]
        point = draw.choice(points)
        value = draw.choice(
            [
                (Kind.CONFIRM, None),
                (Kind.SET_START, PointValue(point)),
                (Kind.SET_FINISH, PointValue(point)),
                (Kind.SET_VERDICT, Says(draw.choice(list(Verdict)))),
                (Kind.SET_ITEM, ItemValue("payer_match", draw.choice([True, False, None]), 3)),
                (Kind.UNDO, UndoValue(max(1, number - 1))),
            ]
        )
        made.append(decision(number, value[0], phase, value[1]))
    return tuple(made)


def test_nothing_of_the_pre_fill_is_left_out() -> None:
    """The deciding rows of a call that was not decided by anybody are those of its pre-fill."""
    for cascade in CASCADES.values():
        mapped = judge_call(CALL, cascade)
        assert reread(cascade, CALL).rows == prefill(mapped.call, cascade).rows
