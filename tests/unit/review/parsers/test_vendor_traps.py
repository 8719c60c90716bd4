"""What goes wrong in files of vendors, a row for each trap: what is read, what is said of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from review.core.parsers import parse_calls
from tests.unit.review.parsers.call_files import written

ALWAYS = {"no_times", "end_assumed", "role_unknown"}


@dataclass(frozen=True)
class Trap:
    """A small file, and the turns (speaker, words, start in ms) and codes it must give."""

    name: str
    form: str
    raw: object
    turns: list[tuple[str, str, int | None]]
    codes: set[str]
    ended: bool | None = True


def word(text: str, start: object, end: object, **more: object) -> dict[str, Any]:
    """Return a word with its times."""
    return {"word": text, "start": start, "end": end, **more}


def retell(*items: object, **more: object) -> dict[str, Any]:
    """Return a call of Retell."""
    return {"call_id": "c", "transcript_with_tool_calls": list(items), **more}


def said(role: str, text: str, start: float | None = None) -> dict[str, Any]:
    """Return an utterance of Retell."""
    words = [] if start is None else [word(text, start, start + 1)]
    return {"role": role, "content": text, "words": words}


def dg(utterances: object = None, channels: int = 1, words: object = ()) -> dict[str, Any]:
    """Return a result of Deepgram."""
    listed = [{"alternatives": [{"words": list(words)}]}]  # type: ignore[call-overload]
    body = {"channels": listed * channels, "utterances": utterances}
    return {"metadata": {"duration": 60}, "results": body}


def aws(text: str, start: str | None = None, speaker: str | None = None) -> dict[str, Any]:
    """Return an item of Transcribe; punctuation without a time."""
    item: dict[str, Any] = {"alternatives": [{"content": text}], "type": "pronunciation"}
    if start is None:
        return {**item, "type": "punctuation"}
    times = {"start_time": start, "end_time": str(float(start) + 0.5)}
    return {**item, **times, **({"speaker_label": speaker} if speaker else {})}


def transcribe(items: list[Any], **results: object) -> dict[str, Any]:
    """Return a result of Transcribe."""
    return {"jobName": "j", "results": {"transcripts": [], "items": items, **results}}


def phrase(text: str | None, channel: int = 0, **more: object) -> dict[str, Any]:
    """Return a phrase of Azure."""
    best = [] if text is None else [{"display": text}]
    return {"channel": channel, "nBest": best, **more}


def google(*results: tuple[str, list[Any]], **more: object) -> dict[str, Any]:
    """Return results of Google."""
    return {
        "results": [
            {"alternatives": [{"transcript": text, "words": words}], **more}
            for text, words in results
        ]
    }


def heard(text: str, start: str, tag: int = 0) -> dict[str, Any]:
    """Return a word of Google."""
    return {
        "word": text,
        "startTime": start,
        "endTime": start,
        **({"speakerTag": tag} if tag else {}),
    }


def genesys(*phrases: object, people: object = ()) -> dict[str, Any]:
    """Return a transcript of Genesys that starts at a second of 1970."""
    listed = list(people)  # type: ignore[call-overload]
    return {
        "conversationId": "c",
        "conversationStartTime": 1773065100000,
        "participants": listed,
        "transcripts": [{"phrases": list(phrases)}],
    }


def spoken(purpose: str, text: str, at: int) -> dict[str, Any]:
    """Return a phrase of Genesys that many seconds after the start."""
    return {
        "participantPurpose": purpose,
        "text": text.lower(),
        "decoratedText": text,
        "startTimeMs": 1773065100000 + at * 1000,
        "duration": {"milliseconds": 500},
    }


AGENT = {"participantPurpose": "agent", "startTimeMs": 1773065105000}
MENU = {"participantPurpose": "ivr", "endTimeMs": 1773065110000}
CALLER = {"participantPurpose": "customer"}

TRAPS = [
    Trap(
        "words without times",
        "retell",
        retell(said("agent", "Hi."), said("user", "Yes.", 2.5)),
        [("agent", "Hi.", None), ("user", "Yes.", 2500)],
        set(),
    ),
    Trap(
        "a change of node is an event",
        "retell",
        {"event": "call_ended", "call": retell({"role": "node_transition", "new_node_name": "b"})},
        [("", "new_node_name: b", None)],
        set(),
    ),
    Trap(
        "a call that was cut off",
        "retell",
        retell(said("agent", "Hi."), call_status="ended", disconnection_reason="error_llm"),
        [("agent", "Hi.", None)],
        {"cut_off"},
        ended=None,
    ),
    Trap(
        "a call that runs",
        "retell",
        retell(said("agent", "Hi."), call_status="ongoing"),
        [("agent", "Hi.", None)],
        set(),
        ended=False,
    ),
    Trap(
        "epoch seconds where milliseconds are documented",
        "vapi",
        {
            "artifact": {"messages": [{"role": "bot", "message": "Hi.", "time": 1773065101}]},
            "startedAt": "2026-03-09T14:05:00Z",
            "endedReason": "customer-ended-call",
        },
        [("bot", "Hi.", 1000)],
        set(),
    ),
    Trap(
        "words that a filter replaced",
        "vapi",
        {"artifact": {"messages": [{"role": "user", "message": "*", "originalMessage": "Seven."}]}},
        [("user", "Seven.", None)],
        set(),
    ),
    Trap(
        "when an item was made says nothing of when it was said",
        "livekit",
        {
            "chat_history": {
                "items": [
                    {"role": "assistant", "content": ["Hi."], "created_at": 1773065132},
                    {"role": "user", "content": ["Yes."], "created_at": 1773065131},
                    {"type": "agent_handoff", "new_agent_id": "b"},
                    {"role": "assistant", "content": ["And"], "interrupted": True},
                ]
            }
        },
        [
            ("assistant", "Hi.", None),
            ("user", "Yes.", None),
            ("", "new_agent_id: b", None),
            ("assistant", "And", None),
        ],
        {"text_not_spoken_possible"},
    ),
    Trap(
        "answers stand in front of the words of their message",
        "anthropic-messages",
        {
            "messages": [
                {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "x"}]},
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "And?"},
                        {"type": "tool_result", "tool_use_id": "a", "is_error": True},
                    ],
                },
            ]
        },
        [("", "", None), ("", "", None), ("user", "And?", None)],
        set(),
    ),
    Trap(
        "speakers that change inside of an utterance",
        "deepgram",
        dg(
            [
                {
                    "start": 1,
                    "end": 3,
                    "speaker": 0,
                    "transcript": "Hi. Yes.",
                    "words": [word("Hi.", 1, 2, speaker=0), word("Yes.", 2.5, 3, speaker=1)],
                }
            ]
        ),
        [("speaker 0", "Hi.", 1000), ("speaker 1", "Yes.", 2500)],
        {"mixed_speakers_in_segment"},
    ),
    Trap(
        "one channel after the other",
        "deepgram",
        dg(
            [
                {"start": 1, "end": 2, "channel": 0, "transcript": "Hi."},
                {"start": 5, "end": 6, "channel": 0, "transcript": "Bye."},
                {"start": 3, "end": 4, "channel": 1, "transcript": "Yes."},
            ],
            channels=2,
        ),
        [("channel 0", "Hi.", 1000), ("channel 1", "Yes.", 3000), ("channel 0", "Bye.", 5000)],
        {"resorted_by_time"},
    ),
    Trap(
        "words alone, nobody told apart",
        "deepgram",
        dg(words=[word("Hi", 1, 2), word("there", 2, 3)]),
        [("", "Hi there", 1000)],
        {"missing_speaker"},
    ),
    Trap(
        "speakers on the segments only",
        "aws-transcribe",
        transcribe(
            [aws("Hi", "1.0"), aws("."), aws("Yes", "2.0"), aws("."), aws("So", "3.0")],
            speaker_labels={
                "segments": [
                    {"speaker_label": "spk_0", "items": [{"start_time": "1.0"}]},
                    {"speaker_label": "spk_1", "items": [{"start_time": "2.0"}]},
                ]
            },
        ),
        [("spk_0", "Hi.", 1000), ("spk_1", "Yes.", 2000), ("", "So", 3000)],
        {"missing_speaker"},
    ),
    Trap(
        "channels in runs, not word by word",
        "aws-transcribe",
        transcribe(
            [],
            channel_labels={
                "channels": [
                    {
                        "channel_label": "ch_0",
                        "items": [aws("Hi", "1.0"), aws("."), aws("Bye", "4.0"), aws("now", "4.5")],
                    },
                    {
                        "channel_label": "ch_1",
                        "items": [aws("Yes", "2.0"), aws("."), aws("So", "3.0")],
                    },
                ]
            },
        ),
        [("ch_0", "Hi.", 1000), ("ch_1", "Yes. So", 2000), ("ch_0", "Bye now", 4000)],
        {"resorted_by_time"},
    ),
    Trap(
        "words hidden behind a mark",
        "contact-lens",
        {
            "Transcript": [
                {"ParticipantId": "AGENT", "Content": "[PII].", "BeginOffsetMillis": 0},
                {"ParticipantId": "CUSTOMER", "Content": "Yes.", "BeginOffsetMillis": 900},
            ]
        },
        [("AGENT", "[PII].", 0), ("CUSTOMER", "Yes.", 900)],
        {"redacted_text"},
    ),
    Trap(
        "no speaker labels asked for",
        "assemblyai",
        {
            "audio_duration": 3,
            "utterances": None,
            "words": [{"text": "Hi.", "start": 500, "end": 700}],
        },
        [("", "Hi.", 500)],
        {"missing_speaker"},
    ),
    Trap(
        "a word without a speaker is its segment's",
        "whisperx",
        {
            "segments": [
                {
                    "start": 1,
                    "end": 3,
                    "text": " Hi. 42",
                    "speaker": "S1",
                    "words": [word("Hi.", 1, 9, speaker="S1"), word("42", None, None)],
                },
                {"start": 4, "end": 5, "text": " Yes."},
            ]
        },
        [("S1", "Hi. 42", 1000), ("", "Yes.", 4000)],
        {"missing_speaker"},
    ),
    Trap(
        "the last result repeats every word",
        "google-stt",
        google(
            ("Hi.", [heard("Hi.", "1s")]),
            ("Yes.", [heard("Yes.", "2.5s")]),
            ("", [heard("Hi.", "1s", 1), heard("Yes.", "2.5s", 2)]),
        ),
        [("speaker 1", "Hi.", 1000), ("speaker 2", "Yes.", 2500)],
        set(),
    ),
    Trap(
        "a phrase without words, and three units",
        "azure-speech",
        {
            "recognizedPhrases": [
                phrase("Hi.", speaker=1, offset="PT1M0.5S"),
                phrase(None),
                phrase("Yes.", speaker=2, offsetInTicks=620000000),
                phrase("So.", speaker=1, offsetMilliseconds=63000),
            ]
        },
        [("speaker 1", "Hi.", 60500), ("speaker 2", "Yes.", 62000), ("speaker 1", "So.", 63000)],
        {"phrase_without_words"},
    ),
    Trap(
        "phrases sorted by channel",
        "azure-speech",
        {
            "recognizedPhrases": [
                phrase("Hi.", 0, offsetMilliseconds=1000),
                phrase("Bye.", 0, offsetMilliseconds=5000),
                phrase("Yes.", 1, offsetMilliseconds=3000),
            ]
        },
        [("channel 0", "Hi.", 1000), ("channel 1", "Yes.", 3000), ("channel 0", "Bye.", 5000)],
        {"resorted_by_time"},
    ),
    Trap(
        "one page of several",
        "twilio-sentences",
        {
            "meta": {"next_page_url": "https://example.org/2"},
            "sentences": [{"media_channel": 1, "transcript": "Hi.", "start_time": "1.50"}],
        },
        [("channel 1", "Hi.", 1500)],
        {"more_pages"},
    ),
    Trap(
        "internal is the one who was there",
        "genesys",
        genesys(
            spoken("internal", "Press 2.", 1),
            spoken("internal", "Hi or press 2?", 7),
            spoken("external", "Yes.", 12),
            spoken("internal", "Good.", 20),
            people=[AGENT, MENU, CALLER],
        ),
        [
            ("ivr", "Press 2.", 1000),
            ("internal", "Hi or press 2?", 7000),
            ("external", "Yes.", 12000),
            ("agent", "Good.", 20000),
        ],
        {"role_collapsed"},
    ),
    Trap(
        "actions are lines of text",
        "bland",
        {
            "concatenated_transcript": "",
            "completed": False,
            "transcripts": [
                {"user": "agent-action", "text": "Pressed Button: 2"},
                {"user": "agent-action", "text": "Something else"},
                {"user": "user", "text": "Hi."},
            ],
        },
        [("", "Pressed Button: 2", None), ("", "Something else", None), ("user", "Hi.", None)],
        set(),
        ended=False,
    ),
    Trap(
        "a user who calls a tool, and an answer with the id of its call",
        "tau2",
        {
            "simulations": [
                {
                    "id": "s",
                    "termination_reason": "max_steps",
                    "messages": [
                        {"role": "user", "tool_calls": [{"id": "a", "name": "x", "arguments": {}}]},
                        {"role": "tool", "id": "a", "content": "no", "error": True},
                        {"role": "user", "content": "Bye. ###STOP###"},
                    ],
                }
            ]
        },
        [("user", "", None), ("", "no", None), ("user", "Bye. ###STOP###", None)],
        {"cut_off", "control_token"},
        ended=None,
    ),
    Trap(
        "a button whose name is lost",
        "abcd",
        {"convo_id": 1, "original": [["agent", "Hi."], ["action", "Account found."]]},
        [("agent", "Hi.", None), ("", "Account found.", None)],
        {"call_without_name"},
    ),
    Trap(
        "a service stands in front of the words that tell of it",
        "sgd",
        {
            "dialogue_id": "d",
            "turns": [
                {
                    "speaker": "SYSTEM",
                    "utterance": "Booked.",
                    "frames": [{"service_call": {"method": "Book", "parameters": {"n": "2"}}}],
                }
            ],
        },
        [("", "n: 2", None), ("assistant", "Booked.", None)],
        {"call_without_result"},
    ),
    Trap(
        "channels whose clocks differ share one other",
        "harper-valley",
        [
            {
                "speaker_role": "agent",
                "start_ms": 1669,
                "human_transcript": "hello",
                "start_timestamp_ms": 1591056787005,
                "duration_ms": 900,
            },
            {
                "speaker_role": "caller",
                "start_ms": 400,
                "human_transcript": "[noise]",
                "start_timestamp_ms": 1591056788005,
                "duration_ms": 0,
            },
        ],
        [("agent", "hello", 0), ("caller", "[noise]", 1000)],
        {"non_speech"},
    ),
]


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: f"{trap.form}: {trap.name}")
def test_a_trap_is_read_as_it_must_be(trap: Trap) -> None:
    result = parse_calls(written(trap.raw), name="x.json")
    assert (result.format, result.refused) == (trap.form, ())
    (call,) = result.calls
    assert [(turn.speaker, turn.text, turn.start_ms) for turn in call.turns] == trap.turns
    assert {finding.code for finding in result.findings} - ALWAYS == trap.codes
    assert call.ended is trap.ended


def test_times_of_another_unit_are_refused() -> None:
    utterance = {"start": 40_000, "end": 41_000, "speaker": 0, "transcript": "Hi."}
    result = parse_calls(written(dg([utterance])), name="x.json")
    assert [finding.code for _, finding in result.refused] == ["unit_mismatch"]


def test_results_of_a_stream_count_once_they_are_final() -> None:
    def event(result_id: str, text: str, *, partial: bool) -> dict[str, Any]:
        result = {
            "ResultId": result_id,
            "IsPartial": partial,
            "StartTime": 1.5,
            "Alternatives": [{"Transcript": text}],
        }
        return {"TranscriptEvent": {"Transcript": {"Results": [result]}}}

    events = [
        event("a", "He", partial=True),
        event("a", "Hello.", partial=False),
        event("b", "And", partial=True),
    ]
    data = "\n".join(json.dumps(one) for one in events).encode()
    result = parse_calls(data, name="stream.jsonl")
    assert [turn.text for turn in result.calls[0].turns] == ["Hello."]
    codes = {finding.code for finding in result.findings}
    assert {"partial_results_dropped", "unfinished_partial_at_end"} <= codes


def test_a_failed_tool_is_no_evidence_of_what_it_should_do() -> None:
    items = [
        {"role": "tool_call_invocation", "tool_call_id": "a", "name": "x", "arguments": "{}"},
        {"role": "tool_call_result", "tool_call_id": "a", "content": "{}", "successful": False},
    ]
    (call,) = parse_calls(written(retell(*items)), name="x.json").calls
    assert [(event.name, event.ok) for event in call.events] == [("x", False)]
