"""Verifications of the decision log: what waits, what the last ones found, and for whom to see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q

from review.models import CheckState, LogCheck

#: So often every chain is verified without anybody asking.
NIGHTLY = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong; `kind` is guard, chain or seal."""

    kind: str
    place: str
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class SiteChains:
    """How many chains a site has, and how many are broken; site None: of the organisation."""

    site: UUID | None
    chains: int
    broken: int


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One verification as somebody sees it: faults of other sites' chains are a number alone."""

    id: UUID
    state: str
    asked_by: str
    asked_at: datetime
    finished_at: datetime | None
    failure: str
    chains: int
    chains_done: int
    fault_count: int
    faults: tuple[Fault, ...]
    elsewhere: int
    sites: tuple[SiteChains, ...]
    seal: dict[str, Any]
    unsealed: str


def check_waits(at: datetime) -> Q:
    """Return the condition of a verification that a worker may take."""
    return Q(state=CheckState.QUEUED) | Q(state=CheckState.RUNNING, lease_until__lt=at)


def count_waiting_checks(at: datetime) -> int:
    """Count the verifications that wait."""
    return LogCheck.objects.filter(check_waits(at)).count()


def is_check_due(at: datetime) -> bool:
    """Say whether nobody has asked for a verification for a day."""
    return not LogCheck.objects.filter(asked_at__gt=at - NIGHTLY).exists()


def list_log_checks(sites: frozenset[UUID], *, limit: int) -> list[CheckLine]:
    """Return the latest verifications as somebody who oversees these sites sees them."""
    found = LogCheck.objects.select_related("asked_by").order_by("-asked_at", "pk")[:limit]
    return [_line(one, sites) for one in found]


def _line(one: LogCheck, sites: frozenset[UUID]) -> CheckLine:
    own = {str(site) for site in sites}
    seen = [fault for fault in one.faults if fault["site"] is None or fault["site"] in own]
    return CheckLine(
        id=one.pk,
        state=one.state,
        asked_by="" if one.asked_by is None else one.asked_by.printed_name,
        asked_at=one.asked_at,
        finished_at=one.finished_at,
        failure=one.failure,
        chains=one.chains,
        chains_done=one.chains_done,
        fault_count=one.fault_count,
        faults=tuple(
            Fault(fault["kind"], fault["place"], fault["code"], fault["text"]) for fault in seen
        ),
        elsewhere=one.fault_count - len(seen),
        sites=tuple(
            SiteChains(UUID(site) if site else None, chains, broken)
            for site, (chains, broken) in one.sites.items()
            if not site or site in own
        ),
        seal=one.seal,
        unsealed=one.unsealed,
    )
