"""A call as its mapping page shows it, without its words: state, findings, runs, revisions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import AnonymousUser

from catalogs.core.findings import Finding
from oipsce_site.people.models import Site, User
from review.core.masking import Masker
from review.models import Call, PrefillRun, RevisionWhy, RunState, State
from review.queries.findings import read_finding
from review.queries.masking import masker_of_stored
from review.queries.reach import readable_sites


@dataclass(frozen=True, slots=True)
class RevisionLine:
    """One transcript revision: its number, why it was made, by whom, when, how many turns."""

    number: int
    why: str
    who: str
    at: datetime
    turns: int


@dataclass(frozen=True, slots=True)
class MappingCall:
    """What the page knows beside the words. `has_failed` says that the last pre-fill gave up."""

    id: UUID
    site: Site
    source: str
    state: str
    sentence: str
    revision: int
    version_id: UUID | None
    findings: tuple[Finding, ...]
    has_failed: bool
    revisions: tuple[RevisionLine, ...]

    @property
    def is_open(self) -> bool:
        """Whether the call waits to be mapped."""
        return self.state == State.NEEDS_MAPPING.value


def get_mapping_for(user: User | AnonymousUser, call_id: UUID) -> MappingCall | None:
    """Return a call of one of the user's sites, in four queries; None for any other."""
    call = (
        Call.objects.select_related("site")
        .filter(pk=call_id, erased_at=None, site__in=readable_sites(user))
        .first()
    )
    if call is None:
        return None
    masker = masker_of_stored(call)
    findings = tuple(read_finding(finding) for finding in call.findings)
    return MappingCall(
        id=call.id,
        site=call.site,
        source=call.source,
        state=call.state,
        sentence=masker.text(call.needs_mapping) if masker else call.needs_mapping,
        revision=call.transcript_revision,
        version_id=call.catalog_version_id,
        findings=tuple(_masked(one, masker) for one in findings) if masker else findings,
        has_failed=has_failed_run(call_id),
        revisions=_revisions(call),
    )


def _masked(finding: Finding, masker: Masker) -> Finding:
    """Return a finding as it is shown: it may name a speaker."""
    return replace(finding, text=masker.text(finding.text), where=masker.text(finding.where))


def has_failed_run(call_id: UUID) -> bool:
    """Say whether the last pre-fill of a call gave up."""
    runs = PrefillRun.objects.filter(call=call_id).order_by("-queued_at", "-id")
    return runs.values_list("state", flat=True).first() == RunState.FAILED


def _revisions(call: Call) -> tuple[RevisionLine, ...]:
    rows = call.transcripts.select_related("by").defer("findings", "attributes", "speakers")
    return tuple(
        RevisionLine(
            number=row.number,
            why=RevisionWhy(row.why).label,
            who="the operator" if row.by is None else row.by.printed_name,
            at=row.at,
            turns=row.turn_count,
        )
        for row in rows.order_by("-number")
    )
