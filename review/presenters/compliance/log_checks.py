"""What is known of the decision log: the last verification, what it found, and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from review.presenters.standing import silence
from review.queries import WorkerLife
from review.queries.log_checks import NIGHTLY, CheckLine, Fault

#: A verification that is this much too late is an alarm of its own.
_PATIENCE = timedelta(hours=2)

_TODO = {
    "guard": (
        "Somebody changed the triggers, owners or rights that guard the log. Find out who holds "
        "the database's owner account; restore the guard (docs/audit.md) and verify again. What "
        "was written meanwhile is in doubt."
    ),
    "chain": (
        "Entries of the chain were changed or removed behind the application. Stop using the "
        "database, keep it as it is for whoever investigates, and compare with a backup and with "
        "the checkpoints that others hold (docs/audit.md)."
    ),
    "seal": (
        "The log is not what was sealed. Stop, keep the database as it is, and compare with the "
        "last checkpoint that a witness holds (docs/audit.md, table of LOG codes)."
    ),
}
_KINDS = {"guard": "Guard", "chain": "Chain", "seal": "Checkpoint"}
_STATES = {
    "QUEUED": ("waiting", "muted"),
    "RUNNING": ("running", "unknown"),
    "FAILED": ("broke off", "fail"),
}


@dataclass(frozen=True, slots=True)
class Alarm:
    """Faults of one kind, and what to do about them."""

    kind: str
    todo: str
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class SiteState:
    """The chains of one site in words."""

    name: str
    words: str
    tone: str
    sign: str


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One verification of the list. `share` is whole percent of its chains."""

    words: str
    tone: str
    asked: str
    asked_at: datetime
    finished_at: datetime | None
    chains: str
    share: int


@dataclass(frozen=True, slots=True)
class ChecksPage:
    """The page. `verdict` says in words how the log stands by the last verification."""

    verdict: str
    tone: str
    sign: str
    since: datetime | None
    alarms: tuple[Alarm, ...]
    elsewhere: str
    sites: tuple[SiteState, ...]
    seal: Mapping[str, Any]
    sealed_at: datetime | None
    unsealed: str
    rows: tuple[CheckRow, ...]
    is_running: bool
    trouble: str


def show_log_checks(
    found: Sequence[CheckLine], names: Mapping[UUID, str], worker: WorkerLife, at: datetime
) -> ChecksPage:
    """Draw the page; `found` are the latest verifications, the last asked for first."""
    last = next((one for one in found if one.state == "DONE"), None)
    running = bool(found) and found[0].state in ("QUEUED", "RUNNING")
    verdict, tone, sign = _verdict(last, at)
    return ChecksPage(
        verdict=verdict,
        tone=tone,
        sign=sign,
        since=None if last is None else last.finished_at,
        alarms=() if last is None else _alarms(last),
        elsewhere="" if last is None or not last.elsewhere else _elsewhere(last.elsewhere),
        sites=() if last is None else _sites(last, names),
        seal={} if last is None else last.seal,
        sealed_at=None if last is None else _sealed_at(last.seal),
        unsealed="" if last is None else last.unsealed,
        rows=tuple(map(_row, found)),
        is_running=running,
        trouble=silence(worker) if running and not worker.is_alive else "",
    )


def _verdict(last: CheckLine | None, at: datetime) -> tuple[str, str, str]:
    if last is None or last.finished_at is None:
        return "The log has not been verified here yet.", "unknown", "?"
    if last.fault_count:
        faults = "1 fault" if last.fault_count == 1 else f"{last.fault_count:,} faults"
        return f"The log does not verify: {faults} found.", "fail", "✕"
    if at - last.finished_at > NIGHTLY + _PATIENCE:
        return "It verified, but longer than a day ago: look at the workers.", "unknown", "?"
    if last.unsealed:
        return "Every chain verifies; checkpoints were not verified.", "unknown", "?"
    return "Every chain and every checkpoint verifies.", "pass", "✓"


def _alarms(last: CheckLine) -> tuple[Alarm, ...]:
    return tuple(
        Alarm(words, _TODO[kind], faults)
        for kind, words in _KINDS.items()
        if (faults := tuple(one for one in last.faults if one.kind == kind))
    )


def _elsewhere(number: int) -> str:
    faults = "1 fault is" if number == 1 else f"{number:,} faults are"
    return f"{faults} in chains of sites that are not yours, or not kept one by one."


def _sites(last: CheckLine, names: Mapping[UUID, str]) -> tuple[SiteState, ...]:
    states = []
    for one in last.sites:
        name = "Organisation and catalogs" if one.site is None else names.get(one.site, "")
        chains = "1 chain" if one.chains == 1 else f"{one.chains:,} chains"
        if one.broken:
            states.append(SiteState(name, f"{one.broken:,} of {chains} broken", "fail", "✕"))
        else:
            states.append(SiteState(name, f"{chains}, all verify", "pass", "✓"))
    return tuple(sorted(states, key=lambda state: state.name))


def _sealed_at(seal: Mapping[str, Any]) -> datetime | None:
    if not seal:
        return None
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=seal["at_us"])


def _row(one: CheckLine) -> CheckRow:
    words, tone = _STATES.get(one.state, ("", ""))
    if one.state == "DONE":
        faults = "1 fault" if one.fault_count == 1 else f"{one.fault_count:,} faults"
        words, tone = (faults, "fail") if one.fault_count else ("verifies", "pass")
    if one.state == "FAILED":
        words = f"broke off: {one.failure}"
    done = f"{one.chains_done:,} of {one.chains:,}" if one.state == "RUNNING" else f"{one.chains:,}"
    return CheckRow(
        words=words,
        tone=tone,
        asked=one.asked_by or "nightly",
        asked_at=one.asked_at,
        finished_at=one.finished_at,
        chains=done,
        share=100 * one.chains_done // one.chains if one.chains else 0,
    )
