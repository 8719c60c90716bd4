"""The findings of one call while it is read: in order, each tied to its turn, bounded in number."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NoReturn

from catalogs.core.findings import Finding, Severity, error
from review.core.transcript.decoding import RefusedInput

# A broken export repeats one mistake on every turn; people read the first of them.
MOST_OF_ONE_CODE = 50


@dataclass(slots=True)
class CallFindings:
    """Collects what reading one call has to say. `where` names the file and the call."""

    where: str
    _findings: list[Finding] = field(default_factory=list)
    _counts: Counter[str] = field(default_factory=Counter)
    _flags: dict[int, list[str]] = field(default_factory=dict)

    def warn(self, code: str, place: str, text: str, *, turn: int | None = None) -> None:
        """Add a warning about a place of the call; with `turn`, that turn carries the code as a
        flag.
        """
        self._add(Severity.WARNING, code, place, text, turn)

    def note(self, code: str, place: str, text: str, *, turn: int | None = None) -> None:
        """Add a note about a place of the call; with `turn`, that turn carries its code."""
        self._add(Severity.NOTE, code, place, text, turn)

    def refuse(self, code: str, place: str, text: str) -> NoReturn:
        """Refuse the call. Always raises RefusedInput."""
        raise RefusedInput(error(code, self._at(place), text))

    def flags_of(self, turn: int) -> tuple[str, ...]:
        """Return the codes found about a turn, in the order found."""
        return tuple(dict.fromkeys(self._flags.get(turn, ())))

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes found in this call, in the order first found."""
        return tuple(self._counts)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings; of one code at most 50, the rest as one sentence with their number."""
        rest = [
            Finding(
                code,
                Severity.NOTE,
                self.where,
                f"{count - MOST_OF_ONE_CODE} more of {code} are not listed.",
            )
            for code, count in self._counts.items()
            if count > MOST_OF_ONE_CODE
        ]
        return (*self._findings, *rest)

    def _add(self, severity: Severity, code: str, place: str, text: str, turn: int | None) -> None:
        self._counts[code] += 1
        if turn is not None:
            self._flags.setdefault(turn, []).append(code)
        if self._counts[code] <= MOST_OF_ONE_CODE:
            self._findings.append(Finding(code, severity, self._at(place), text))

    def _at(self, place: str) -> str:
        return f"{self.where}, {place}" if place else self.where
