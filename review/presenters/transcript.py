"""The transcript: one line per turn with its marks, its words cut at evidence, and its events."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from unicodedata import bidirectional

from review.core.evaluation import RowReport
from review.core.evidence.placing import Timeline
from review.core.evidence.spans import whole_words
from review.core.transcript import Call, Event, Turn, TurnKind
from review.presenters.events import EventLine, event_line
from review.presenters.places import anchor_of
from review.presenters.segments import MaskedSpan, Segment, Span, cut

#: The side whose conduct is judged, by the roles our catalogs use: its turns are set in accent.
AUDITED_ROLES = frozenset({"agent", "clinician", "nurse", "collector"})

_KIND_WORDS = {
    TurnKind.IVR: "phone menu",
    TurnKind.HOLD: "hold",
    TurnKind.TOOL_CALL: "tool call",
    TurnKind.TOOL_RESULT: "tool result",
    TurnKind.OTHER: "not speech",
}
_WIDE_ID = 6


@dataclass(frozen=True, slots=True)
class GutterMark:
    """Where a phase starts (▲), finishes (■) or shows an acceptance item (•)."""

    signs: str
    phase: str
    hue: int
    spoken: str


@dataclass(frozen=True, slots=True)
class TurnLine:
    """One turn. `speaker` is empty where the role says who it is; `quiet` is not speech; a `focal`
    turn is in view when the page comes; words of `any_direction` may run from right to left;
    `doubts` are codes of findings about the turn. `time` stands where a new minute begins. `words`
    are there where a turn has nothing but its role and them: most have, and are drawn faster.
    """

    number: int
    anchor: str
    time: str
    role: str
    speaker: str
    audited: bool
    unmapped: bool
    quiet: str
    focal: bool
    any_direction: bool
    marks: tuple[GutterMark, ...]
    segments: tuple[Segment, ...]
    events: tuple[EventLine, ...]
    doubts: tuple[str, ...]

    @property
    def words(self) -> str:
        """The words of a turn that has nothing else to show."""
        has_more = self.marks or self.events or self.doubts or self.time or self.speaker
        if has_more or self.unmapped or self.any_direction or len(self.segments) != 1:
            return ""
        [only] = self.segments
        return "" if only.hue or only.masked else only.text

    @property
    def classes(self) -> str:
        """The names that its looks go by; most turns have none or one."""
        looks = (
            ("audited", self.audited),
            ("unmapped", self.unmapped),
            ("quiet", self.quiet),
            ("focal", self.focal),
        )
        return " ".join(name for name, holds in looks if holds)


@dataclass(frozen=True, slots=True)
class SpeakerLine:
    """Who speaks in a role."""

    role: str
    label: str


@dataclass(frozen=True, slots=True)
class Transcript:
    """All turns. `wide` makes room for long phase ids; `unplaced` are events of no turn."""

    lines: tuple[TurnLine, ...]
    speakers: tuple[SpeakerLine, ...]
    unplaced: tuple[EventLine, ...]
    wide: bool


def show_transcript(
    call: Call,
    rows: Sequence[RowReport],
    hues: Mapping[str, int],
    *,
    focal: int | None = None,
    masks: Mapping[int, Sequence[MaskedSpan]] | None = None,
) -> Transcript:
    """Draw a call's turns with what its rows rest on; `masks` say by turn what is masked."""
    masks = masks or {}
    marks = _marks(rows, hues)
    spans = _spans(rows)
    shown_by = _shown_by(rows)
    by_turn, unplaced = _events_by_turn(call)
    wide = any(len(row.phase) > _WIDE_ID for row in rows)
    shared = _shared_roles(call)
    times = _times(call)

    def line(turn: Turn) -> TurnLine:
        return TurnLine(
            number=turn.number,
            anchor=anchor_of(turn.number),
            time=times.get(turn.number, ""),
            role=_role(call, turn),
            speaker=_label(call, turn) if turn.role in shared else "",
            audited=turn.role in AUDITED_ROLES,
            unmapped=turn.role is None and turn.kind is TurnKind.SPEECH,
            quiet=_KIND_WORDS.get(turn.kind, ""),
            focal=turn.number == focal,
            any_direction=_may_run_left(turn.text),
            marks=marks.get(turn.number, ()),
            segments=_cut(
                turn, spans.get(turn.number, ()), hues, masks.get(turn.number, ()), wide=wide
            ),
            events=tuple(
                event_line(event, shown_by.get(event.id, ()), hues)
                for event in by_turn.get(turn.number, ())
            ),
            doubts=tuple(code.replace("_", " ") for code in turn.flags),
        )

    return Transcript(
        lines=tuple(line(turn) for turn in call.turns),
        speakers=tuple(
            SpeakerLine(_words(speaker.role or "no role"), speaker.label)
            for speaker in call.speakers.values()
        ),
        unplaced=tuple(event_line(event, shown_by.get(event.id, ()), hues) for event in unplaced),
        wide=wide,
    )


