"""What-ifs in words: what was asked, how far it is, and what comes out of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID

from review.core.whatif import Change, Counts, Share, counts_from_json
from review.presenters.standing import silence
from review.queries import WorkerLife
from review.queries.what_ifs import LineRow, WhatIfRow

_STATES = {
    "WAITING": ("waiting", "muted"),
    "RUNNING": ("running", "unknown"),
    "DONE": ("done", "pass"),
    "CANCELLED": ("called off", "muted"),
    "FAILED": ("given up", "fail"),
}
_OPEN = ("WAITING", "RUNNING")
_KINDS = {
    "READ": (
        "read again",
        "The stored words were read by the rules of this text, without a model, as its pre-fill "
        "would; what people decided was kept where phase and item are there still.",
    ),
    "DECIDE": (
        "decide again",
        "Edges, requirements and precedence of this text were applied to the rows as they stand; "
        "no word was read, so a new phase has no row.",
    ),
}
#: How a page calls what becomes of a verdict, and its colours.
CHANGES = {
    Change.PASS_TO_FAIL: ("pass to fail", "fail"),
    Change.FAIL_TO_PASS: ("fail to pass", "pass"),
    Change.TO_UNDETERMINED: ("to undetermined", "unknown"),
    Change.FROM_UNDETERMINED: ("from undetermined", "unknown"),
    Change.SAME: ("verdict as it stands", "muted"),
}
_WHOLE = 100


@dataclass(frozen=True, slots=True)
class ShownWhatIf:
    """One what-if: what was asked in words, and how far it is. `share` is whole percent."""

    id: UUID
    title: str
    kind: str
    what_ran: str
    scope: str
    state: str
    tone: str
    is_over: bool
    is_done: bool
    share: int
    words: str
    by: str
    asked_at: datetime
    summary: str
    digest: str
    draft_id: UUID | None
    number: int
    version: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class CountLine:
    """One line of the table of counts."""

    words: str
    tone: str
    calls: int
    signed: int


@dataclass(frozen=True, slots=True)
class ShownTurned:
    """A row or an edge that comes out otherwise."""

    name: str
    turn: int | None
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ShownCall:
    """A call that comes out otherwise; without a `name` it is for somebody else to open."""

    id: UUID
    name: str
    is_open: bool
    signed: bool
    before: str
    after: str
    turned: tuple[ShownTurned, ...]
    annotate: str
    lost: str


@dataclass(frozen=True, slots=True)
class ShownGroup:
    """The first calls of one change, and how many there are."""

    words: str
    tone: str
    number: int
    calls: tuple[ShownCall, ...]


@dataclass(frozen=True, slots=True)
class ShownResult:
    """What came out."""

    lines: tuple[CountLine, ...]
    phases: tuple[tuple[str, int], ...]
    edges: tuple[tuple[str, int], ...]
    edges_title: str
    groups: tuple[ShownGroup, ...]
    note: str


def show_what_if(row: WhatIfRow, worker: WorkerLife) -> ShownWhatIf:
    """Draw one what-if."""
    state, tone = _STATES[row.state]
    kind, what_ran = _KINDS[row.kind]
    is_over = row.state not in _OPEN
    return ShownWhatIf(
        id=row.id,
        title=row.title,
        kind=kind,
        what_ran=what_ran,
        scope=_scope(row),
        state=state,
        tone=tone,
        is_over=is_over,
        is_done=row.state == "DONE",
        share=row.done * _WHOLE // row.calls,
        words=_progress(row, "" if is_over else silence(worker)),
        by=row.by,
        asked_at=row.asked_at,
        summary=_summary(counts_from_json(row.result)) if row.result is not None else "",
        digest=row.result_digest,
        draft_id=row.draft_id,
        number=row.number,
        version=row.version,
    )


def show_result(row: WhatIfRow, lines: Sequence[LineRow], *, reads: bool) -> ShownResult | None:
    """Draw what came out, with the first calls of each change; None where nothing did yet.

    `reads` says whether the person reads calls of the site at all.
    """
    if row.result is None:
        return None
    counts = counts_from_json(row.result)
    return ShownResult(
        lines=tuple(_count_lines(counts)),
        phases=_by_number(counts.phases),
        edges=_by_number(counts.edges),
        edges_title="Edges that are not kept in calls whose verdict changes"
        if row.kind == "READ"
        else "Edges that come out otherwise",
        groups=show_groups(lines, {one: counts.changes[one].calls for one in Change}),
        note=_note(counts, reads=reads),
    )


def show_groups(lines: Sequence[LineRow], numbers: Mapping[Change, int]) -> tuple[ShownGroup, ...]:
    """Draw the first calls of each change, which come by change, of `numbers` calls each."""
    by_change = {name: list(found) for name, found in groupby(lines, key=lambda one: one.change)}
    return tuple(
        ShownGroup(
            words if change is not Change.SAME else "verdict as it stands, rows otherwise",
            tone,
            numbers.get(change, 0) if change is not Change.SAME else len(found),
            tuple(show_call(one) for one in found),
        )
        for change, (words, tone) in CHANGES.items()
        if (found := by_change.get(change.name, []))
    )


def show_call(line: LineRow) -> ShownCall:
    """Draw one call."""
    return ShownCall(
        id=line.call_id,
        name=line.name,
        is_open=line.is_open,
        signed=line.signed,
        before=line.before.lower(),
        after=line.after.lower(),
        turned=tuple(
            ShownTurned(name, turn, plain_words(before), plain_words(after))
            for name, turn, before, after in (*line.rows, *line.edges)
        ),
        annotate=", ".join(line.annotate),
        lost=", ".join(line.lost),
    )


def plain_words(code: str) -> str:
    """Write a code in small letters; what is not there says so.

    >>> plain_words("REQUIRED_FAILED"), plain_words("")
    ('required failed', 'not there')
    """
    return code.replace("_", " ").lower() or "not there"


def csv_rows(lines: Iterable[LineRow]) -> Iterator[list[str]]:
    """Yield the rows of the file: one for each row or edge that comes out otherwise, and one for a
    call without any.
    """
    yield [
        *("call", "name", "signed", "change", "before", "after", "needs_annotation"),
        *("decisions_not_kept", "row_or_edge", "turn", "row_before", "row_after"),
    ]
    for line in lines:
        about = [
            *(str(line.call_id), line.name, "yes" if line.signed else "no"),
            *(plain_words(line.change), line.before.lower(), line.after.lower()),
            *(" ".join(line.annotate), " ".join(line.lost)),
        ]
        for name, turn, before, after in (*line.rows, *line.edges) or (("", None, "", ""),):
            yield [*about, name, "" if turn is None else str(turn), before.lower(), after.lower()]


def _count_lines(counts: Counts) -> Iterator[CountLine]:
    for change, (words, tone) in CHANGES.items():
        share = counts.changes[change]
        yield CountLine(words, tone, share.calls, share.signed)
    yield CountLine("needs annotation first", "unknown", *_pair(counts.annotate))
    yield CountLine("decisions of people not kept", "unknown", *_pair(counts.lost))


def _pair(share: Share) -> tuple[int, int]:
    return share.calls, share.signed


def _by_number(named: Mapping[str, int] | None) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((named or {}).items(), key=lambda one: (-one[1], one[0])))


def _summary(counts: Counts) -> str:
    changed = counts.calls - counts.changes[Change.SAME].calls
    if not changed:
        return f"No verdict of {counts.calls:,} calls changes."
    parts = [
        f"{counts.changes[change].calls:,} {words} ({counts.changes[change].signed:,} signed)"
        for change, (words, _) in CHANGES.items()
        if change is not Change.SAME and counts.changes[change].calls
    ]
    return f"{changed:,} of {counts.calls:,} verdicts change: {', '.join(parts)}."


def _note(counts: Counts, *, reads: bool) -> str:
    said = []
    if counts.unread:
        said.append(f"{counts.unread:,} calls could not be compared: erased or moved on meanwhile.")
    if not reads:
        said.append("You read no calls of this site, so their rows and names are left out.")
    return " ".join(said)


def _scope(row: WhatIfRow) -> str:
    first, last = row.days
    days = {
        (False, False): "of all days",
        (True, False): f"from {first} on",
        (False, True): f"up to {last}",
        (True, True): f"from {first} to {last}",
    }[first is not None, last is not None]
    number = f"{row.calls:,} call{'' if row.calls == 1 else 's'}"
    return f"{number} at {row.site_name} judged by {row.catalog}, {days}"


def _progress(row: WhatIfRow, silent: str) -> str:
    said = f" {silent}" if silent else ""
    match row.state:
        case "WAITING":
            return f"Waits for a worker.{said}"
        case "RUNNING":
            return f"{row.done:,} of {row.calls:,} calls are compared.{said}"
        case "FAILED":
            return (
                f"Given up after several attempts ({row.failure}). Ask again, or tell the operator."
            )
        case "CANCELLED":
            return f"Called off after {row.done:,} of {row.calls:,} calls; nothing was kept."
    return f"All {row.calls:,} calls are compared."
