"""The pre-fill of one call: scan once, anchors, rules, decision, triage. Pure: the same call gives
the same result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from catalogs.core.document import Document, Fact, ListKey, Phase, Scalar
from catalogs.core.findings import Finding, warning
from review.core.cascade.anchors import Started, find_start
from review.core.cascade.rules import (
    Entry,
    Finished,
    find_contradiction,
    find_fact,
    find_finish,
)
from review.core.cascade.triage import Flag, Seen, Watched, flag_rows, watch
from review.core.evidence.instances import (
    HitsOf,
    Instance,
    hits_for,
    instances_of,
    phases_without_list,
)
from review.core.evidence.patterns import PatternTable
from review.core.evidence.scan import Scan, list_attributes
from review.core.evidence.words import SILENT, Hearing
from review.core.predicates import Decision, Plan, decide, plan_of
from review.core.rows import NEVER, UNKNOWN, Point, Row, Verdict, roll_up
from review.core.transcript import ORDER_AFFECTING, Call, Turn

#: Findings that say a turn may have been said by another than its role.
_ROLE_DOUBTS = frozenset({"mixed_speakers_in_segment", "role_collapsed"})
_NOTHING: frozenset[str] = frozenset()
_NO_ROWS: Mapping[str, Row] = {}
_OPEN_ROLES = frozenset({"missing_speaker", "role_unknown"})


@dataclass(frozen=True, slots=True)
class Cascade:
    """A catalog version made ready to pre-fill calls: compiled patterns, the plan of what decides,
    and what triage watches.
    """

    document: Document
    table: PatternTable
    plan: Plan
    watched: Watched
    gates: frozenset[str]
    lists: frozenset[str]
    self_reported: frozenset[str]


@dataclass(frozen=True, slots=True)
class Prefill:
    """What the cascade proposes for a call: rows, facts, flags by phase, the decision, and what to
    say of the text.

    Everything here is provisional until a person confirms it.
    """

    rows: Mapping[str, Row]
    facts: Mapping[str, Scalar]
    flags: Mapping[str, tuple[Flag, ...]]
    decision: Decision
    findings: tuple[Finding, ...]


def prepare(document: Document, table: PatternTable | None = None) -> Cascade:
    """Compile a loaded catalog once for any number of calls; `table` are its patterns, where
    somebody has compiled them already.
    """
    plan = plan_of(document)
    return Cascade(
        document=document,
        table=table or PatternTable(document),
        plan=plan,
        watched=watch(document, plan),
        gates=document.gates,
        lists=list_attributes(document),
        self_reported=frozenset(
            name for name, spec in document.events.items() if spec.self_reported
        ),
    )


def prefill(
    call: Call,
    cascade: Cascade,
    known: Mapping[str, Row] = _NO_ROWS,
    hearing: Hearing | None = None,
) -> Prefill:
    """Fill the rows of a call from its words and events; `known` are rows by phase that somebody
    has filled already, `hearing` what was heard of a running call before. Source: paper, section on
    automation; design 4.2.
    """
    document = cascade.document
    scan = Scan(call, cascade.table, cascade.lists, hearing)
    reading = _Reading(call, cascade, scan, unread_turns(call, document))
    rows = {phase.id: known.get(phase.id) or reading.row_of(phase) for phase in document.phases}
    facts = {
        name: find_fact(fact, rows[fact.source], scan) for name, fact in _facts(document, rows)
    }
    decision = decide(
        cascade.plan, rows, facts=facts, attributes=scalar_attributes(call), ended=call.ended
    )
    without_list = phases_without_list(document, call)
    flags = flag_rows(cascade.watched, Seen(rows, decision, without_list, reading.unread))
    return Prefill(rows, facts, flags, decision, _findings(scan))


def scalar_attributes(call: Call) -> dict[str, Scalar]:
    """Return the attributes of a call that expressions may read (lists are for `for_each` only)."""
    return {name: value for name, value in call.attributes.items() if not isinstance(value, tuple)}


def unread_turns(call: Call, document: Document) -> tuple[int, ...]:
    """Return the turns whose words no matcher can read for sure: said by nobody the catalog knows,
    or by somebody whose role is in doubt.
    """
    roles = document.speakers
    return tuple(
        [
            turn.number
            for turn in call.turns
            if (turn.role not in roles or (turn.flags and not _ROLE_DOUBTS.isdisjoint(turn.flags)))
            and turn.kind not in SILENT
            and turn.text.strip()
        ]
    )


def _doubts_of_the_call(call: Call) -> tuple[str, ...]:
    """Return the doubts about order or role that stand on no turn: they are about every one.

    Open roles are told turn by turn, by the turns that were not read.
    """
    doubts = [code for code in call.flags if code in ORDER_AFFECTING and code not in _OPEN_ROLES]
    if not doubts:
        return ()
    told = {code for turn in call.turns for code in turn.flags}
    return tuple([code for code in doubts if code not in told])


def _facts(document: Document, rows: Mapping[str, Row]) -> list[tuple[str, Fact]]:
    return [(name, fact) for name, fact in document.facts.items() if fact.source in rows]


def _findings(scan: Scan) -> tuple[Finding, ...]:
    return tuple(
        warning(
            "not_nfc",
            f"turn {number}",
            "The text is not in Unicode form NFC; anchors ran on a normalised copy.",
        )
        for number in scan.not_nfc
    )


class _Reading:
    """One call being read against one catalog."""

    def __init__(self, call: Call, cascade: Cascade, scan: Scan, unread: tuple[int, ...]) -> None:
        self.unread = unread
        self._scan = scan
        self._cascade = cascade
        self._doubts = _doubts_of_the_call(call)
        self._complete = call.ended is True and not unread
        self._through = call.turns[-1].number if call.turns and not unread else None

    def row_of(self, phase: Phase) -> Row:
        """Fill the row of a phase, with its instances where it is owed per item."""
        key = phase.for_each
        if key is None:
            return self._fill(phase, None, self._scan.of)
        instances = instances_of(key, self._scan)
        if instances is None:
            return self._uncredited(self._fill(phase, None, self._scan.of))
        if not instances:
            return self._without_items(phase)
        rows = [self._fill(phase, one, hits_for(one, key, self._scan)) for one in instances]
        return roll_up(phase.id, tuple(rows))

    def _fill(self, phase: Phase, instance: Instance | None, hits_of: HitsOf) -> Row:
        started = find_start(phase, hits_of)
        gate = phase.id in self._cascade.gates
        own = self._cascade.self_reported if gate else _NOTHING
        entry = Entry(phase, started.start, gate, own)
        finished = find_finish(entry, self._scan.call.attributes, hits_of)
        contradicted = find_contradiction(phase, finished, hits_of)
        return self._row(phase, instance, started, finished, contradicted)

    def _row(
        self,
        phase: Phase,
        instance: Instance | None,
        started: Started,
        finished: Finished,
        contradicted: int | None,
    ) -> Row:
        start, inferred = self._start(phase, started, finished)
        finish = self._settled(finished.finish) if contradicted is None else UNKNOWN
        is_open = start is UNKNOWN or finish is UNKNOWN
        sure = is_open and (
            started.start is not UNKNOWN
            and finished.finish is not UNKNOWN
            and finished.opened is not UNKNOWN
            and contradicted is None
        )
        begins, ends = self._scan.turn_at(start), self._scan.turn_at(finish)
        return Row(
            phase.id,
            start,
            finish,
            _verdict(finish),
            finished.evidence,
            finished.volunteered,
            finished.mode,
            inferred is not None,
            contradicted_at=contradicted,
            key=instance.key if instance else None,
            start_ms=begins.start_ms if begins else None,
            finish_ms=ends.end_ms if ends else None,
            clear_through=self._through if sure else None,
            start_doubts=self._doubts_at(begins) if begins else (),
            finish_doubts=self._doubts_at(ends) if ends else (),
            items=finished.items,
            attempts=started.attempts,
            unacknowledged=finished.unacknowledged,
            start_source=inferred or started.source,
            finish_source=finished.source,
        )

    def _start(
        self, phase: Phase, started: Started, finished: Finished
    ) -> tuple[Point, str | None]:
        """Infer a start from the first evidence where no anchor fired; the row is marked and goes
        to a person.
        """
        if started.start is not NEVER:
            return started.start, None
        return self._settled(finished.opened), finished.opened_by

    def _doubts_at(self, turn: Turn) -> tuple[str, ...]:
        if not turn.flags:
            return self._doubts
        return (*self._doubts, *[code for code in turn.flags if _in_doubt(turn, code)])

    def _settled(self, point: Point) -> Point:
        """Only a call that has ended and was read whole can say NEVER."""
        return UNKNOWN if point is NEVER and not self._complete else point

    def _without_items(self, phase: Phase) -> Row:
        """Nothing to do so far: for a list that is empty for ever, for tool calls only once the
        call has ended.
        """
        listed = isinstance(phase.for_each, ListKey)
        finish: Point = NEVER if listed else self._settled(NEVER)
        # What nobody owes can still be started too early (S21).
        started = find_start(phase, self._scan.of)
        start = self._settled(started.start)
        begins = self._scan.turn_at(start)
        return Row(
            phase.id,
            start,
            finish,
            Verdict.FAIL if finish is NEVER else Verdict.UNKNOWN,
            instances=(),
            start_ms=begins.start_ms if begins else None,
            start_doubts=self._doubts_at(begins) if begins else (),
            attempts=started.attempts,
            start_source=started.source,
        )

    def _uncredited(self, row: Row) -> Row:
        if row.verdict is not Verdict.PASS:
            return row
        return row._replace(
            finish=UNKNOWN, verdict=Verdict.UNKNOWN, finish_ms=None, clear_through=None
        )


def _in_doubt(turn: Turn, code: str) -> bool:
    """An overlap with known times is judged by those times; every other doubt about order or role
    stands.
    """
    timed = turn.start_ms is not None and turn.end_ms is not None
    return code in ORDER_AFFECTING and not (code == "overlap" and timed)


def _verdict(finish: Point) -> Verdict:
    if finish is NEVER:
        return Verdict.FAIL
    return Verdict.UNKNOWN if finish is UNKNOWN else Verdict.PASS
