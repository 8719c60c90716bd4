"""MediTOD dialogues: the source's own numbers and labels."""

from typing import Any

import pytest

from review.core.parsers import meditod, parse_calls
from tests.unit.review.parsers.call_files import codes, written


def an_utterance(uttr_id: object = 0, speaker: object = "doctor", text: object = "Hi.") -> Any:
    """Return one utterance as JSON."""
    return {"uttr_id": uttr_id, "speaker": speaker, "text": text, "keywords": []}


@pytest.mark.parametrize(
    ("value", "ids"),
    [
        ({"115": {"utterances": [an_utterance()]}}, ["115"]),
        ({"dlg_id": "RES1", "utterances": [an_utterance()]}, ["RES1"]),
        (
            {"a": {"utterances": [an_utterance()]}, "b": {"utterances": [an_utterance()]}},
            ["a", "b"],
        ),
        ([{"dlg_id": 7, "utterances": [an_utterance()]}], ["7"]),
    ],
)
def test_shapes(value: object, ids: list[str]) -> None:
    result = parse_calls(written(value), name="d.json")
    assert result.format == "meditod"
    assert [call.id for call in result.calls] == ids
    assert result.refused == ()


def test_numbers_and_labels_are_the_sources_own() -> None:
    lines = [an_utterance(0), an_utterance(1, "patient", "A cough.\r\n"), an_utterance(4)]
    (call,), findings = meditod.parse(written({"d": {"utterances": lines}}), name="d.json")
    assert [(t.number, t.speaker, t.role) for t in call.turns] == [
        (0, "doctor", "doctor"),
        (1, "patient", "patient"),
        (4, "doctor", "doctor"),
    ]
    assert call.turns[1].text == "A cough.\n"
    assert call.turns[0].start_ms is None
    assert call.ended is True
    assert codes(findings) == ["no_times", "end_assumed"]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([an_utterance(1), an_utterance(0)], "out_of_order"),
        ([an_utterance(0, "control")], "missing_speaker"),
        ([an_utterance(0, None)], "missing_speaker"),
        ([an_utterance(0, text=" ")], "empty_turn"),
    ],
)
def test_what_is_odd_is_reported(lines: list[Any], found: str) -> None:
    (call,), findings = meditod.parse(written({"d": {"utterances": lines}}), name="d.json")
    assert codes(findings)[0] == found
    assert [t.number for t in call.turns] == sorted(t.number for t in call.turns)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"d": {"utterances": [an_utterance(0), an_utterance(0)]}}, "duplicate_turn"),
        ({"d": {"utterances": [an_utterance(True)]}}, "bad_value"),
        ({"d": {"utterances": [an_utterance(None)]}}, "bad_value"),
        ({"d": {"utterances": [an_utterance(0, text=None)]}}, "bad_value"),
        ({"d": {"utterances": ["hello"]}}, "bad_value"),
        ({"d": {"utterances": []}}, "no_turns"),
        ({"d": 7}, "no_turns"),
        ({"utterances": [an_utterance()]}, "bad_value"),
        ({"d": {"utterances": [an_utterance(text="\ud83d")]}}, "lone_surrogate"),
        ({}, "no_calls"),
    ],
)
def test_what_is_no_dialogue_is_refused(value: object, code: str) -> None:
    calls, findings = meditod.parse(written(value), name="d.json")
    assert calls == ()
    assert codes(findings) == [code]


@pytest.mark.parametrize("value", [7, [], {}, {"utterances": []}, {"utterances": [{"text": "a"}]}])
def test_other_values_are_not_recognised(value: object) -> None:
    assert not meditod.recognise(value)
