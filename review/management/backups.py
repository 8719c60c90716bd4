"""What backup and restore share: the database as its owner reaches it, and what is checked after.

A backup holds the whole database and not the key file, without which no word of a call opens. So a
restore asks three questions: are all guards of the decision log there, does every chain verify,
and does the key file of this place open the calls?
"""

from __future__ import annotations

from collections.abc import Iterator

from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from oipsce_site.ledger.queries import chain_ids, verify
from oipsce_site.ledger.selfcheck import OWNER, check_table
from oipsce_site.sealing import CallSealer, SealBroken, SealingKeyError
from oipsce_site.services import dumps
from review.queries.wrapped_keys import wrapped_keys

_ROLES = ("oip_owner", "oip_app")
_OURS = (
    "select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace"
    " where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'"
)


def database_of_owner() -> dumps.Target:
    """Return the database of this process. Raises CommandError unless it runs as the owner."""
    with connection.cursor() as cursor:
        cursor.execute("select current_user::text, current_setting('server_version_num')::int")
        user, version = cursor.fetchone()
    if user != OWNER:
        raise CommandError(
            f"this process runs as {user}: backup and restore are the owner's. Set "
            "OIPSCE_DB_ROLE=owner, and DATABASE_OWNER_URL unless the database is the embedded one"
        )
    return dumps.target(connection.settings_dict, major=version // 10_000)


def check_can_receive(*, replace: bool) -> None:
    """Raise CommandError when the database is not empty, unless `replace`, or lacks a role."""
    with connection.cursor() as cursor:
        cursor.execute("select rolname from pg_roles where rolname = any(%s)", [[*_ROLES]])
        roles = {name for (name,) in cursor.fetchall()}
        cursor.execute(_OURS)
        [tables] = cursor.fetchone()
    if missing := [role for role in _ROLES if role not in roles]:
        raise CommandError(
            f"the server has no role {missing[0]}: make it first (docs/operations.md)"
        )
    if tables and not replace:
        raise CommandError(
            f"the database {connection.settings_dict['NAME']} is not empty: restore into a new "
            "one, or say --replace to remove all that is in it. Nothing was changed"
        )


def faults_after_restore() -> Iterator[str]:
    """Yield one sentence per fault of the restored database; none means that it may be used."""
    yield from check_table()
    for chain_id in chain_ids():
        for finding in verify(chain_id):
            yield f"decision log {chain_id}: {finding.code}: {finding.text}"
    yield from _migration_faults()
    yield from _key_faults()


def _migration_faults() -> Iterator[str]:
    executor = MigrationExecutor(connection)
    known = set(executor.loader.disk_migrations)
    if newer := set(executor.loader.applied_migrations) - known:
        yield (
            f"the backup comes from a newer version: {len(newer)} of its migrations are unknown "
            "here. Install that version before anybody uses the site"
        )
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        yield "the backup comes from an older version: run manage.py migrate as the owner"


def _key_faults() -> Iterator[str]:
    closed = total = 0
    for one in wrapped_keys():
        total += 1
        try:
            CallSealer(one.site_id, one.call_id, one.wrapped)
        except SealBroken:
            closed += 1
        except SealingKeyError as error:
            yield str(error)
            return
    if closed:
        yield (
            f"the key file of this place does not open {closed} of {total} calls: put back the "
            "key file that was in use when the backup was made"
        )
