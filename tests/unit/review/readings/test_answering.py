"""What a blind reader may say of a row; a refusal names the field."""

from __future__ import annotations

import json

import pytest

from review.core.readings import (
    Answer,
    EvidenceSpan,
    Refused,
    answer_from_json,
    answer_to_json,
    check_answer,
)
from review.core.rows import NEVER, UNKNOWN, Verdict

PASS, FAIL, OPEN = Verdict.PASS, Verdict.FAIL, Verdict.UNKNOWN
SHOWN = (EvidenceSpan("dob", 4, 0, 5),)
LENGTHS = {1: 50, 2: 50, 3: 50, 4: 20}

SENSIBLE = [
    Answer(True, 3, 4, PASS, SHOWN),
    Answer(True, 3, NEVER, FAIL),
    Answer(True, NEVER, NEVER, FAIL),
    Answer(None, UNKNOWN, UNKNOWN, OPEN),
    Answer(False, UNKNOWN, UNKNOWN, OPEN),
    Answer(True, 4, 4, PASS, SHOWN),
]


@pytest.mark.parametrize("answer", SENSIBLE)
def test_what_makes_sense_is_kept_and_read_back(answer: Answer) -> None:
    check_answer(answer, LENGTHS, ["dob"], ended=True)
    assert answer_from_json(json.loads(json.dumps(answer_to_json(answer)))) == answer


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        (Answer(True, 9, UNKNOWN, OPEN), "start"),
        (Answer(True, 1, 9, OPEN), "finish"),
        (Answer(True, 3, 2, OPEN), "finish"),
        (Answer(True, NEVER, 2, OPEN), "start"),
        (Answer(True, 3, NEVER, PASS, SHOWN), "finish"),
        (Answer(True, 3, 4, PASS), "verdict"),
        (Answer(True, 3, 4, FAIL), "finish"),
        (Answer(True, 3, 4, PASS, (EvidenceSpan("dob", 4, 10, 30),)), "words_dob"),
        (Answer(True, 3, 4, PASS, (EvidenceSpan("dob", 7, 0, 1),)), "words_dob"),
        (Answer(True, 3, 4, PASS, (EvidenceSpan("name", 4, 0, 5),)), ""),
    ],
)
def test_what_makes_no_sense_is_refused_at_its_field(answer: Answer, field: str) -> None:
    with pytest.raises(Refused) as refused:
        check_answer(answer, LENGTHS, ["dob"], ended=True)
    assert refused.value.field == field


def test_nothing_is_missing_for_ever_in_a_call_that_may_go_on() -> None:
    with pytest.raises(Refused, match="not known that the call has ended"):
        check_answer(Answer(True, NEVER, NEVER, FAIL), LENGTHS, ["dob"], ended=False)
