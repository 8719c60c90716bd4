"""How far a person's what-ifs reach."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class WhatIfReach:
    """The sites whose what-ifs a person asks for, sees, and may open the calls of (None: all)."""

    asks: frozenset[UUID] | None
    sees: frozenset[UUID] | None
    reads: frozenset[UUID]

    def may_ask(self, site_id: UUID) -> bool:
        """Say whether the person may ask at a site."""
        return self.asks is None or site_id in self.asks

    @property
    def sees_any(self) -> bool:
        """Whether the person sees what-ifs anywhere."""
        return self.sees != frozenset()
