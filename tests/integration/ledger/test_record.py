"""record(): the one writer, in the transaction of the change or not at all."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.core.management import call_command
from django.db import OperationalError, connection, transaction
from django.test import override_settings

from oipsce_site import logs
from oipsce_site.ledger import queries
from oipsce_site.ledger.actors import person, worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.core.entry import About, Actor, ActorKind, Entry, RefusedFact
from oipsce_site.ledger.management.commands import verify_chains
from oipsce_site.ledger.models import StoredEntry
from oipsce_site.ledger.record import (
    ORGANISATION_CHAIN,
    Act,
    UnableToRecord,
    new_nonce,
    record,
    record_all,
)
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role

ANNA = Actor("u-1", "reviewer", ActorKind.PERSON)
NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def edit(chain_id: UUID, number: int = 0, **changes: Any) -> Entry:
    arguments: dict[str, Any] = {
        "chain_id": chain_id,
        "about": About.CALL,
        "kind": "row.edit",
        "by": ANNA,
        "at": NOON,
        "facts": {"turn": number},
    }
    return record(**{**arguments, **changes})


def facts_of(entry: Entry) -> Value:
    return read_body(entry.body)["facts"]


@pytest.mark.django_db
def test_the_first_record_makes_the_genesis(chain_id: UUID) -> None:
    entry = edit(chain_id)
    genesis, stored = queries.entries_of(chain_id)
    assert (genesis.seq, facts_of(genesis)) == (0, {"about": "call", "id": str(chain_id)})
    assert stored == entry
    assert (entry.seq, facts_of(entry)) == (1, {"turn": 0})
    assert queries.verify(chain_id) == []


@pytest.mark.django_db
def test_a_body_names_actor_request_and_build(chain_id: UUID) -> None:
    user = User.objects.create_user("anna", "Anna Bell")
    token = logs.request_id.set("req-7")
    with override_settings(APP_BUILD="1.2.3"):
        entry = edit(chain_id, by=person(user, Role.SENIOR_REVIEWER))
    logs.request_id.reset(token)
    body = read_body(entry.body)
    assert body["actor"] == {"id": str(user.pk), "kind": "person", "role": "senior_reviewer"}
    assert (body["request"], body["build"], body["type"]) == ("req-7", "1.2.3", "row.edit")


def test_a_worker_acts_under_its_name() -> None:
    actor = worker("prefill")
    assert (actor.id, actor.role, actor.kind) == ("prefill", "worker", ActorKind.WORKER)


@pytest.mark.django_db(transaction=True)
def test_outside_a_transaction_nothing_is_recorded(chain_id: UUID) -> None:
    with pytest.raises(UnableToRecord, match="no transaction is open"):
        edit(chain_id)
    assert list(queries.entries_of(chain_id)) == []


@pytest.mark.django_db(transaction=True)
def test_a_rollback_leaves_nothing(chain_id: UUID) -> None:
    with transaction.atomic():
        edit(chain_id)
        transaction.set_rollback(True)
    assert [finding.code for finding in queries.verify(chain_id)] == ["LOG-E001"]


@pytest.mark.django_db
def test_a_rolled_back_savepoint_leaves_the_chain_whole(chain_id: UUID) -> None:
    edit(chain_id, 1)
    with transaction.atomic():
        edit(chain_id, 2)
        transaction.set_rollback(True)
    assert edit(chain_id, 3).seq == 2
    assert queries.verify(chain_id) == []


@pytest.mark.django_db
def test_f11_a_clock_that_goes_back_is_held_and_the_stated_time_kept(chain_id: UUID) -> None:
    first = edit(chain_id)
    second = edit(chain_id, at=NOON - timedelta(seconds=1))
    assert second.at_us == first.at_us
    assert facts_of(second) == {"turn": 0, "stated_at_us": first.at_us - 1_000_000}
    assert queries.verify(chain_id) == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "error"),
    [
        pytest.param({"kind": "genesis"}, UnableToRecord, id="genesis by hand"),
        pytest.param({"about": About.SITE}, UnableToRecord, id="about something else"),
        pytest.param({"about": About.ORGANISATION}, UnableToRecord, id="about the organisation"),
        pytest.param({"facts": {"reason": "she said so"}}, RefusedFact, id="free text"),
        pytest.param({"at": NOON.replace(tzinfo=None)}, ValueError, id="naive time"),
    ],
)
def test_what_does_not_belong_is_refused(
    chain_id: UUID, changes: dict[str, Any], error: type[Exception]
) -> None:
    edit(chain_id)
    with pytest.raises(error):
        edit(chain_id, **changes)
    assert len(list(queries.entries_of(chain_id))) == 2


@pytest.mark.django_db
def test_the_organisation_has_one_chain(chain_id: UUID) -> None:
    with pytest.raises(UnableToRecord, match="the organisation has the chain"):
        edit(chain_id, about=About.ORGANISATION)
    with pytest.raises(UnableToRecord, match="organisation"):
        edit(ORGANISATION_CHAIN, about=About.CALL)
    edit(ORGANISATION_CHAIN, about=About.ORGANISATION, kind="role.grant")
    assert queries.verify(ORGANISATION_CHAIN) == []


def test_nonces_are_32_bytes_and_differ() -> None:
    first, second = new_nonce(), new_nonce()
    assert len(first) == 32
    assert first != second


@pytest.mark.django_db(transaction=True)
def test_writers_at_the_same_time_keep_one_chain() -> None:
    """Four connections, one new chain, twenty records each."""
    chain_id = uuid4()

    def write(writer: int) -> None:
        try:
            for number in range(20):
                with transaction.atomic():
                    edit(chain_id, writer * 100 + number)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    entries = list(queries.entries_of(chain_id))
    assert [entry.seq for entry in entries] == list(range(81))
    assert queries.verify(chain_id) == []


@pytest.mark.django_db(transaction=True)
def test_a_second_writer_waits_for_the_first_on_the_same_chain_only() -> None:
    busy, free = uuid4(), uuid4()

    def write(chain_id: UUID) -> str:
        try:
            with transaction.atomic():
                with connection.cursor() as cursor:
                    cursor.execute("set local lock_timeout = '200ms'")
                edit(chain_id)
        except OperationalError as error:
            cause = error.__cause__
            return str(cause.sqlstate) if isinstance(cause, psycopg.Error) else "?"
        finally:
            connection.close()
        return "written"

    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        edit(busy)
        assert pool.submit(write, busy).result() == "55P03"
        assert pool.submit(write, free).result() == "written"


@pytest.mark.django_db
def test_verify_chains_prints_one_line_per_good_chain(
    chain_id: UUID, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(chain_id)
    call_command("verify_chains")
    printed = capsys.readouterr().out
    assert f"{chain_id} ok\n" in printed
    assert printed.endswith("0 broken chain(s), 0 fault(s) of the guard\n")


@pytest.mark.django_db
def test_verify_chains_exits_1_with_the_finding(
    head: Entry, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StoredEntry, "as_entry", lambda _row: head)
    with pytest.raises(SystemExit) as stop:
        call_command("verify_chains", str(head.chain_id))
    assert stop.value.code == 1
    assert f"{head.chain_id} LOG-E003 entry 1: entry 0 was expected" in capsys.readouterr().out


@pytest.mark.django_db
def test_verify_chains_of_an_unknown_chain_exits_1(capsys: pytest.CaptureFixture[str]) -> None:
    unknown = uuid4()
    with pytest.raises(SystemExit):
        call_command("verify_chains", str(unknown))
    assert f"{unknown} LOG-E001 chain: the chain has no entries" in capsys.readouterr().out


@pytest.mark.django_db
def test_verify_chains_exits_1_when_the_guard_has_a_fault(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify_chains, "check_triggers", lambda: ["trigger verify is missing"])
    with pytest.raises(SystemExit) as stop:
        call_command("verify_chains")
    assert stop.value.code == 1
    assert capsys.readouterr().out.startswith("guard: trigger verify is missing\n")


@pytest.mark.django_db
def test_many_acts_are_recorded_by_three_statements(
    chain_id: UUID, django_assert_num_queries: Any
) -> None:
    new = uuid4()
    edit(chain_id)
    acts = [Act(chain, About.CALL, "row.edit", ANNA, {}) for chain in (chain_id, new, chain_id)]
    with django_assert_num_queries(3):
        written = record_all(acts, at=NOON)
    assert [(entry.chain_id, entry.seq) for entry in written] == [
        *((chain_id, 2), (new, 0), (new, 1), (chain_id, 3))
    ]
    assert queries.verify(chain_id) == queries.verify(new) == []


@pytest.mark.django_db
def test_of_many_acts_all_are_recorded_or_none(chain_id: UUID) -> None:
    acts = [
        Act(chain_id, About.CALL, "row.edit", ANNA, {}),
        Act(ORGANISATION_CHAIN, About.CALL, "row.edit", ANNA, {}),
    ]
    with pytest.raises(UnableToRecord), transaction.atomic():
        record_all(acts, at=NOON)
    assert chain_id not in set(queries.chain_ids())
