"""Real files, read where they lie: nothing crashes, everything is paired or reported."""

from collections import Counter
from pathlib import Path

import pytest

from review.core.parsers import ParseResult, parse_calls
from review.core.transcript import TurnKind, propose_role_map
from tests.unit.review.parsers.call_files import SHARED
from tests.unit.review.parsers.test_registry import check_call

pytestmark = pytest.mark.skipif(
    not SHARED.exists(), reason="the shared folder is not beside the repository"
)


PROVIDERS = "data/provider-json"


def read(relative: str) -> ParseResult:
    """Read a real file by its path under the shared folder."""
    path = SHARED / relative
    return parse_calls(path.read_bytes(), name=path.name)


@pytest.mark.parametrize(
    ("relative", "form", "calls", "turns"),
    [
        ("cases/case_drafts.json", "oip-call/1", 6, 87),
        ("data/meditod/dialog_115.json", "meditod", 1, 103),
        ("data/meditod/sample.json", "meditod", 1, 112),
        ("data/tau-bench/gpt-4o-airline.part.json", "openai-messages", 136, 3551),
        ("data/tau-bench/MockAirlineDomainEnv-few_shot.part.jsonl", "openai-messages", 12, 220),
        ("data/tau-bench/MockRetailDomainEnv-few_shot.part.jsonl", "openai-messages", 46, 1242),
        ("data/golden-benefits-call/openai_chat.jsonl", "openai-messages", 1, 24),
        (f"{PROVIDERS}/aws_call_analytics_example-call.json", "aws-call-analytics", 1, 37),
        (f"{PROVIDERS}/aws_transcribe_01-plain.json", "aws-transcribe", 1, 1),
        (
            f"{PROVIDERS}/aws_transcribe_03-speaker-identification.json",
            "aws-transcribe",
            1,
            7,
        ),
        (f"{PROVIDERS}/awsdocs_stream_event.json", "aws-transcribe", 1, 1),
        (f"{PROVIDERS}/awsdocs_contact_lens_call.json", "contact-lens", 1, 10),
        (f"{PROVIDERS}/azure_batch_transcriptSample.json", "azure-speech", 1, 3),
        (f"{PROVIDERS}/azure_conversation_customer_support.json", "azure-speech", 1, 17),
        (f"{PROVIDERS}/dg_utterances.json", "deepgram", 1, 6),
        # 22 utterances, three of which hold words of two speakers.
        (f"{PROVIDERS}/dg_speakers.json", "deepgram", 1, 25),
        (f"{PROVIDERS}/assemblyai_utterances.json", "assemblyai", 1, 1),
        (f"{PROVIDERS}/whisper_timestamped.json", "whisperx", 1, 4),
        (
            f"{PROVIDERS}/google_ccai_insights_readme_example.json.txt",
            "google-insights",
            1,
            14,
        ),
        ("data/abcd/abcd_sample.json", "abcd", 3, 72),
        ("data/sgd/dev_sample_12.json", "sgd", 12, 338),
        ("data/taskmaster/tm1_sample.json", "taskmaster", 1, 20),
        ("data/taskmaster/tm4_data_00_sample_14.json", "taskmaster", 14, 292),
        ("data/harper-valley/transcript_0002f70f7386445b.json", "harper-valley", 1, 18),
        ("data/vcon/mcp/sample.vcon", "vcon", 1, 2),
        ("data/vcon/mcp/01-siprec-billing-dispute.json", "vcon", 1, 11),
        ("data/vcon/ietf/ab_email_acct_prob_thread.vcon", "vcon", 1, 2),
        ("data/captions/praat/mary.TextGrid", "textgrid", 1, 18),
        ("data/llm-traces/langsmith/langsmith_py_wrap_openai_.json", "langsmith", 1, 2),
    ],
)
def test_real_files_are_read(relative: str, form: str, calls: int, turns: int) -> None:
    result = read(relative)
    assert result.format == form
    assert result.refused == ()
    assert len(result.calls) == calls
    assert sum(len(call.turns) for call in result.calls) == turns


def test_the_recorded_dialogue_keeps_the_sources_numbers() -> None:
    (call,) = read("data/meditod/dialog_115.json").calls
    assert [turn.number for turn in call.turns] == list(range(103))
    assert call.turns[2].text == "OK, could you tell me when the cough started?"
    roles, findings = propose_role_map(call, ["clinician", "patient"])
    assert roles == {"doctor": "clinician", "patient": "patient"}
    assert findings == ()


def test_every_tool_call_of_the_trajectories_is_paired() -> None:
    result = read("data/tau-bench/gpt-4o-airline.part.json")
    kinds = Counter(turn.kind for call in result.calls for turn in call.turns)
    events = [event for call in result.calls for event in call.events]
    assert kinds[TurnKind.TOOL_CALL] == kinds[TurnKind.TOOL_RESULT] == len(events) == 784
    assert kinds[TurnKind.SPEECH] == 1030 + 894 + 59
    assert all(event.result_turn == (event.turn or 0) + 1 for event in events)
    failed = [event for event in events if event.ok is False]
    assert failed
    assert all(str(event.result).startswith("Error") for event in failed)
    assert len({call.id for call in result.calls}) == 136


def test_displays_report_each_call_without_a_name() -> None:
    for part in ("Airline", "Retail"):
        result = read(f"data/tau-bench/Mock{part}DomainEnv-few_shot.part.jsonl")
        nameless = sum(not event.name for call in result.calls for event in call.events)
        assert nameless == sum(f.code == "call_without_name" for f in result.findings) > 0


FILES = [path for path in sorted((SHARED / "data").rglob("*")) if path.is_file()]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_real_file_makes_a_reader_raise(path: Path) -> None:
    result = parse_calls(path.read_bytes(), name=path.name)
    assert result.calls or result.refused
    for call in result.calls:
        check_call(call)
