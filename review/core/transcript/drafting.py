"""A call while it is read: what is said, tool calls and their answers, screen events, in sequence.

Turns are numbered from 1 over everything in sequence. A tool call and its answer are turns tied by
the id of the call; what happened on a screen or a keypad is a turn of kind `other` with an event.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from review.core.transcript.decoding import RefusedInput
from review.core.transcript.gathering import CallFindings
from review.core.transcript.model import Attribute, Call, Event, EventSource, Source, Turn, TurnKind
from review.core.transcript.pairing import ToolCall, ToolResult, pair_tool_events
from review.core.transcript.records import parse_json, refuse_unstorable
from review.core.transcript.storing import json_text
from review.core.transcript.timing import milliseconds, observe_times
from review.core.transcript.turns import finish_call, refuse_too_many_turns, stored_text
from review.core.transcript.voices import name_speakers

# What stands where words were taken out, and what stands for a sound.
_MARK = re.compile(r"\[[A-Z][A-Z_]{1,30}\]|\{\{[A-Z][A-Z_]{1,30}\}\}")
_SOUND = re.compile(r"[\[(<](?:noise|silence|music|laughter|inaudible|unin)/?[\])>]", re.IGNORECASE)
#: What frameworks write into the last words of a side to end a conversation.
CONTROL_TOKEN = re.compile(r"###[A-Z_]+###|<\|[a-z_]+\|>")
_CUT = ("error", "fail", "timed", "timeout", "exceeded", "max_", "inactivity", "dropped")


@dataclass(frozen=True, slots=True)
class About:
    """What a file says of its call beside the turns. `ended` "assumed": it does not say."""

    source: Source
    title: str | None = None
    started_at: str | None = None
    language: str | None = None
    ended: bool | str | None = "assumed"
    attributes: Mapping[str, Attribute] = field(default_factory=dict)


@dataclass(slots=True)
class Draft:
    """The turns of one call while they are read, with the tool calls, results and events among
    them.

    `stated` are the labels that are the source's own words for roles, `roles` such words by label;
    any other speaker has no role until a person says so. `names` are what people read for a label.
    `caller` and `tool` are the speakers of tool calls and of their answers, where the source has
    them.
    """

    found: CallFindings
    stated: frozenset[str] = frozenset()
    roles: Mapping[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    caller: str = ""
    tool: str = ""
    turns: list[Turn] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)
    screen: list[Event] = field(default_factory=list)

    @property
    def next_number(self) -> int:
        """The number of the turn that comes next."""
        return len(self.turns) + 1

    def say(
        self,
        speaker: str,
        text: str,
        *,
        start: object = None,
        end: object = None,
        kind: TurnKind = TurnKind.SPEECH,
    ) -> int:
        """Add a turn and return its number; times are seconds from the start of the call.

        Raises RefusedInput at a limit.
        """
        number = self.next_number
        first = milliseconds(start, place=f"turn {number}", found=self.found, turn=number)
        last = milliseconds(end, place=f"turn {number}", found=self.found, turn=number)
        if first is not None and last is not None and last < first:
            sentence = f"Turn {number} ends before it starts; its end was dropped."
            self.found.warn("negative_duration", f"turn {number}", sentence, turn=number)
            last = None
        stored = stored_text(text, number=number, kind=kind, found=self.found)
        role = speaker if speaker in self.stated else self.roles.get(speaker)
        self.turns.append(Turn(number, speaker, role, kind, stored, first, last))
        refuse_too_many_turns(self.turns, self.found)
        return number

    def call_tool(
        self, name: object, arguments: object, call_id: object, *, start: object = None
    ) -> int:
        """Add a tool call as a turn; arguments are an object or the JSON text of one."""
        text = arguments if isinstance(arguments, str) else _shown(arguments)
        number = self.say(self.caller, text, start=start, kind=TurnKind.TOOL_CALL)
        if not isinstance(name, str) or not name:
            name = ""
            self.report_nameless(number)
        args = self._arguments(arguments, number)
        tie = call_id if isinstance(call_id, str) else None
        self.calls.append(ToolCall(number, name, args, tie, self.turns[-1].start_ms))
        return number

    def answer(
        self, content: object, call_id: object, *, ok: bool | None = None, start: object = None
    ) -> int:
        """Add a tool's answer as a turn; a text that holds JSON counts as its value."""
        result = content
        if isinstance(content, str):
            text = content
            result = parsed(text) if text.lstrip()[:1] in ("{", "[") else text
        else:
            text = "" if content is None else json_text(content)
        number = self.say(self.tool, text, start=start, kind=TurnKind.TOOL_RESULT)
        tie = call_id if isinstance(call_id, str) else None
        self.results.append(ToolResult(number, result, tie, ok))
        return number

    def log(
        self, name: str, args: Mapping[str, object], *, text: str = "", start: object = None
    ) -> int:
        """Add what happened on a screen, a keypad or the line as a turn with an event."""
        number = self.say("", text or _shown(args), start=start, kind=TurnKind.OTHER)
        event_id = f"ui{len(self.screen) + 1:02d}"
        at_ms = self.turns[-1].start_ms
        self.screen.append(Event(event_id, EventSource.UI, name, args, turn=number, at_ms=at_ms))
        return number

    def events(self) -> tuple[Event, ...]:
        """Return one event for each tool call, with its answer, then those of the screen."""
        return (*pair_tool_events(self.calls, self.results, self.found), *self.screen)

    def report_nameless(self, number: int) -> None:
        """Report a tool call that has lost its name."""
        text = (
            f"The tool call at turn {number} has lost its name and arguments; no catalog can "
            "recognise it."
        )
        self.found.warn("call_without_name", f"turn {number}", text, turn=number)

    def finish(self, about: About, *, extra: tuple[Event, ...] = ()) -> Call:
        """Make the call; `extra` are events that stand at no turn. Raises RefusedInput for a call
        without turns.
        """
        found, turns = self.found, tuple(self.turns)
        if not turns:
            found.refuse("no_turns", "", "Nothing in it is a turn; there is nothing to review.")
        observe_times(turns, found)
        _note_marks(turns, found)
        if all(turn.start_ms is None for turn in turns):
            found.note("no_times", "", "The source has no times; rules on seconds stay unknown.")
        if about.ended == "assumed":
            text = "The source does not say whether the call ended; it counts as ended."
            found.note("end_assumed", "", text)
        speakers = name_speakers(turns, found)
        for key, name in self.names.items():
            if key in speakers:
                speakers[key] = replace(speakers[key], label=name)
        call = Call(
            id=about.source.external_id,
            title=about.title or about.source.external_id,
            attributes=about.attributes,
            speakers=speakers,
            turns=turns,
            events=(*self.events(), *extra),
            ended=True if about.ended == "assumed" else _flag(about.ended),
            source=about.source,
            started_at=about.started_at,
            language=about.language,
        )
        return finish_call(call, found)

    def _arguments(self, arguments: object, number: int) -> Mapping[str, object]:
        is_text = isinstance(arguments, str)
        value = parsed(arguments) if isinstance(arguments, str) and arguments.strip() else arguments
        if isinstance(value, Mapping):
            return value
        if not (value is None or (is_text and value == "")):
            text = (
                f"The arguments of the tool call at turn {number} are no JSON object; rules cannot "
                "test them."
            )
            self.found.warn("unparsable_arguments", f"turn {number}", text, turn=number)
        return {}


