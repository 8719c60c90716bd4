"""Reader of Genesys Cloud transcripts (``transcripts[].phrases``).

The purpose of a phrase is internal or external. Internal is the menu and the agent alike: where
only one internal participant was there at the time, it is that one; else it stays "internal" and is
marked. Several transcripts are legs of one call, put in the order of their starts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.drafting import About, Draft
from review.core.transcript.json_files import (
    Origin,
    Read,
    at_path,
    label_of,
    object_of,
    objects_in,
    read_json_calls,
    text_in,
)
from review.core.transcript.moments import Moment, epoch_of, scaled, since, utc_text
from review.core.transcript.speech import Segment, say_segments

NAME = "genesys"
TITLE = "Genesys Cloud"

_MS = "0.001"
_OUTSIDE = ("customer", "external")
# Each phrase asks who was there.
_MOST_PEOPLE = 100


class _Person(NamedTuple):
    purpose: str
    first: Moment | None
    last: Moment | None

    def was_there(self, at: Moment | None) -> bool:
        """Say whether this one may have spoken at a moment; True where nothing says when."""
        if at is None:
            return True
        is_before = self.first is not None and at.seconds < self.first.seconds
        return not is_before and not (self.last is not None and at.seconds >= self.last.seconds)


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    return at_path(head, "transcripts", 0, "phrases", 0, "participantPurpose") is not None


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every transcript of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(
        at_path(value, "communicationId") or at_path(value, "conversationId")
    )
    raw = object_of(value, found)
    draft = Draft(found)
    zero = epoch_of(raw.get("conversationStartTime")) or epoch_of(raw.get("startTime"))
    legs = objects_in(raw, "transcripts", found=found)
    if len(legs) > 1:
        text = f"The file has {len(legs)} transcripts, read as legs of one call. Check their order."
        found.warn("several_legs", "transcripts", text)
    segments = [one for k, leg in enumerate(legs) for one in _segments(raw, leg, k, zero, found)]
    say_segments(segments, draft)
    for turn in draft.turns:
        if turn.speaker == "internal":
            text = (
                f"Turn {turn.number} is of a menu or of the agent: both were there. Say who speaks."
            )
            found.warn("role_collapsed", f"turn {turn.number}", text, turn=turn.number)
    source = origin.source(NAME, identity)
    return draft.finish(About(source=source, started_at=utc_text(zero))), found


def _segments(
    raw: Mapping[str, Any],
    leg: Mapping[str, Any],
    track: int,
    zero: Moment | None,
    found: CallFindings,
) -> Iterator[Segment]:
    people = _inside(objects_in(raw, "participants", found=found)[:_MOST_PEOPLE])
    for phrase in objects_in(leg, "phrases", found=found):
        at = epoch_of(phrase.get("startTimeMs"))
        start = since(zero, at)
        if start is None:
            start = scaled(at_path(phrase, "offset", "milliseconds"), _MS)
        length = scaled(at_path(phrase, "duration", "milliseconds"), _MS)
        yield Segment(
            _who(phrase, at, people),
            text_in(phrase, "decoratedText", "text"),
            start,
            _sum(start, length),
            track=track,
        )


def _inside(participants: list[Mapping[str, Any]]) -> list[_Person]:
    """Return who is on the agent's side, and from when to when."""
    return [
        _Person(
            label_of(one.get("participantPurpose")),
            epoch_of(one.get("startTimeMs")),
            epoch_of(one.get("endTimeMs")),
        )
        for one in participants
        if one.get("participantPurpose") not in _OUTSIDE
    ]


def _who(phrase: Mapping[str, Any], at: Moment | None, people: list[_Person]) -> str:
    purpose = label_of(phrase.get("participantPurpose"))
    if purpose != "internal":
        return purpose
    inside = {one.purpose for one in people if one.was_there(at)}
    return inside.pop() if len(inside) == 1 else purpose


def _sum(start: Decimal | None, length: Decimal | None) -> Decimal | None:
    return None if start is None or length is None else start + length
