"""Reader of MediTOD dialogues: ``{dlg_id: {utterances}}``, ``{dlg_id, utterances}``, a list or
lines of the latter.

Turn numbers are the source's `uttr_id` (from 0). There are no times and no end mark. A speaker's
role is its own label (doctor, patient) until a person confirms a map to the roles of a catalog.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

from catalogs.core.findings import Finding, error
from review.core.transcript import (
    Call,
    CallFindings,
    Records,
    RefusedInput,
    Source,
    Speaker,
    Turn,
    TurnKind,
    call_digest,
    finish_call,
    read_records,
    refuse_too_many_calls,
    refuse_too_many_turns,
    refuse_unstorable,
    stored_text,
)

NAME = "meditod"
TITLE = "MediTOD dialogues"

# The labels the source documents; any other stays without a role.
_LABELS = ("doctor", "patient")


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    if not isinstance(head, Mapping):
        return False
    if "utterances" in head:
        return _has_numbered_utterances(head)
    return any(_has_numbered_utterances(value) for value in head.values())


def parse(
    data: bytes, *, name: str, read: Records | None = None
) -> tuple[tuple[Call, ...], tuple[Finding, ...]]:
    """Read every dialogue of a file. One that is refused gives an error finding and stops no other.
    Never raises.
    """
    records, findings = read or read_records(data, name=name)
    dialogues = [
        dialogue for record in records for dialogue in _dialogues_in(record.value, record.where)
    ]
    try:
        refuse_too_many_calls(len(dialogues), where=name)
    except RefusedInput as refusal:
        return (), (*findings, refusal.finding)
    calls: list[Call] = []
    gathered = list(findings)
    for where, identity, raw in dialogues:
        digest = hashlib.sha256(data).hexdigest() if len(dialogues) == 1 else call_digest(raw)
        try:
            call, found = _read_dialogue(raw, identity, where, digest)
        except RefusedInput as refusal:
            gathered.append(refusal.finding)
            continue
        calls.append(call)
        gathered.extend(found.findings)
    if records and not dialogues:
        sentence = "The file holds no dialogues. A dialogue has a list named utterances."
        gathered.append(error("no_calls", name, sentence))
    return tuple(calls), tuple(gathered)


def _has_numbered_utterances(value: object) -> bool:
    utterances = value.get("utterances") if isinstance(value, Mapping) else None
    if not isinstance(utterances, list) or not utterances:
        return False
    return isinstance(utterances[0], Mapping) and "uttr_id" in utterances[0]


def _dialogues_in(value: object, where: str) -> Iterator[tuple[str, str, object]]:
    if isinstance(value, list):
        for k, item in enumerate(value):
            yield from _dialogues_in(item, f"{where}, dialogues[{k}]")
    elif not isinstance(value, Mapping):
        yield where, "", value
    elif "utterances" in value:
        identity = value.get("dlg_id")
        yield where, str(identity) if isinstance(identity, (str, int)) else "", value
    else:
        for key, item in value.items():
            yield where, key, item


def _read_dialogue(
    raw: object, identity: str, where: str, digest: str
) -> tuple[Call, CallFindings]:
    found = CallFindings(f"{where}, {identity}" if identity.isprintable() else where)
    refuse_unstorable([identity, raw], where=where)
    utterances = raw.get("utterances") if isinstance(raw, Mapping) else None
    if not isinstance(utterances, list) or not utterances:
        found.refuse(
            "no_turns",
            "utterances",
            "The dialogue has no list of utterances; there is nothing to review.",
        )
    if not identity:
        found.refuse(
            "bad_value",
            "dlg_id",
            "The dialogue has no dlg_id. Name it; the id is part of its identity.",
        )
    refuse_too_many_turns(utterances, found)
    turns = _turns(utterances, found)
    found.note("no_times", "", "The source has no times; rules on seconds stay unknown.")
    found.note(
        "end_assumed", "", "The source does not say whether the call ended; it counts as ended."
    )
    labels = dict.fromkeys(turn.speaker for turn in turns if turn.speaker)
    call = Call(
        id=identity,
        title=f"Dialogue {identity}",
        attributes={},
        speakers={label: Speaker(label, _role(label), label.capitalize()) for label in labels},
        turns=turns,
        events=(),
        ended=True,
        source=Source(NAME, identity, digest),
    )
    return finish_call(call, found), found


def _turns(utterances: list[object], found: CallFindings) -> tuple[Turn, ...]:
    turns: dict[int, Turn] = {}
    highest = -1
    for k, item in enumerate(utterances):
        turn = _turn(item, k, found)
        place = f"turn {turn.number}"
        if turn.number in turns:
            found.refuse(
                "duplicate_turn",
                place,
                f"The uttr_id {turn.number} occurs twice. Number every turn once.",
            )
        if turn.number < highest:
            text = (
                f"Turn {turn.number} stands after turn {highest}. Turns were put in the order of "
                "their numbers; check it."
            )
            found.warn("out_of_order", place, text, turn=turn.number)
        highest = max(highest, turn.number)
        turns[turn.number] = turn
    return tuple(turns[number] for number in sorted(turns))


def _turn(item: object, k: int, found: CallFindings) -> Turn:
    place = f"utterances[{k}]"
    if not isinstance(item, Mapping):
        found.refuse(
            "bad_value", place, "An utterance must be an object with uttr_id, speaker and text."
        )
    number, text, label = item.get("uttr_id"), item.get("text"), item.get("speaker")
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 2**31:
        found.refuse("bad_value", place, "An utterance needs its uttr_id, a whole number from 0.")
    if not isinstance(text, str):
        found.refuse(
            "bad_value",
            place,
            f"Turn {number} needs a text; write an empty one where nothing was said.",
        )
    if not isinstance(label, str) or _role(label) is None:
        label = label if isinstance(label, str) else ""
        what = f"names the speaker {label[:40]!r}" if label else "has no speaker"
        sentence = f"Turn {number} {what}; only doctor and patient are known. Say who speaks."
        found.warn("missing_speaker", f"turn {number}", sentence, turn=number)
    stored = stored_text(text, number=number, kind=TurnKind.SPEECH, found=found)
    return Turn(number, label, _role(label), TurnKind.SPEECH, stored)


def _role(label: str) -> str | None:
    return label if label in _LABELS else None
