"""When a phase is owed, in words."""

from __future__ import annotations

import pytest

from catalogs.core.requirements import parse
from catalogs.presenters.requirements import (
    condition_words,
    duty_sentence,
    duty_words,
    items_words,
)
from tests.unit.catalogs.presenters.orders import shipped


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("DRC passed and not restrictions", "DRC has passed and restrictions is not true"),
        ("call.agent_kind = 'ai'", "call.agent_kind is ai"),
        ("call.agent_kind != 'ai'", "call.agent_kind is not ai"),
        ("call.jurisdiction in ('EU', 'US-CA')", "call.jurisdiction is one of EU, US-CA"),
        ("copay_usd >= 25", "copay_usd is at least 25"),
        ("call.first_contact = true", "call.first_contact is true"),
        ("BENEFITS started or ENROLL started", "BENEFITS has started or ENROLL has started"),
        ("not (PID passed)", "PID has not passed"),
        ("not PID required", "PID is not required"),
        ("a and (b or c)", "a is true and (b is true or c is true)"),
        ("not (a or b)", "it is not so that (a is true or b is true)"),
        ("true", "always"),
    ],
)
def test_a_condition_in_words(written: str, words: str) -> None:
    assert condition_words(parse(written)) == words


@pytest.mark.parametrize(
    ("catalog", "phase", "sentence", "short"),
    [
        ("benefits_verification", "PID", "Owed in every call.", "always"),
        (
            "benefits_verification",
            "DCC",
            "Owed when DRC has passed and restrictions is not true.",
            "if DRC passed and not restrictions",
        ),
        (
            "tpmo_medicare",
            "BENEFITS",
            "Never owed; where it is done, the order still holds for it.",
            "optional",
        ),
    ],
)
def test_a_duty(catalog: str, phase: str, sentence: str, short: str) -> None:
    found = shipped(catalog).phase(phase)
    assert (duty_sentence(found), duty_words(found)) == (sentence, short)


def test_a_phase_done_per_item_says_so() -> None:
    document = shipped("benefits_verification")
    assert items_words(document.phase("DFV")) == "per medications"
    assert items_words(document.phase("PID")) == ""
