"""Texts of drafts and remarks on versions are only added, and never changed or deleted."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

TABLES = ("catalogs_drafttext", "catalogs_versionremark")

TRIGGERS = "".join(
    f"create trigger refuse_change before update or delete on {table} "
    "for each row execute function catalogs_refuse_change();\n"
    f"alter table {table} enable always trigger refuse_change;\n"
    for table in TABLES
)
REVERSE = "".join(f"drop trigger refuse_change on {table};\n" for table in TABLES)


class Migration(migrations.Migration):
    """The trigger function is that of 0002; it fires in replica sessions as well."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("catalogs", "0003_drafts")]
    operations: ClassVar[list[migrations.operations.base.Operation]] = [
        migrations.RunSQL(TRIGGERS, REVERSE),
    ]
