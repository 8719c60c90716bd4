"""Traces of a language model: each step repeats the story so far; told once, in order.

A step that goes on from the story adds what is new. One that only brings the answer to a tool call
goes on from it as well. Any other history differs from what was told before: what it adds is kept,
and the call is marked (``history_rewritten``), because nothing says what the other side saw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from review.core.transcript.acts import Act, Answered, Called, Said, play
from review.core.transcript.drafting import Draft, parsed
from review.core.transcript.gathering import CallFindings
from review.core.transcript.storing import json_text

_Key = tuple[str, ...]

_LONGEST_WINDOW = 400


@dataclass(frozen=True, slots=True)
class Step:
    """What a model was given (the story so far, mostly) and what it gave back."""

    inputs: Sequence[Act]
    outputs: Sequence[Act]


def tell(steps: Iterable[Step], answers: Mapping[str, object], draft: Draft) -> None:
    """Add the story of some steps, in their order, to a draft.

    `answers` are what tools gave back, by the id of the call, where no message says it.
    """
    story = unfold(steps, draft.found)
    told = {str(act.call_id) for act in story if isinstance(act, Answered)}
    for act in story:
        play(act, draft)
        tie = act.call_id if isinstance(act, Called) else None
        if isinstance(tie, str) and tie in answers and tie not in told:
            play(Answered(answers[tie], tie), draft)


def unfold(steps: Iterable[Step], found: CallFindings) -> list[Act]:
    """Return the acts of all steps, each once."""
    story: list[Act] = []
    keys: list[_Key] = []
    is_rewritten = False
    for step in steps:
        acts = [*step.inputs, *step.outputs]
        theirs = [_key(act) for act in acts]
        shared = _shared(keys, theirs)
        if shared < len(keys) and shared < len(theirs):
            goes_on = not step.inputs or isinstance(step.inputs[0], Answered)
            is_rewritten = is_rewritten or not goes_on
            shared = max(shared, _overlap(keys, theirs))
        story += acts[shared:]
        keys += theirs[shared:]
    if is_rewritten:
        text = (
            "The steps of the trace do not repeat one history; what each adds was put in the order "
            "of the steps. Check what was said to whom."
        )
        found.warn("history_rewritten", "", text)
    return _with_answers(story)


def _with_answers(story: Sequence[Act]) -> list[Act]:
    """Return a story in which words of a speaker called like an open tool call are its answer."""
    told: list[Act] = []
    waiting: dict[str, object] = {}
    for act in story:
        if isinstance(act, Said) and act.speaker in waiting:
            act = Answered(act.text, waiting.pop(act.speaker))
        elif isinstance(act, Called) and isinstance(act.name, str):
            waiting[act.name] = act.call_id
        told.append(act)
    return told


def _shared(ours: Sequence[_Key], theirs: Sequence[_Key]) -> int:
    count = 0
    for one, other in zip(ours, theirs, strict=False):
        if one != other:
            break
        count += 1
    return count


def _overlap(ours: Sequence[_Key], theirs: Sequence[_Key]) -> int:
    """Return how much of theirs is the end of ours: a window that moves along the story."""
    for size in range(min(len(ours), len(theirs), _LONGEST_WINDOW), 0, -1):
        if list(ours[-size:]) == list(theirs[:size]):
            return size
    return 0


def _key(act: Act) -> _Key:
    """Return what makes two acts the same: ids are left out, one side may not have them."""
    match act:
        case Said(speaker, text):
            return ("said", speaker, text.strip())
        case Called(name, arguments, _):
            return ("called", str(name), _plain(arguments))
        case Answered(content, _, _):
            return ("answered", _plain(content))


def _plain(value: object) -> str:
    while isinstance(value, str) and value.lstrip()[:1] in ("{", "[", '"'):
        inner = parsed(value)
        if inner == value:
            break
        value = inner
    return value.strip() if isinstance(value, str) else json_text(value, in_order=True)
