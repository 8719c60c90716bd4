"""A running call judged after each part of it, at a cost that does not grow with its length."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from catalogs.core.findings import Finding
from review.core.cascade.pipeline import Cascade, prefill
from review.core.evaluation.building import build_report
from review.core.evaluation.report import EdgeReport, Report
from review.core.evidence.words import Hearing
from review.core.transcript import Call, RoleOrigin, Turn, apply_role_map, propose_roles
from review.core.transcript.neutral.growing import GrowingCall


class RunningCall:
    """A call as far as it has been heard, with what was found in it."""

    def __init__(
        self, growing: GrowingCall, cascade: Cascade | None, confirmed: Mapping[str, str]
    ) -> None:
        """Begin before any turn. Without a cascade nothing is judged.

        `confirmed` is the map of roles that a person confirmed for calls of this source.
        """
        self.growing = growing
        self.parts = 0
        self._cascade = cascade
        self._confirmed = confirmed
        self._hearing = Hearing()
        self._mapped: list[Turn] = []
        self._open: dict[str, None] = {}

    def add(self, part: Mapping[str, object]) -> tuple[Finding, ...]:
        """Hear the next part; return what is to say of it.

        Raises RefusedInput; then the part was not heard.
        """
        turns, findings = self.growing.add(part)
        self._mapped += self._map(turns)
        self.parts += 1
        return findings

    @property
    def unread(self) -> tuple[str, ...]:
        """The speakers whose role nobody has said: none of their words is read."""
        return tuple(self._open)

    def judge(self) -> Report | None:
        """Judge what has been heard; None without a catalog."""
        if self._cascade is None:
            return None
        call = self._call()
        filled = prefill(call, self._cascade, hearing=self._hearing)
        return build_report(call, self._cascade.document, filled)

    def _map(self, turns: Sequence[Turn]) -> Iterable[Turn]:
        """Give turns their roles as an import would: a usual name of a role waits for a person."""
        if self._cascade is None or not turns:
            return turns
        said = replace(self.growing.about, turns=tuple(turns))
        declared = frozenset(self._cascade.document.speakers)
        roles = {}
        for one in propose_roles(said, declared, self._confirmed):
            if one.role is None or one.origin is RoleOrigin.ALIAS:
                self._open[one.key] = None
            else:
                roles[one.key] = one.role
        return apply_role_map(said, roles).turns

    def _call(self) -> Call:
        turns = self._mapped
        flags = self.growing.flags
        if flags:
            turns = [
                replace(turn, flags=tuple(dict.fromkeys((*turn.flags, *flags[turn.number]))))
                if turn.number in flags
                else turn
                for turn in turns
            ]
        return replace(
            self.growing.about,
            turns=tuple(turns),
            events=self.growing.events,
            flags=self.growing.codes,
        )


@dataclass(frozen=True, slots=True)
class Violation:
    """A critical edge that is violated for ever: its two phases and the two numbers."""

    parent: str
    child: str
    code: str
    parent_finish: int | None
    child_start: int | None


def violations_of(report: Report) -> tuple[Violation, ...]:
    """Return the critical edges that are proven to be violated, each once whatever items it has.

    Nothing else may alert while a call is running (engine.md 2b).
    """
    found: dict[tuple[str, str], Violation] = {}
    for edge in report.edges:
        if edge.critical and edge.ok is False:
            found.setdefault((edge.parent, edge.child), _violation(edge))
    return tuple(found.values())


def _violation(edge: EdgeReport) -> Violation:
    finish, start = edge.parent_finish, edge.child_start
    return Violation(
        edge.parent,
        edge.child,
        edge.code,
        finish if isinstance(finish, int) else None,
        start if isinstance(start, int) else None,
    )
