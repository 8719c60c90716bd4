"""Index the entries that say who opened the words of a call, so that they are listed by time.

An entry's kind lies at the end of its body, which is canonical JSON: nothing that a fact holds can
stand there. Run by role oip_owner, as 0001.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

# `oipsce_site.ledger.openings` asks with the same condition, or the planner would not use the index.
OPENINGS = """
create index entry_openings on audit.entry (at_us, chain_id, seq)
  where substr(body, octet_length(body) - 25) = ',"type":"call.open","v":1}'::bytea;
create index entry_openings_by on audit.entry (substr(body, 17, 36), at_us, chain_id, seq)
  where substr(body, octet_length(body) - 25) = ',"type":"call.open","v":1}'::bytea;
"""
NOT_INDEXED = "drop index audit.entry_openings; drop index audit.entry_openings_by;"


class Migration(migrations.Migration):
    """Two partial indexes: by time, and by who opened."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("ledger", "0002_checkpoints")]
    operations: ClassVar[list[migrations.operations.base.Operation]] = [
        migrations.RunSQL(OPENINGS, NOT_INDEXED)
    ]
