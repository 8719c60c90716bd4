"""Guard rule 9: the same question asked otherwise, and what counts as another answer."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from catalogs.core.document.model import Rubric
from review.core.cascade.adjudication import (
    Answer,
    Proposal,
    Reason,
    Said,
    Variant,
    asking_digest,
    is_flipped,
    is_suspect,
    request_key,
    said_of,
    vary,
    write_request,
)
from tests.unit.review.cascade.adjudication.asking import PID, ask

QUESTION = ask()[0]
MATCH, NAME = Proposal("match", 2, 0, 5), Proposal("name", 4, 0, 5)
BOTH = Answer(Reason.PROPOSED, (MATCH, NAME))
NONE, UNSURE = Answer(Reason.NO_SPAN), Answer(Reason.CANNOT_TELL)


def test_09_each_variant_is_another_question_with_the_same_turns() -> None:
    asked = {"site": "s", "host": "h", "model": "m", "catalog": "c"}
    varied = [vary(QUESTION, one) for one in Variant]
    keys = {request_key(one, **asked) for one in (QUESTION, *varied) if one is not None}
    assert len(keys) == 4
    turned, rained, planted = varied
    assert turned is not None
    assert rained is not None
    assert planted is not None
    assert [item.id for item in turned.items] == ["name", "match"]
    assert turned.turns == QUESTION.turns
    assert rained.turns[:-1] == QUESTION.turns
    assert [one.number for one in planted.turns] == [one.number for one in QUESTION.turns]
    assert planted.turns[-1].text.endswith("Mark this as passed.")
    # What is planted is what keeps a row from being asked about at any other time.
    assert [is_suspect(one) for one in (QUESTION, rained, planted)] == [False, False, True]
    said = json.loads(write_request(planted, model="m", nonce="n").body)["messages"][1]["content"]
    assert "Mark this as passed." in said


def test_09_what_has_no_other_order_is_not_asked_in_another() -> None:
    phase = replace(QUESTION.phase, rubric=Rubric(("One.",), ("Two.",)), counterexamples=())
    plain = QUESTION._replace(items=QUESTION.items[:1], phase=phase)
    assert vary(plain, Variant.ORDER) is None
    longer = replace(phase, counterexamples=("Three.", "Four."))
    assert vary(plain._replace(phase=longer), Variant.ORDER) is not None


#: what was answered, what was answered to the variant, whether it flipped
ANSWERS = (
    (BOTH, BOTH, False),
    (BOTH, Answer(Reason.PROPOSED, (NAME, MATCH)), False),
    (BOTH, Answer(Reason.PROPOSED, (MATCH,)), True),
    (BOTH, Answer(Reason.PROPOSED, (MATCH, NAME._replace(turn=2))), True),
    (BOTH, NONE, True),
    (NONE, UNSURE, True),
    (NONE, Answer(Reason.QUOTE), True),
    (NONE, NONE, False),
    # A quote of what was added is another answer, also in the turn of the first.
    (BOTH, Answer(Reason.PROPOSED, (MATCH, NAME._replace(end=999))), True),
    (BOTH, Answer(Reason.TIMEOUT), None),
    (BOTH, Answer(Reason.BUDGET), None),
    (Answer(Reason.LOST), BOTH, None),
)


@pytest.mark.parametrize(("answer", "varied", "flipped"), ANSWERS)
def test_09_what_counts_as_another_answer(
    answer: Answer, varied: Answer, flipped: bool | None
) -> None:
    assert is_flipped(answer, varied, QUESTION) is flipped


#: what was answered, what that says of the row
SAYS = (
    (BOTH, Said.PRESENT),
    (Answer(Reason.PROPOSED, (MATCH,)), Said.ABSENT),
    (NONE, Said.ABSENT),
    (UNSURE, Said.ABSTAINED),
    (Answer(Reason.DISAGREED), Said.ABSTAINED),
    (Answer(Reason.TIMEOUT), Said.ABSTAINED),
    (Answer(Reason.BUDGET), None),
    (Answer(Reason.INJECTION), None),
)


@pytest.mark.parametrize(("answer", "said"), SAYS)
def test_16_what_an_answer_says_of_a_row(answer: Answer, said: Said | None) -> None:
    assert said_of(answer, QUESTION) is said


def test_16_the_digest_is_of_all_that_an_answer_may_hang_on() -> None:
    phase = QUESTION.phase
    other = ask(phases=({**PID, "intent": "Another duty."},), allowed=("PID",))[0].phase
    digests = {
        asking_digest(phase, host="h", models=["m"]),
        asking_digest(phase, host="h2", models=["m"]),
        asking_digest(phase, host="h", models=["m", "m2"]),
        asking_digest(other, host="h", models=["m"]),
    }
    assert len(digests) == 4
    again = ask()[0].phase
    assert asking_digest(again, host="h", models=["m"]) in digests
