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
from oipsce_site.people.models import Site, User
from review.actions.intake import Imported, UnableToImport, import_call
from review.actions.prefill import UnableToPrefill, queue_prefill
from review.core.lifecycle import CallState
from review.core.parsers import findings_about, parse_calls
from review.core.transcript import Call
from review.permissions import NotAllowed
from review.tasks import prefill_call

_WORTH_A_BELL = {CallState.RECEIVED.value, CallState.PREFILLING.value}


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one call of a file: `word` is created, unchanged or refused."""

    word: str
    place: str
    sentence: str
    call_id: UUID | None = None

    @property
    def is_refused(self) -> bool:
        """Whether the call was not taken."""
        return self.call_id is None


def import_file(
    data: bytes, *, name: str, form: str | None, site: Site, by: User | None
) -> Iterator[Taken]:
    """Import every call of a file and yield what became of each, refusals of the reader first."""
    result = parse_calls(data, name=name, format=form)
    for where, finding in result.refused:
        yield Taken("refused", where, f"{finding.code}: {finding.text}")
    for call in result.calls:
        place = f"{name}, {call.id}"
        yield take_call(call, findings=findings_about(call, result), place=place, site=site, by=by)


def take_call(
    call: Call, *, findings: Sequence[Finding], place: str, site: Site, by: User | None
) -> Taken:
    """Import one call and ask for its pre-fill unless a person must settle something first."""
    try:
        imported = import_call(
            call_id=uuid4(),
            site=site,
            call=call,
            findings=findings,
            by=by,
            at=datetime.now(UTC),
        )
    except (UnableToImport, NotAllowed) as refusal:
        return Taken("refused", place, str(refusal))
    except DataError:
        # The database's own words would repeat the value.
        return Taken("refused", place, "A value is beyond what can be stored. Correct the call.")
    rung = _ask_for_prefill(imported, by)
    return Taken(imported.outcome.value, place, imported.sentence or rung, imported.call_id)


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
    return "The broker cannot be reached; run prefill_calls when it is back."
