"""Import of call files for commands: read, import each call, ask for its pre-fill, ring the bell.

One refused call stops no other. The bell may fail: the run's row is there, and `prefill_calls`
rings again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID, uuid4

from django.db import DataError
from kombu.exceptions import OperationalError

from catalogs.core.findings import Finding
from catalogs.queries import version_for_call
from oipsce_site.people.models import Site, User
from review.actions.intake import Imported, OtherBytes, UnableToImport, import_call
from review.actions.mapping import Reading, confirm_mapping
from review.actions.prefill import UnableToPrefill, queue_prefill
from review.actions.refusals import MovedOn, UnableToMap
from review.actions.reimport import import_revision
from review.core.lifecycle import CallState
from review.core.parsers import findings_about, parse_calls
from review.core.transcript import Call, Settings, propose_roles
from review.permissions import NotAllowed
from review.tasks import prefill_call

_NO_BROKER = "The broker cannot be reached; run prefill_calls when it is back."
_WORTH_A_BELL = {CallState.RECEIVED.value, CallState.PREFILLING.value}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the importer decided beforehand.

    `confirm_roles` confirms every role that a usual name proposes, for this source and catalog;
    `new_revision` takes other bytes of a known call as its next transcript.
    """

    confirm_roles: bool = False
    new_revision: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one call of a file: `word` is created, changed, unchanged or refused."""

    word: str
    place: str
    sentence: str
    call_id: UUID | None = None

    @property
    def is_refused(self) -> bool:
        """Whether the call was not taken."""
        return self.call_id is None


def import_file(
    data: bytes,
    *,
    name: str,
    form: str | None,
    site: Site,
    by: User | None,
    asked: Asked = Asked(),
) -> Iterator[Taken]:
    """Import every call of a file and yield what became of each, refusals of the reader first."""
    result = parse_calls(data, name=name, format=form)
    for where, finding in result.refused:
        yield Taken("refused", where, f"{finding.code}: {finding.text}")
    for call in result.calls:
        place = f"{name}, {call.id}"
        about = findings_about(call, result)
        yield take_call(call, findings=about, place=place, site=site, by=by, asked=asked)


def take_call(
    call: Call,
    *,
    findings: Sequence[Finding],
    place: str,
    site: Site,
    by: User | None,
    asked: Asked = Asked(),
) -> Taken:
    """Import one call and ask for its pre-fill unless a person must settle something first."""
    try:
        imported = _import(call, findings, site, by, asked)
    except (UnableToImport, NotAllowed) as refusal:
        return Taken("refused", place, str(refusal))
    except DataError:
        # The database's own words would repeat the value.
        return Taken("refused", place, "A value is beyond what can be stored. Correct the call.")
    if asked.confirm_roles and imported.state == CallState.NEEDS_MAPPING.value:
        sentence = _confirm_roles(call, imported, by)
    else:
        sentence = _ask_for_prefill(imported, by)
    return Taken(imported.outcome.value, place, sentence or imported.sentence, imported.call_id)


def _import(
    call: Call, findings: Sequence[Finding], site: Site, by: User | None, asked: Asked
) -> Imported:
    now = datetime.now(UTC)
    try:
        return import_call(call_id=uuid4(), site=site, call=call, findings=findings, by=by, at=now)
    except OtherBytes:
        if not asked.new_revision:
            raise
    return import_revision(site=site, call=call, findings=findings, by=by, at=now)


def _confirm_roles(call: Call, imported: Imported, by: User | None) -> str:
    """Confirm the proposed roles; a call that waits for more than them stays as it is."""
    declared = version_for_call(call.attributes, call.date).document
    proposed = propose_roles(call, declared.speakers if declared else ())
    reading = Reading(
        settings=Settings({}, call.ended, call.language),
        roles={one.key: one.role for one in proposed if one.role},
        accepted=frozenset(),
        version_id=None,
        remember=True,
        expected=imported.transcript_revision,
    )
    try:
        confirm_mapping(
            call_id=imported.call_id, reading=reading, run_id=uuid4(), by=by, at=datetime.now(UTC)
        )
    except (UnableToMap, MovedOn):
        return imported.sentence
    rung = "" if ring(imported.call_id) else _NO_BROKER
    return f"Its roles were confirmed and are remembered. {rung}".rstrip()


def ring(call_id: UUID) -> bool:
    """Ring the worker's bell for a call; False when the broker cannot be reached."""
    try:
        prefill_call.delay_on_commit(call_id=str(call_id))
    except OperationalError:
        return False
    return True


def _ask_for_prefill(imported: Imported, by: User | None) -> str:
    if imported.state not in _WORTH_A_BELL:
        return ""
    if imported.state == CallState.RECEIVED.value:
        try:
            queue_prefill(call_id=imported.call_id, run_id=uuid4(), by=by, at=datetime.now(UTC))
        except UnableToPrefill as refusal:
            # Another importer of the same call was quicker; what it asked for stands.
            return str(refusal)
    if ring(imported.call_id):
        return ""
    return _NO_BROKER
