"""Every action leaves its entry in the decision log: one table, and no action may be missing."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import mkdtemp
from uuid import UUID, uuid4

import pytest
from django.test import override_settings

import catalogs.actions
import oipsce_site.administration.actions
import review.actions
from catalogs.actions.calibration import waive_calibration
from catalogs.actions.versions import publish_version, retire_version, submit_version
from oipsce_site.administration.actions.founding import Appointment, appoint_person
from oipsce_site.administration.actions.sites import open_site
from oipsce_site.ledger.checkpoints import seal_heads
from oipsce_site.ledger.core.entry import Entry
from oipsce_site.ledger.queries import chain_ids, entries_of, verify
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from oipsce_site.signing.store import KeyStore
from review.actions.batches import (
    StartedBatch,
    Upload,
    claim_batch,
    fail_batch,
    finish_batch,
    pause_batch,
    receive_batch,
    resume_batch,
)
from review.actions.claims import LEASE, StartedRun, claim_prefills
from review.actions.decisions import decide
from review.actions.export_orders import StartedExport, begin_building
from review.actions.exports import (
    Wish,
    claim_export,
    fail_export,
    fetch_export,
    finish_export,
    request_export,
)
from review.actions.intake import Offer
from review.actions.mapping import confirm_mapping, send_to_mapping, withdraw_call
from review.actions.opening import open_for_mapping, open_for_review, work_on
from review.actions.prefill import (
    fail_prefill,
    give_up_lost,
    queue_prefill,
    store_prefill,
)
from review.actions.rebuilding import rebuild_rows
from review.actions.reimport import import_revision
from review.actions.requeue import read_again
from review.actions.revising import swap_speakers
from review.actions.role_maps import forget_role_map
from review.core.decisions import Ask, Kind
from review.core.evaluation import judge_call
from review.core.transcript import Swap
from review.models import AuditExport, Call, ImportBatch, PhaseRow, ProfileCode, RoleMap
from review.queries import cascade_of
from review.queries.chains import sites_of_chains
from tests.factories import (
    NOON,
    case,
    catalog_source,
    draft,
    given_up,
    in_review,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
    read_as,
    rehearsed,
    take,
    unmapped_call,
)
from tests.integration.administration.acts import ADMINISTRATION, PARTS_OF_ADMINISTRATION
from tests.signed import sign_stored

Act = Callable[[], object]


def _submit() -> Act:
    author = make_person(Role.CATALOG_AUTHOR)
    version_id = draft(catalog_source("micro"), author)
    return lambda: submit_version(version_id=version_id, by=author, at=NOON)


def _draft() -> Act:
    author = make_person(Role.CATALOG_AUTHOR)
    return lambda: draft(catalog_source("micro"), author)


def _waive() -> Act:
    version_id = draft(catalog_source("micro"), make_person(Role.CATALOG_AUTHOR))
    approver = make_person(Role.CATALOG_APPROVER)
    return lambda: waive_calibration(
        version_id=version_id, report_id=uuid4(), reason="why", by=approver, at=NOON
    )


def _rehearse() -> Act:
    source = catalog_source("micro")
    version_id = draft(source, make_person(Role.CATALOG_AUTHOR))
    return lambda: rehearsed(version_id, source)


def _publish() -> Act:
    approver = make_person(Role.CATALOG_APPROVER)
    source = catalog_source("micro")
    version_id = in_review(source, make_person(Role.CATALOG_AUTHOR), approver)
    return lambda: publish_version(version_id=version_id, by=approver, at=NOON)


def _retire() -> Act:
    approver = make_person(Role.CATALOG_APPROVER)
    version_id = publish(catalog_source("micro"), None, approver)
    last_day = date(2027, 1, 1)
    return lambda: retire_version(version_id=version_id, last_day=last_day, by=approver, at=NOON)


def _import() -> Act:
    publish(catalog_source("micro"))
    site = make_site()
    return lambda: take(case(), site)


def _queue() -> Act:
    publish(catalog_source("micro"))
    raw = raw_micro()
    raw["turns"][0]["speaker"] = "somebody"
    call_id = take(read(raw)).call_id
    Call.objects.filter(pk=call_id).update(state="RECEIVED", needs_mapping="")
    return lambda: queue_prefill(call_id=call_id, run_id=uuid4(), by=None, at=NOON)


def _started() -> StartedRun:
    publish(catalog_source("micro"))
    take(case())
    [started] = claim_prefills(most=1, at=NOON)
    return started


def _store() -> Act:
    started = _started()
    judged = judge_call(work_on(call_id=started.call_id).call, cascade_of(started.catalog_digest))
    return lambda: store_prefill(
        started=started, evaluation_id=uuid4(), judged=judged, by="w", at=NOON
    )


def _give_up() -> Act:
    _started()
    late = NOON + 2 * LEASE
    assert claim_prefills(most=1, at=late)
    assert claim_prefills(most=1, at=late + 2 * LEASE)
    return lambda: give_up_lost(by="w", at=late + 4 * LEASE)


def _received() -> tuple[UUID, User]:
    importer = make_person(Role.COMPLIANCE_OFFICER)
    batch_id = uuid4()
    receive_batch(
        batch_id=batch_id,
        site=make_site(),
        uploads=[Upload("a.json", json.dumps(raw_micro()).encode())],
        by=importer,
        at=NOON,
    )
    return batch_id, importer


def _claimed() -> StartedBatch:
    _received()
    started = claim_batch(at=NOON)
    assert started is not None
    return started


def _receive() -> Act:
    return _received


def _pause() -> Act:
    batch_id, importer = _received()
    return lambda: pause_batch(batch_id=batch_id, by=importer, at=NOON)


def _resume() -> Act:
    batch_id, importer = _received()
    pause_batch(batch_id=batch_id, by=importer, at=NOON)
    return lambda: resume_batch(batch_id=batch_id, by=importer, at=NOON)


def _finish() -> Act:
    started = _claimed()
    return lambda: finish_batch(started=started, by="w", at=NOON)


def _fail_batch() -> Act:
    started = _claimed()
    ImportBatch.objects.update(losses=2)
    return lambda: fail_batch(started=started, failure="X", by="w", at=NOON)


def _fail() -> Act:
    started = _started()
    return lambda: fail_prefill(started=started, failure="X", by="w", at=NOON)


def _open_to_review() -> Act:
    publish(catalog_source("micro"))
    call_id = prefilled(case())
    reader = make_person(Role.REVIEWER)
    return lambda: open_for_review(call_id=call_id, by=reader, at=NOON)


def _open_site() -> Act:
    return lambda: open_site(site_id=uuid4(), slug="west", name="West", by="w", at=NOON)


def _appoint() -> Act:
    who = Appointment("somebody", "Some Body", Role.AUDITOR, make_site())
    return lambda: appoint_person(appointment=who, password="a password", by="w", at=NOON)


def _to_map() -> tuple[UUID, User]:
    """Make a call that waits for its roles, and a person who may say them."""
    publish(catalog_source("micro"))
    return take(unmapped_call()).call_id, make_person(Role.COMPLIANCE_OFFICER)


def _confirm() -> Act:
    call_id, by = _to_map()
    reading = read_as({"doctor": "agent", "patient": "patient"})
    return lambda: confirm_mapping(call_id=call_id, reading=reading, run_id=uuid4(), by=by, at=NOON)


def _swap() -> Act:
    call_id, by = _to_map()
    swap = Swap(1, 3, "doctor", "patient")
    return lambda: swap_speakers(call_id=call_id, swap=swap, expected=1, by=by, at=NOON)


def _withdraw() -> Act:
    call_id, by = _to_map()
    return lambda: withdraw_call(call_id=call_id, reason="nobody knows", by=by, at=NOON)


def _send_back() -> Act:
    publish(catalog_source("micro"))
    call_id, by = prefilled(case()), make_person(Role.SENIOR_REVIEWER)
    return lambda: send_to_mapping(call_id=call_id, reason="swapped", by=by, at=NOON)


def _open_to_map() -> Act:
    call_id, by = _to_map()
    return lambda: open_for_mapping(call_id=call_id, by=by, at=NOON)


def _revise() -> Act:
    publish(catalog_source("micro"))
    site = make_site()
    prefilled(case(), site)
    other = read(raw_micro(title="again"))
    offer = Offer(uuid4(), uuid4(), other)
    return lambda: import_revision(site=site, offer=offer, by=None, at=NOON)


def _read_again() -> Act:
    publish(catalog_source("micro"))
    call_id = given_up()
    by = make_person(Role.COMPLIANCE_OFFICER)
    return lambda: read_again(call_id=call_id, by=by, at=NOON)


def _forget() -> Act:
    _confirm()()
    by = User.objects.get(memberships__role=Role.COMPLIANCE_OFFICER)
    map_id = RoleMap.objects.get().id
    return lambda: forget_role_map(map_id=map_id, by=by, at=NOON)


def _decide() -> Act:
    publish(catalog_source("micro"))
    call_id, by = prefilled(case()), make_person(Role.REVIEWER)
    asked = Ask(Kind.CONFIRM, "PID")
    return lambda: decide(
        call_id=call_id, decision=asked, expected_revision=1, key=uuid4(), by=by, at=NOON
    )


def _rebuild() -> Act:
    publish(catalog_source("micro"))
    call_id = prefilled(case())
    PhaseRow.objects.filter(phase="PID").update(position=9)
    return lambda: rebuild_rows(call_id=call_id, by="w", at=NOON)


def _asked_export() -> tuple[UUID, User]:
    publish(catalog_source("micro"))
    call_id = prefilled(case())
    sign_stored(call_id, make_person(Role.SENIOR_REVIEWER))
    export_id, by = uuid4(), make_person(Role.COMPLIANCE_OFFICER)
    wish = Wish(ProfileCode.MINIMUM, "Somebody", "something")
    request_export(export_id=export_id, site=make_site(), wish=wish, by=by, at=NOON)
    return export_id, by


def _request_export() -> Act:
    by = make_person(Role.COMPLIANCE_OFFICER)
    wish = Wish(ProfileCode.MINIMUM, "Somebody", "something")
    return lambda: request_export(export_id=uuid4(), site=make_site(), wish=wish, by=by, at=NOON)


def _claim_export() -> Act:
    _asked_export()
    return lambda: claim_export(by="w", at=NOON)


def _built_export() -> tuple[StartedExport, User]:
    """Begin building an export, keys in a folder of their own."""
    export_id, by = _asked_export()
    claim_export(by="w", at=NOON)
    folder = Path(mkdtemp())
    store = KeyStore(folder / "keys")
    store.make_keys(log="oip-sce.test/log", root_file=None, at=NOON)
    with override_settings(SIGNING_KEY_DIR=str(store.folder)):
        seal = seal_heads(place=sites_of_chains, at=datetime.now(UTC))
    assert seal is not None
    at = datetime.now(UTC)
    started = begin_building(export_id=export_id, seal=seal, store=store, verifier=b"", at=at)
    return started, by


def _finish_export() -> Act:
    started, _ = _built_export()
    at = datetime.now(UTC)
    return lambda: finish_export(started=started, digest="0" * 64, size=1, by="w", at=at)


def _fail_export() -> Act:
    export_id, _ = _asked_export()
    for _attempt in range(3):
        claim_export(by="w", at=NOON)
        AuditExport.objects.filter(attempts__lt=3).update(state="QUEUED", lease_until=None)
    return lambda: fail_export(export_id=export_id, attempt=3, failure="X", by="w", at=NOON)


def _fetch_export() -> Act:
    started, by = _built_export()
    at = datetime.now(UTC)
    finish_export(started=started, digest="0" * 64, size=1, by="w", at=at)
    return lambda: fetch_export(export_id=started.export_id, by=by, at=at)


ACTIONS: dict[str, tuple[str, Callable[[], Act]]] = {
    "create_draft": ("version.draft", _draft),
    "submit_version": ("version.submit", _submit),
    "waive_calibration": ("calibration.waive", _waive),
    "publish_version": ("version.publish", _publish),
    "store_rehearsal": ("rehearsal.store", _rehearse),
    "retire_version": ("version.retire", _retire),
    "import_call": ("call.ingest prefill.queue", _import),
    "queue_prefill": ("prefill.queue", _queue),
    "store_prefill": ("prefill.store", _store),
    "fail_prefill": ("prefill.fail", _fail),
    "give_up_lost": ("prefill.fail", _give_up),
    "receive_batch": ("batch.receive", _receive),
    "pause_batch": ("batch.pause", _pause),
    "resume_batch": ("batch.resume", _resume),
    "finish_batch": ("batch.done", _finish),
    "fail_batch": ("batch.failed", _fail_batch),
    "open_for_review": ("call.open", _open_to_review),
    "open_for_mapping": ("call.open", _open_to_map),
    "confirm_mapping": ("mapping.confirm prefill.queue transcript.revise", _confirm),
    "swap_speakers": ("transcript.revise", _swap),
    "withdraw_call": ("call.withdraw", _withdraw),
    "send_to_mapping": ("mapping.reopen", _send_back),
    "import_revision": ("prefill.queue transcript.revise", _revise),
    "read_again": ("prefill.requeue", _read_again),
    "decide": ("row.decide", _decide),
    "rebuild_rows": ("rows.rebuild", _rebuild),
    "request_export": ("audit.request", _request_export),
    "claim_export": ("audit.build", _claim_export),
    "finish_export": ("audit.export call.disclose", _finish_export),
    "fail_export": ("audit.fail", _fail_export),
    "fetch_export": ("audit.fetch", _fetch_export),
    "forget_role_map": ("rolemap.forget", _forget),
    "open_site": ("site.open", _open_site),
    "appoint_person": ("person.appoint", _appoint),
    **ADMINISTRATION,
}


def chain_kinds(entries: list[Entry]) -> list[str]:
    """Return the kinds of entries, geneses left out."""
    return [kind for entry in entries if (kind := json.loads(entry.body)["type"]) != "genesis"]


def logged() -> list[str]:
    """Return the kinds of every entry there is, after verifying every chain."""
    assert [chain for chain in chain_ids() if verify(chain)] == []
    return [kind for chain in chain_ids() for kind in chain_kinds(list(entries_of(chain)))]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_leaves_its_entry(name: str) -> None:
    kinds, prepare = ACTIONS[name]
    act = prepare()
    before = Counter(logged())
    act()
    added = Counter(logged()) - before
    # A new call's chain and a site's first entry have a genesis as well, which is nobody's act.
    assert sorted(added.elements()) == kinds.split()


#: Public functions beside the actions: each is called by one, and its entry stands for both.
PARTS = {
    "check_can_publish": "publish_version",
    "rehearsal_gaps": "publish_version",
    "check_can_store": "import_call",
    "importing_actor": "import_call",
    "load_by_key": "import_call",
    "answer_unchanged": "import_call",
    "transcript_columns": "import_call",
    "store_first_transcripts": "import_call",
    "drop_rows": "confirm_mapping",
    "clear_line": "confirm_mapping",
    "add_revision": "swap_speakers",
    "lock_call": "swap_speakers",
    "remember_roles": "confirm_mapping",
    "run_of": "read_again",
    "requeue": "read_again",
    "check_reason": "withdraw_call",
    "seal_note": "withdraw_call",
    "unseal_notes": "open_for_mapping",
    "slot": "import_call",
    "copy_turns": "import_call",
    "first_words": "import_call",
    "copy_events": "import_call",
    "work_on": "store_prefill",
    "queue_runs": "import_call",
    "import_calls": "import_call",
    "import_portion": "import_call",
    "store_portion": "import_call",
    "open_files": "import_call",
    # Bookkeeping of a job: who holds it. What is done in it has its entries.
    "claim_prefills": "store_prefill",
    "renew_claims": "store_prefill",
    "claim_batch": "finish_batch",
    "release_batch": "finish_batch",
    "note_beat": "store_prefill",
    "forget_old_beats": "store_prefill",
    "store_evaluation": "store_prefill",
    "store_proposals": "store_prefill",
    "write_line": "store_prefill",
    "project_rows": "store_prefill",
    "row_columns": "store_prefill",
    "refold": "store_prefill",
    "judge_folded": "decide",
    "store_folded": "decide",
    "project_folded": "decide",
    "seal_words": "decide",
    "unseal_words": "open_for_review",
    "differing_rows": "rebuild_rows",
    "nonces_of": "store_prefill",
    "sealer_of": "open_for_review",
    "unseal_call": "open_for_review",
    "begin_building": "finish_export",
    "keep_pieces": "finish_export",
    "call_file": "finish_export",
    "catalog_files": "finish_export",
    "signing_content": "finish_export",
    "current_evaluation": "finish_export",
    "evidence_of": "finish_export",
    "seal_inputs": "finish_export",
    "unseal_inputs": "finish_export",
    # Reads our own sources, no row.
    "program": "finish_export",
    **PARTS_OF_ADMINISTRATION,
}


def test_no_action_is_missing_from_the_table() -> None:
    actions = set()
    for function in _public_functions():
        parameters = inspect.signature(function).parameters
        if function.__name__ in PARTS:
            assert PARTS[function.__name__] in ACTIONS
            assert "by" not in parameters, f"{function.__name__} acts for somebody: it is an action"
            continue
        actions.add(function.__name__)
        assert {"by", "at"} <= set(parameters), function.__name__
        kinds = {parameter.kind for parameter in parameters.values()}
        assert kinds == {inspect.Parameter.KEYWORD_ONLY}, function.__name__
    assert actions == set(ACTIONS)


def _public_functions() -> Iterator[Callable[..., object]]:
    for package in (catalogs.actions, oipsce_site.administration.actions, review.actions):
        for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
            loaded = importlib.import_module(module.name)
            for name, function in inspect.getmembers(loaded, inspect.isfunction):
                if not name.startswith("_") and function.__module__ == module.name:
                    yield function