def _cut(
    turn: Turn,
    spans: Sequence[Span],
    hues: Mapping[str, int],
    masks: Sequence[MaskedSpan],
    *,
    wide: bool,
) -> tuple[Segment, ...]:
    """Cut a turn's text; a long id is not repeated where the gutter says it of the whole turn."""
    if not spans and not masks:
        return (Segment(turn.text),) if turn.text else ()
    whole = [Span(span.phase, *whole_words(turn.text, span.start, span.end)) for span in spans]
    segments = cut(turn.text, whole, hues, masks)
    if wide and len({span.phase for span in spans}) == 1:
        return tuple(replace(segment, letters=()) for segment in segments)
    return segments


def _may_run_left(text: str) -> bool:
    """Say whether a letter is of a script that runs from right to left."""
    return not text.isascii() and any(bidirectional(char) in ("R", "AL") for char in text)


def clock(at_ms: int | None) -> str:
    """Write a time from the start of the call.

    >>> clock(62_900), clock(3_600_000), clock(None)
    ('1:02', '1:00:00', '')
    """
    if at_ms is None:
        return ""
    minutes, seconds = divmod(at_ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _times(call: Call) -> Mapping[int, str]:
    """Return the times of the turns in which a new minute begins."""
    found: dict[int, str] = {}
    minute = None
    for turn in call.turns:
        if turn.start_ms is not None and turn.start_ms // 60_000 != minute:
            minute = turn.start_ms // 60_000
            found[turn.number] = clock(turn.start_ms)
    return found


def _label(call: Call, turn: Turn) -> str:
    speaker = call.speakers.get(turn.speaker)
    return speaker.label if speaker else turn.speaker


def _shared_roles(call: Call) -> frozenset[str]:
    """Return the roles that more than one speaker has."""
    roles = Counter(speaker.role for speaker in call.speakers.values())
    return frozenset(role for role, number in roles.items() if role is not None and number > 1)


def _role(call: Call, turn: Turn) -> str:
    return _words(turn.role) if turn.role else _label(call, turn)


def _words(role: str) -> str:
    return role.replace("_", " ")


def _marks(
    rows: Sequence[RowReport], hues: Mapping[str, int]
) -> Mapping[int, tuple[GutterMark, ...]]:
    found: dict[int, list[GutterMark]] = defaultdict(list)
    for row in rows:
        signs: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for turn, sign, word in _row_marks(row):
            signs[turn].append((sign, word))
        for turn, pairs in signs.items():
            spoken = f"{row.phase} " + " and ".join(word for _, word in pairs)
            joined = "".join(sign for sign, _ in pairs)
            found[turn].append(GutterMark(joined, row.phase, hues[row.phase], spoken))
    return {turn: tuple(marks) for turn, marks in found.items()}


def _row_marks(row: RowReport) -> Iterator[tuple[int, str, str]]:
    if isinstance(row.start, int):
        yield row.start, "▲", "starts"
    if isinstance(row.finish, int):
        yield row.finish, "■", "finishes"
    for turn in dict.fromkeys(piece.turn for piece in row.evidence):
        if turn != row.finish:
            yield turn, "•", "item shown"


def _spans(rows: Sequence[RowReport]) -> Mapping[int, list[Span]]:
    """Evidence, and the words that started each phase."""
    found: dict[int, list[Span]] = defaultdict(list)
    for row in rows:
        for piece in row.evidence:
            if piece.event is None:
                found[piece.turn].append(Span(row.phase, piece.start, piece.end))
        for attempt in row.attempts:
            if attempt.event is None and attempt.turn == row.start:
                found[attempt.turn].append(Span(row.phase, attempt.start, attempt.end))
    return found


def _shown_by(rows: Sequence[RowReport]) -> Mapping[str, tuple[str, ...]]:
    """Which phases an event is evidence of, or a start of."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for row in rows:
        for piece in row.evidence:
            if piece.event is not None:
                found[piece.event][row.phase] = None
        for attempt in row.attempts:
            if attempt.event is not None and attempt.turn == row.start:
                found[attempt.event][row.phase] = None
    return {event: tuple(phases) for event, phases in found.items()}


def _events_by_turn(call: Call) -> tuple[Mapping[int, list[Event]], list[Event]]:
    timeline = Timeline(call)
    placed: dict[int, list[Event]] = defaultdict(list)
    unplaced: list[Event] = []
    for event in call.events:
        position = timeline.place(event).position
        if position < 0:
            unplaced.append(event)
        else:
            placed[call.turns[position].number].append(event)
    return placed, unplaced
