"""Example sentences: how they become turns, and when a phase alone is entered and passed."""

from __future__ import annotations

import pytest

from catalogs.core.document import Document
from review.core.rehearsal.alone import PhaseAlone
from review.core.rehearsal.dialogue import NotADialogueError, dialogue, labels_of
from tests.unit.review.rehearsal.small import small

DOCUMENT = small()
LABELS = labels_of(DOCUMENT)


def test_turns_have_the_roles_of_their_labels() -> None:
    call = dialogue("Agent: Is it covered? Plan: It is, note the time: noon. Rep: Yes.", LABELS)
    assert [(turn.number, turn.role, turn.text) for turn in call.turns] == [
        (1, "agent", "Is it covered?"),
        (2, "rep", "It is, note the time: noon."),
        (3, "rep", "Yes."),
    ]
    assert [(turn.start_ms, turn.end_ms) for turn in call.turns][1] == (5000, 9000)
    assert call.ended is True


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It is covered.", "starts with no speaker"),
        ("", "starts with no speaker"),
        ("Well. Agent: It is covered.", "starts with no speaker"),
        ("Agnet: It is covered.", "'Agnet' with a colon reads as a speaker"),
        ("Agent: Mind this. Note: it is covered.", "'Note' with a colon"),
    ],
)
def test_what_is_no_dialogue_is_refused(text: str, said: str) -> None:
    with pytest.raises(NotADialogueError, match="Agent, Plan, Rep"):
        dialogue(text, LABELS)
    with pytest.raises(NotADialogueError) as refusal:
        dialogue(text, LABELS)
    assert said in str(refusal.value)


def outcome(document: Document, phase: str, text: str) -> tuple[bool, bool]:
    alone = PhaseAlone(document, document.phase(phase))
    call = dialogue(text, LABELS)
    return alone.entered(call), alone.passes(call)


@pytest.mark.parametrize(
    ("phase", "text", "entered", "passes"),
    [
        ("ID", "Agent: Your birth date?", True, False),
        ("ID", "Agent: Your birth date? Rep: Born in May. Rep: Found.", True, True),
        ("ID", "Rep: Born in May. Rep: Found.", False, True),
        ("ID", "Rep: Your birth date?", False, False),
        ("PAY", "Agent: Forty dollars.", False, True),
        ("TELL", "Agent: Your benefits.", True, False),
    ],
)
def test_a_phase_alone(phase: str, text: str, entered: bool, passes: bool) -> None:
    assert outcome(DOCUMENT, phase, text) == (entered, passes)


def test_a_phase_without_starts_is_entered_by_its_evidence() -> None:
    document = small(("    starts: [{re: 'benefits', by: [agent, rep]}]\n", ""))
    assert outcome(document, "TELL", "Agent: It is covered.") == (True, True)


def test_what_is_contradicted_does_not_pass() -> None:
    later = "    counterexamples: [A question.]\n    contradicts: [{re: 'sorry', by: [agent]}]\n"
    document = small(("    counterexamples: [A question.]\n", later))
    assert outcome(document, "TELL", "Agent: It is covered. Agent: No, sorry.") == (False, False)


def test_a_limit_in_seconds_is_tried_too() -> None:
    limit = "[{re: 'covered', by: [agent], within_seconds: 6}]"
    document = small(("[{re: 'covered', by: [agent]}]", limit))
    assert outcome(document, "TELL", "Rep: So? Agent: It is covered.")[1]
    assert not outcome(document, "TELL", "Rep: So? Rep: Now? Agent: It is covered.")[1]
