"""The migration to transcript revisions: what was stored before is revision 1 and still opens."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations import RunSQL
from django.db.migrations.loader import MigrationLoader

from oipsce_site.people.models import Site
from oipsce_site.sealing import new_data_key
from review.actions.opening import work_on
from review.actions.revising import transcript_columns
from review.actions.sealed import copy_turns, sealer_of
from review.models import Call, TranscriptRevision, Turn
from tests.factories import NOON, case


@pytest.mark.django_db
def test_a_call_of_before_becomes_revision_one(north: Site) -> None:
    call = case()
    stored = Call.objects.create(
        id="00000000-0000-4000-8000-000000000001",
        site=north,
        source=call.source.format,
        external_id=call.source.external_id,
        title=call.title,
        state="RECEIVED",
        call_date=call.date,
        started_at=call.started_at,
        language=call.language,
        source_sha256=call.source.sha256,
        wrapped_key=new_data_key(),
        received_at=NOON,
        **transcript_columns(call, ()),
    )
    stored.refresh_from_db()
    copy_turns([(stored, call)])
    first = Turn.objects.get(call=stored, position=0)
    assert sealer_of(stored).open(f"turn:{first.number}", first.sealed) == call.turns[0].text

    loader = MigrationLoader(None)
    [name] = [name for app, name in loader.disk_migrations if name.endswith("transcript_revisions")]
    last = loader.get_migration("review", name).operations[-1]
    assert isinstance(last, RunSQL)
    with connection.cursor() as cursor:
        cursor.execute(str(last.sql))

    revision = TranscriptRevision.objects.get()
    assert (revision.number, revision.why, revision.at) == (1, "IMPORT", NOON)
    assert revision.transcript_digest == stored.transcript_digest
    read = work_on(call_id=stored.pk).call
    assert (read.turns, read.speakers, read.attributes) == (
        call.turns,
        call.speakers,
        call.attributes,
    )
