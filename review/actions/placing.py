"""Where an imported call goes: its catalog, the roles of its speakers, and what waits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from catalogs.core.findings import Finding, warning
from catalogs.models import CatalogVersion
from catalogs.queries import published_versions
from oipsce_site.people.models import Site
from review.core.transcript import Call as CallValue
from review.core.transcript import (
    RoleOrigin,
    apply_role_map,
    doubts_of,
    open_role,
    propose_roles,
)
from review.queries.draws import draw_of
from review.queries.role_maps import confirmed_roles

_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Placed:
    """A call with its roles mapped, the version that judges it, and what a person must settle."""

    call: CallValue
    version: CatalogVersion | None
    findings: tuple[Finding, ...]
    sentence: str


class Placer:
    """Places calls of one site; catalogs and confirmed roles are read once for all of them."""

    def __init__(self, site: Site) -> None:
        """Read the published catalogs."""
        self._site = site
        self._published = published_versions()
        self._confirmed: dict[tuple[str, UUID], Mapping[str, str]] = {}

    def place(self, call: CallValue, call_id: UUID) -> Placed:
        """Choose the catalog and map the speakers to its roles; say what is left to a person.

        Only the source's own words and what a person has confirmed set a role; a usual name of a
        role is proposed and waits (design 3).
        """
        draw, site = draw_of(call_id), self._site.slug
        choice = self._published.choose(call.attributes, call.date, site=site, draw=draw)
        if choice.document is None or choice.version is None:
            return Placed(call, None, (), choice.sentence or "")
        declared = frozenset(choice.document.speakers)
        confirmed = self._roles(call.source.format, choice.version.pk)
        proposed = propose_roles(call, declared, confirmed)
        waiting = [one for one in proposed if one.origin is RoleOrigin.ALIAS]
        roles = {one.key: one.role for one in proposed if one.role and one not in waiting}
        mapped = apply_role_map(call, roles)
        findings = (
            *(open_role(call, one.key, declared) for one in proposed if one.role is None),
            *(_unconfirmed(call, one.key, one.role or "") for one in waiting),
        )
        sentences = [*_about_roles(findings), *_order_in_doubt(mapped)]
        return Placed(mapped, choice.version, findings, " ".join(sentences))

    def _roles(self, source: str, version_id: UUID) -> Mapping[str, str]:
        known = self._confirmed.get((source, version_id))
        if known is None:
            known = confirmed_roles(self._site.pk, source, version_id)
            self._confirmed[source, version_id] = known
        return known


def _unconfirmed(call: CallValue, key: str, role: str) -> Finding:
    sentence = f"The speaker {key!r} is probably the {role}. Confirm it once for this source."
    return warning("role_unconfirmed", f"{call.id}, speaker {key}", sentence)


def _about_roles(findings: tuple[Finding, ...]) -> list[str]:
    named = [finding.text for finding in findings[:_MOST_NAMED]]
    rest = len(findings) - len(named)
    return named + ([f"{rest} more speakers have no confirmed role."] if rest else [])


def _order_in_doubt(call: CallValue) -> list[str]:
    codes = [doubt.code for doubt in doubts_of(call)]
    if not codes:
        return []
    return [
        f"The order of turns or a speaker is in doubt ({', '.join(codes)}); look at the findings "
        "and say how the call is to be read."
    ]
