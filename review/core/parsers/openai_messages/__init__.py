"""Reader of OpenAI-style messages: a list, ``{"messages"}``, tau-bench trajectories, JSONL,
few-shot displays.

Turns are numbered 1, 2, 3, … over everything in sequence: utterances, tool calls and tool results.
An utterance that carries tool calls comes first, its calls after it. There are no times. System
prompts and hidden reasoning are no turns; that they were dropped is reported. Roles are the message
roles until a person confirms a map.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from catalogs.core.findings import Finding, Severity, error
from review.core.parsers.openai_messages.conversations import (
    LIST_KEYS,
    Conversation,
    find_conversations,
    is_foreign,
    is_message,
)
from review.core.parsers.openai_messages.display import read_display
from review.core.transcript import (
    Call,
    CallFindings,
    Records,
    RefusedInput,
    Source,
    Speaker,
    TurnKind,
    call_digest,
    finish_call,
    read_records,
    refuse_too_many_calls,
    refuse_unstorable,
)
from review.core.transcript.acts import acts_of, play
from review.core.transcript.drafting import CONTROL_TOKEN, Draft

NAME = "openai-messages"
TITLE = "OpenAI messages, tau-bench"

_LABELS = {"user": "User", "assistant": "Assistant", "tool": "Tool"}


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0]) and not is_foreign(head)
    if not isinstance(head, Mapping):
        return False
    if isinstance(head.get("messages_display"), str):
        return True
    for key in LIST_KEYS:
        messages = head.get(key)
        if isinstance(messages, list) and messages:
            return is_message(messages[0]) and not is_foreign(messages)
    return is_message(head)


def parse(
    data: bytes, *, name: str, read: Records | None = None
) -> tuple[tuple[Call, ...], tuple[Finding, ...]]:
    """Read every conversation of a file. A refused one gives an error finding and stops no other.
    Never raises.
    """
    records, findings = read or read_records(data, name=name)
    listed = list(find_conversations([(record.where, record.value) for record in records], name))
    try:
        refuse_too_many_calls(len(listed), where=name)
    except RefusedInput as refusal:
        return (), (*findings, refusal.finding)
    calls: list[Call] = []
    gathered = list(findings)
    is_cut = any(record.line for record in records) and len(listed) == 1 and _has_errors(findings)
    for one in listed:
        digest = hashlib.sha256(data).hexdigest() if len(listed) == 1 else call_digest(one.raw)
        try:
            call, found = _read_conversation(one, digest, is_cut=is_cut)
        except RefusedInput as refusal:
            gathered.append(refusal.finding)
            continue
        calls.append(call)
        gathered.extend(found.findings)
    if records and not listed:
        gathered.append(
            error(
                "no_calls", name, "The file holds no messages. Send a list of messages with roles."
            )
        )
    return tuple(calls), tuple(gathered)


def _has_errors(findings: tuple[Finding, ...]) -> bool:
    return any(finding.severity is Severity.ERROR for finding in findings)


def _read_conversation(
    one: Conversation, digest: str, *, is_cut: bool
) -> tuple[Call, CallFindings]:
    refuse_unstorable([one.identity, one.raw], where=one.where)
    found = CallFindings(f"{one.where}, {one.identity}")
    draft = Draft(found, frozenset(_LABELS), caller="assistant", tool="tool")
    if isinstance(one.messages, str):
        read_display(one.messages, draft)
    elif isinstance(one.messages, list):
        for k, message in enumerate(one.messages, 1):
            for act in acts_of(message, f"message {k}", found):
                play(act, draft)
    else:
        found.refuse(
            "no_turns", "", "There is no list of messages here; there is nothing to review."
        )
    if not draft.turns:
        found.refuse("no_turns", "", "None of the messages is a turn; there is nothing to review.")
    if is_cut:
        found.warn(
            "bad_line", "", "Messages on bad lines are missing from this call. Send them again."
        )
    _observe_rest(one, draft)
    speakers = dict.fromkeys(turn.speaker for turn in draft.turns if turn.speaker in _LABELS)
    call = Call(
        id=one.identity,
        title=one.identity,
        attributes={},
        speakers={key: Speaker(key, key, _LABELS[key]) for key in speakers},
        turns=tuple(draft.turns),
        events=draft.events(),
        ended=True,
        source=Source(NAME, one.identity, digest),
    )
    return finish_call(call, found), found


def _observe_rest(one: Conversation, draft: Draft) -> None:
    found = draft.found
    for turn in draft.turns:
        token = CONTROL_TOKEN.search(turn.text) if turn.kind is TurnKind.SPEECH else None
        if token:
            text = (
                f"Turn {turn.number} holds the control token {token.group()[:40]}; it is kept as "
                "it is and was not said."
            )
            found.note("control_token", f"turn {turn.number}", text, turn=turn.number)
    found.note("no_times", "", "The source has no times; rules on seconds stay unknown.")
    found.note(
        "end_assumed", "", "The source does not say whether the call ended; it counts as ended."
    )
    if isinstance(one.raw, Mapping):
        unread = sorted(key[:40] for key in one.raw.keys() - _READ_KEYS)
        if unread:
            found.note(
                "fields_not_read",
                "",
                f"Not part of the call and not read: {', '.join(unread[:10])}.",
            )


_READ_KEYS = frozenset(
    {"messages", "traj", "messages_display", "id", "conversation_id", "task_id", "trial"}
)
