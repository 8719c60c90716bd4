"""The parties of a vCon as speakers: by their place in the list, named once each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from review.core.transcript import CallFindings
from review.core.transcript.json_files import at_path, objects_in, text_in


@dataclass(frozen=True, slots=True)
class Parties:
    """The speakers of a vCon: their keys by place, and their roles by key."""

    keys: tuple[str, ...]
    roles: dict[str, str]

    def speaker(self, index: object) -> str:
        """Return the key of the party at a place; empty for a place that is not there."""
        is_place = isinstance(index, int) and not isinstance(index, bool)
        if not is_place or not isinstance(index, int) or not 0 <= index < len(self.keys):
            return ""
        return self.keys[index]


def read_parties(raw: Mapping[str, Any], found: CallFindings) -> Parties:
    """Read the parties. The role may stand in the party itself or in its meta data."""
    keys: list[str] = []
    seen: set[str] = set()
    roles: dict[str, str] = {}
    for k, party in enumerate(objects_in(raw, "parties", found=found)):
        name = text_in(party, "name")[:200]
        key = name if name and name not in seen else f"party {k}"
        while key in seen:
            key += "'"
        seen.add(key)
        keys.append(key)
        role = party.get("role") or at_path(party, "meta", "role")
        if isinstance(role, str) and role.strip():
            roles[key] = role.strip()[:100]
    return Parties(tuple(keys), roles)
