"""Calls of vendors through the real import: two files of one call, a log with tools, our vCon."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from oipsce_site.people.roles import Role
from review.actions.batches import Upload, receive_batch
from review.core.parsers import parse_calls
from review.core.transcript.neutral import call_to_vcon
from review.core.transcript.storing import json_text
from review.models import Call, ImportBatch, ImportLine
from review.tasks.imports import import_waiting
from tests.factories import make_person, make_site, raw_micro
from tests.unit.review.parsers.call_files import written
from tests.unit.review.parsers.test_textgrid import DOCTOR, PATIENT, long_form
from tests.unit.review.parsers.test_vendor_traps import retell, said

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
TOOLS = [
    {"role": "tool_call_invocation", "tool_call_id": "a", "name": "find", "arguments": "{}"},
    {"role": "tool_call_result", "tool_call_id": "a", "content": '{"ok": true}'},
]


def our_vcon() -> bytes:
    """Return a call of our own, complete, written as a vCon."""
    (call,) = parse_calls(written(raw_micro()), name="x.json").calls
    return json_text(call_to_vcon(call, created_at="2026-03-10T10:00:00Z")).encode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("catalogs", "bells")
def test_calls_of_vendors_are_stored_and_wait_for_what_they_do_not_say() -> None:
    site = make_site("north")
    uploads = [
        Upload("v7_doctor.TextGrid", long_form(Speaker=DOCTOR).encode()),
        Upload("log.json", written(retell(said("agent", "Hi.", 1), *TOOLS))),
        Upload("v7_patient.TextGrid", long_form(Speaker=PATIENT).encode()),
        Upload("case.vcon", our_vcon()),
    ]
    importer = make_person(Role.COMPLIANCE_OFFICER, site=site)
    receive_batch(batch_id=uuid4(), site=site, uploads=uploads, by=importer, at=NOON)
    import_waiting()
    batch = ImportBatch.objects.get()
    assert (batch.parts, batch.parts_done, batch.state) == (3, 3, "DONE")
    assert {line.word for line in ImportLine.objects.all()} == {"CREATED"}
    stored = {call.source: call for call in Call.objects.all()}
    assert {source: (call.external_id, call.state) for source, call in stored.items()} == {
        "textgrid": ("v7", "NEEDS_MAPPING"),
        "retell": ("c", "NEEDS_MAPPING"),
        "oip-call/1": ("case-micro", "PREFILLING"),
    }
    assert stored["textgrid"].turns.count() == 4
    (event,) = stored["retell"].events.all()
    assert (event.name, event.turn, event.ok) == ("find", 2, True)
