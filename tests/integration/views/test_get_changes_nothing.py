"""GET changes nothing: every address is asked by everybody, between two checksums of all tables.

Two writes are meant. Whoever opens a call's words is in the decision log before they get them
(audit_security 2e), so the log may grow by entries of the kind call.open, one for each page with
words, and by nothing else. And a session's own row holds when it was last used (2h).
"""

from __future__ import annotations

from collections import Counter
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client

from oipsce_site.ledger.core.chain import read_body
from oipsce_site.people.roles import Role
from tests.factories import make_person
from tests.integration.views import permission_table as table
from tests.integration.views.lines import SITE_ROLES
from tests.integration.views.world import DRAFT_VERSION, World, addresses, apart

SESSIONS = "public.django_session"
LOG = "audit.entry"
#: The pages that show words of a call, so each view leaves its entry.
WITH_WORDS = {"review:call", "review:call_vcon", "review:mapping", "review:dispute"}
WALKERS = [
    *((role, True) for role in table.ROLES),
    *((role, False) for role in SITE_ROLES),
    ("", True),
]


@pytest.mark.parametrize(("role", "near"), WALKERS)
def test_get_changes_nothing(role: str, near: bool, world: World) -> None:
    client = Client()
    with apart():
        person = make_person(
            *([Role(role)] if role else []), site=world.north if near else world.south
        )
        client.force_login(person)
        before, written = checksums(), entries()
        seen = {name: client.get(where).status_code for name, where in everywhere(world)}
        after = checksums()
        opened = [read_body(body)["type"] for key, body in entries().items() if key not in written]
    changed = {name for name in before if before[name] != after[name]}
    assert changed <= {SESSIONS, LOG}
    words = [name for name in seen if name in WITH_WORDS and seen[name] == 200]
    assert Counter(opened) == Counter({"call.open": len(words)} if words else {})


def everywhere(world: World) -> list[tuple[str, str]]:
    """Return every address with what there is, with what is not there, and of the draft.

    Signing out is asked last, for what a GET of it may do to the sign-in.
    """
    found = []
    for name in sorted(addresses(), key=lambda name: name == "account_logout"):
        found.append((name, world.address(name)))
        missing = world.missing(name)
        if missing is not None:
            found.append((f"{name} of nothing", missing))
    found.append(("draft", world.address("catalogs:version", version=DRAFT_VERSION)))
    return found


def checksums() -> dict[str, str]:
    """Return a checksum of the rows of every table, by schema and name."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select format('%I.%I', schemaname, tablename) from pg_tables "
            "where schemaname not in ('pg_catalog', 'information_schema')"
        )
        names = [name for (name,) in cursor.fetchall()]
        union = " union all ".join(
            f"select '{name}', md5(string_agg(md5(one::text), '' order by md5(one::text))) "  # noqa: S608
            f"from {name} as one"
            for name in names
        )
        cursor.execute(union)
        found = dict(cursor.fetchall())
    assert {SESSIONS, LOG, "public.review_call"} <= found.keys()
    return found


def entries() -> dict[tuple[UUID, int], bytes]:
    with connection.cursor() as cursor:
        cursor.execute("select chain_id, seq, body from audit.entry")
        return {(chain, seq): bytes(body) for chain, seq, body in cursor.fetchall()}
