"""Exports of signed audits in words: state, progress, scope, and what went in or not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from review.core.audit.names import Why
from review.models import ProfileCode
from review.presenters.standing import silence
from review.queries import WorkerLife
from review.queries.exports import ExportLine

_STATES = {
    "ASKED": ("waits for a second person", "unknown"),
    "QUEUED": ("waiting", "muted"),
    "RUNNING": ("being built", "unknown"),
    "DONE": ("done", "pass"),
    "FAILED": ("failed", "fail"),
}
_WHY = {
    Why.INCLUDED: "in the audit",
    Why.NOT_SIGNED: "without a signature that stands",
    Why.OTHER_DATE: "of another date",
    Why.OTHER_CATALOG: "under another catalog",
    Why.OTHER_VERDICT: "with another verdict",
    Why.ERASED: "whose words were erased",
}


@dataclass(frozen=True, slots=True)
class Audit:
    """One export. `share` is whole percent; `universe` says of the site's calls what became."""

    id: UUID
    site: str
    profile: str
    state: str
    tone: str
    is_over: bool
    is_done: bool
    share: int
    done: str
    recipient: str
    purpose: str
    scope: str
    universe: tuple[str, ...]
    by: str
    requested: datetime
    digest: str
    size: str
    trouble: str
    is_asked: bool
    asked_by: UUID
    site_id: UUID
    approved: str


def show_audit(line: ExportLine, worker: WorkerLife) -> Audit:
    """Draw one export."""
    word, tone = _STATES[line.state]
    is_over = line.state in ("DONE", "FAILED")
    is_asked = line.state == "ASKED"
    counts = [(why, line.universe.get(why.value, 0)) for why in Why]
    return Audit(
        id=line.id,
        site=line.site_name,
        profile=str(ProfileCode(line.profile).label),
        state=word,
        tone=tone,
        is_over=is_over,
        is_done=line.state == "DONE",
        share=_share(line),
        done=_done(line),
        recipient=line.recipient,
        purpose=line.purpose,
        scope=_scope(line),
        universe=tuple(f"{number:,} {_WHY[why]}" for why, number in counts if number),
        by=line.by,
        requested=line.requested_at,
        digest=line.digest,
        size=f"{line.size / 1_000_000:,.1f} MB" if line.size else "",
        trouble=line.failure or ("" if is_over or is_asked or worker.is_alive else silence(worker)),
        is_asked=is_asked,
        asked_by=line.asked_by,
        site_id=line.site_id,
        approved=_approved(line),
    )


def _approved(line: ExportLine) -> str:
    if line.approved_at is None:
        return ""
    return f"{line.approved_by}, {line.approved_at:%-d %b %Y, %H:%M} UTC"


def _share(line: ExportLine) -> int:
    if line.state == "DONE":
        return 100
    return 0 if not line.calls else min(99, 100 * line.calls_done // line.calls)


def _done(line: ExportLine) -> str:
    if line.state == "DONE":
        return f"{line.calls:,} signed call{'' if line.calls == 1 else 's'}"
    if line.state == "RUNNING" and line.calls:
        return f"{line.calls_done:,} of {line.calls:,} calls"
    return "not begun yet" if line.state == "QUEUED" else ""


def _scope(line: ExportLine) -> str:
    first, last, catalog, verdict = line.scope
    parts = [
        f"from {first:%-d %b %Y}" if first else "",
        f"to {last:%-d %b %Y}" if last else "",
        f"catalog {catalog}" if catalog else "",
        f"call success {verdict.lower()}" if verdict else "",
    ]
    said = ", ".join(part for part in parts if part)
    return f"signed calls {said}" if said else "all signed calls"
