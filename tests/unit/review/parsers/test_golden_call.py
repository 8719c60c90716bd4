"""One call in every format: the same words, roles and order, and each event after its words."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from review.core.parsers import parse_calls
from review.core.transcript import Call, EventSource, TurnKind, apply_role_map
from tests.unit.review.parsers.call_files import SHARED, golden_bytes

pytestmark = pytest.mark.skipif(
    not SHARED.exists(), reason="the shared folder is not beside the repository"
)

NAMES = {"IVR": "ivr", "Dana (payer representative)": "rep", "Ava (AI agent)": "agent"}
#: Formats whose "user" is whoever is on the other side: the menu and the representative.
OTHER_SIDE = {"user": "rep", "assistant": "agent", "bot": "agent"}


@dataclass(frozen=True)
class Row:
    """A file, its format, the roles a person gives to its labels, and what it carries."""

    file: str
    form: str
    roles: dict[str, str]
    #: Roles that share a label with another one in this format.
    shared: dict[str, str] = field(default_factory=dict)
    times: str = "start and end"
    events: str = ""
    lost: int = 0
    #: How late the file starts to count: at the first words, where nothing says when a call began.
    zero_ms: int = 0


def heard(file: str, form: str, prefix: str, *labels: str) -> Row:
    """Return the row of a file whose speakers are what a machine made of agent, rep and menu."""
    return Row(file, form, {f"{prefix}{k}": r for k, r in zip(labels, SPOKEN, strict=True)})


SPOKEN = ("agent", "rep", "ivr")
ROWS = [
    Row("retell_call.json", "retell", {"user": "rep"}, {"ivr": "rep"}, events="tools and keys"),
    Row("vapi_end_of_call_report.json", "vapi", OTHER_SIDE, {"ivr": "rep"}, events="tools"),
    Row("livekit_session_report.json", "livekit", OTHER_SIDE, {"ivr": "rep"}, events="tools"),
    Row(
        "anthropic_messages.json",
        "anthropic-messages",
        OTHER_SIDE,
        {"ivr": "rep"},
        times="",
        events="tools",
    ),
    Row("openai_chat.jsonl", "openai-messages", OTHER_SIDE, {"ivr": "rep"}, "", events="tools"),
    heard("deepgram.json", "deepgram", "speaker ", "0", "1", "2"),
    heard("aws_transcribe_speakers.json", "aws-transcribe", "spk_", "0", "1", "2"),
    Row(
        "aws_call_analytics.json",
        "aws-call-analytics",
        {"AGENT": "agent", "CUSTOMER": "rep"},
        {"ivr": "rep"},
    ),
    Row("contact_lens.json", "contact-lens", {"AGENT": "agent", "CUSTOMER": "rep"}, {"ivr": "rep"}),
    Row(
        "healthscribe_transcript.json",
        "aws-healthscribe",
        {"CLINICIAN_0": "agent", "PATIENT_0": "rep"},
        {"ivr": "rep"},
    ),
    heard("assemblyai.json", "assemblyai", "speaker ", "A", "B", "C"),
    heard("whisperx.json", "whisperx", "SPEAKER_", "00", "01", "02"),
    heard("google_stt_v1.json", "google-stt", "speaker ", "1", "2", "3"),
    heard("azure_batch.json", "azure-speech", "speaker ", "1", "2", "3"),
    Row(
        "twilio_sentences.json",
        "twilio-sentences",
        {"channel 1": "agent", "channel 2": "rep"},
        {"ivr": "rep"},
    ),
    Row(
        "genesys_transcript.json",
        "genesys",
        {"internal": "ivr", "agent": "agent", "external": "rep"},
    ),
    Row(
        "bland_call.json",
        "bland",
        OTHER_SIDE,
        {"ivr": "rep"},
        times="start",
        events="names of tools and keys",
    ),
    Row("two_tier.TextGrid", "textgrid", NAMES),
    # The last words of the other side are in no span: no model was asked about them.
    Row("otel_genai_otlp.json", "otel-genai", OTHER_SIDE, {"ivr": "rep"}, "", "tools", lost=1),
    Row("text_dialogs.vcon", "vcon", NAMES, events="tools, keys and screens", zero_ms=900),
    Row("teams.vtt", "webvtt", NAMES),
    Row("zoom.transcript.vtt", "webvtt", NAMES),
    Row("captions.srt", "srt", NAMES),
    Row("plain.txt", "plain-text", {"IVR": "ivr", "REP": "rep", "AGENT": "agent"}, times=""),
    Row("pipecat_turns.jsonl", "pipecat", OTHER_SIDE, {"ivr": "rep"}, times="start", zero_ms=900),
    Row("turns.csv", "csv", NAMES, events="tools, keys and screens"),
    Row("turns.xlsx", "xlsx", NAMES, events="tools, keys and screens"),
]


def expected() -> list[dict[str, Any]]:
    """Return the turns that every file must give, as far as its format carries them."""
    path = SHARED / "data" / "golden-benefits-call" / "expected_turns.json"
    turns: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["turns"]
    return turns


def read(row: Row) -> Call:
    """Read the file of a row as an import does, and give its labels their roles."""
    result = parse_calls(golden_bytes(row.file), name=row.file)
    assert (result.format, result.refused) == (row.form, ())
    (call,) = result.calls
    return apply_role_map(call, row.roles)


def test_every_file_of_the_folder_has_its_row() -> None:
    folder = SHARED / "data" / "golden-benefits-call"
    files = {path.name for path in folder.iterdir()} - {"SOURCE.md", "expected_turns.json"}
    assert {row.file for row in ROWS} == files
    assert len(ROWS) == len(files) == 27


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.file)
def test_every_file_gives_the_same_words_roles_order_and_times(row: Row) -> None:
    call = read(row)
    spoken = [turn for turn in expected() if turn["kind"] == "utterance"]
    wanted = spoken[: len(spoken) - row.lost]
    said = [turn for turn in call.turns if turn.kind in (TurnKind.SPEECH, TurnKind.IVR)]
    assert [(turn.role, turn.text) for turn in said] == [
        (row.shared.get(turn["role"], turn["role"]), turn["text"]) for turn in wanted
    ]
    has_ends = row.times == "start and end"
    starts = [turn["start_ms"] - row.zero_ms if row.times else None for turn in wanted]
    ends = [turn["end_ms"] - row.zero_ms if has_ends else None for turn in wanted]
    assert [turn.start_ms for turn in said] == starts
    assert [turn.end_ms for turn in said] == ends


def after_how_many_words(call: Call, number: int | None, at_ms: int | None) -> int:
    """Count the utterances in front of an event, by its turn or by its time."""
    return sum(
        turn.number < number if number is not None else (turn.start_ms or 0) < (at_ms or 0)
        for turn in call.turns
        if turn.kind in (TurnKind.SPEECH, TurnKind.IVR)
    )


@pytest.mark.parametrize("row", [row for row in ROWS if row.events], ids=lambda row: row.file)
def test_every_event_stands_after_the_right_words(row: Row) -> None:
    call = read(row)
    wanted, seen = [], 0
    names_only = row.events.startswith("names")
    for turn in expected():
        seen += turn["kind"] == "utterance"
        if turn["kind"] == "tool_event" and turn["phase"] == "call":
            wanted.append((turn["tool"], {} if names_only else turn["arguments"], seen))
        elif turn["kind"] == "ui_log" and (
            "screens" in row.events or (turn["event"] == "dtmf" and "keys" in row.events)
        ):
            wanted.append((turn["event"], turn["value"], seen))
        elif turn["kind"] == "ui_log" and names_only:
            wanted.append((turn["event"], {}, seen))
    found = sorted(
        (after_how_many_words(call, event.turn, event.at_ms), event.name, dict(event.args))
        for event in call.events
    )
    assert found == sorted((count, name, args) for name, args, count in wanted)


@pytest.mark.parametrize(
    "row", [row for row in ROWS if "tools" in row.events], ids=lambda row: row.file
)
def test_every_tool_call_has_its_answer_behind_the_same_words(row: Row) -> None:
    call = read(row)
    answered = [event for event in call.events if event.result is not None or event.result_turn]
    tools = [event for event in answered if event.source is EventSource.TOOL]
    assert [event.name for event in tools] == ["ehr_get_patient", "crm_update", "crm_update"]
    for event in tools:
        before = after_how_many_words(call, event.turn, event.at_ms)
        if event.result_turn is not None:
            assert after_how_many_words(call, event.result_turn, None) == before
    if not row.events.startswith("names"):
        assert [event.ok for event in tools] == [True] * 3
        assert tools[1].result == {"ok": True}