def parsed(text: str) -> object:
    """Return the JSON value a text holds, or the text itself if it holds none (or none that can be
    stored).
    """
    try:
        value, _ = parse_json(text, where="")
        refuse_unstorable(value, where="")
    except RefusedInput:
        return text
    return value


def ended_by(reason: object, found: CallFindings) -> bool | str | None:
    """Return whether a call ended, by the vendor's own reason: None where it was cut off.

    "assumed" where the vendor gives no reason.
    """
    if not isinstance(reason, str) or not reason:
        return "assumed"
    if any(word in reason.lower() for word in _CUT):
        text = f"The source says that the call stopped for {reason[:60]!r}: it may be cut off."
        found.note("cut_off", "", text)
        return None
    return True


def _note_marks(turns: Iterable[Turn], found: CallFindings) -> None:
    for turn in turns:
        if turn.kind is not TurnKind.SPEECH:
            continue
        place = f"turn {turn.number}"
        if turn.text and not _SOUND.sub("", turn.text).strip(" .,"):
            text = f"Turn {turn.number} holds sounds only. It is kept and proves nothing."
            found.note("non_speech", place, text, turn=turn.number)
        elif token := CONTROL_TOKEN.search(turn.text):
            text = (
                f"Turn {turn.number} holds the control token {token.group()[:40]}; it is kept as "
                "it is and was not said."
            )
            found.note("control_token", place, text, turn=turn.number)
        elif _MARK.search(turn.text):
            text = f"Words of turn {turn.number} are hidden behind a mark of redaction."
            found.note("redacted_text", place, text, turn=turn.number)


def _flag(ended: bool | str | None) -> bool | None:
    return ended if isinstance(ended, bool) else None


def _shown(arguments: object) -> str:
    if isinstance(arguments, Mapping):
        return ", ".join(f"{key}: {value}" for key, value in arguments.items())
    return "" if arguments is None else str(arguments)
