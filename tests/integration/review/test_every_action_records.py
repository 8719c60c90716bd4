"""Every action leaves its entry in the decision log: one table, and no action may be missing."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from uuid import UUID, uuid4

import pytest

import catalogs.actions
import oipsce_site.administration.actions
import review.actions
from catalogs.actions.calibration import waive_calibration
from catalogs.actions.versions import publish_version, retire_version, submit_version
from oipsce_site.administration.actions.founding import Appointment, appoint_person
from oipsce_site.administration.actions.sites import open_site
from oipsce_site.ledger.core.entry import Entry
from oipsce_site.ledger.queries import chain_ids, entries_of, verify
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
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
from review.actions.confirming import confirm_rows
from review.actions.decisions import decide
from review.actions.intake import Offer
from review.actions.mapping import confirm_mapping, send_to_mapping, withdraw_call
from review.actions.opening import open_for_mapping, open_for_review, work_on
from review.actions.prefill import (
    Filled,
    fail_prefill,
    give_up_lost,
    queue_prefill,
    store_prefill,
    store_prefills,
)
from review.actions.proving import Proofs, prove_signer
from review.actions.rebuilding import rebuild_rows
from review.actions.refused_signing import UnableToSign
from review.actions.reimport import import_revision
from review.actions.reopening import ask_to_reopen, decline_reopening, reopen_call
from review.actions.requeue import read_again
from review.actions.revising import swap_speakers
from review.actions.role_maps import forget_role_map
from review.actions.undoing import redo_last, undo_last
from review.core.decisions import Ask, Kind
from review.core.evaluation import judge_call
from review.core.transcript import Swap
from review.models import Call, ImportBatch, PhaseRow, RoleMap
from review.models import Decision as StoredDecision
from review.queries import cascade_of
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
from tests.integration.review.queue_acts import PARTS_OF_QUEUE, QUEUE
from tests.signers import (
    SESSION,
    Signer,
    begin,
    complete,
    read_and_decide,
    sign_by_code,
    with_app,
    with_passkey,
)

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


def _store_several() -> Act:
    started = _started()
    judged = judge_call(work_on(call_id=started.call_id).call, cascade_of(started.catalog_digest))
    filled = [Filled(started, uuid4(), judged)]
    return lambda: store_prefills(filled=filled, by="w", at=NOON)


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


def _confirm_together() -> Act:
    publish(catalog_source("benefits_verification"))
    call_id, by = prefilled(case("case_b_call")), make_person(Role.REVIEWER)
    rows = {"CRN": 1}
    return lambda: confirm_rows(call_id=call_id, revisions=rows, key=uuid4(), by=by, at=NOON)


def _undo() -> Act:
    publish(catalog_source("micro"))
    call_id, by = prefilled(case()), make_person(Role.REVIEWER)
    asked = Ask(Kind.CONFIRM, "PID")
    decide(call_id=call_id, decision=asked, expected_revision=1, key=uuid4(), by=by, at=NOON)
    return lambda: undo_last(call_id=call_id, key=uuid4(), by=by, at=NOON)


def _redo() -> Act:
    undo = _undo()
    undo()
    last = StoredDecision.objects.select_related("by").get(kind="UNDO")
    return lambda: redo_last(call_id=last.call_id, key=uuid4(), by=last.by, at=NOON)


def _ready_to_sign() -> tuple[UUID, Signer]:
    publish(catalog_source("micro"))
    call_id = prefilled(case())
    signer = with_passkey(with_app(make_person(Role.SENIOR_REVIEWER)))
    read_and_decide(call_id, signer.user)
    return call_id, signer


def _begin_signing() -> Act:
    call_id, signer = _ready_to_sign()
    return lambda: begin(signer, call_id)


def _sign() -> Act:
    call_id, signer = _ready_to_sign()
    begun = begin(signer, call_id)
    return lambda: complete(signer, call_id, begun)


def _sign_attested() -> Act:
    call_id, signer = _ready_to_sign()
    return lambda: sign_by_code(signer.user, call_id)


def _prove() -> Act:
    by = make_person(Role.REVIEWER)

    def wrong() -> None:
        with pytest.raises(UnableToSign):
            prove_signer(proofs=Proofs(SESSION, password="another"), by=by, at=NOON)

    return wrong


def _ask_to_reopen() -> Act:
    call_id, signer = _ready_to_sign()
    sign_by_code(signer.user, call_id)
    return lambda: ask_to_reopen(call_id=call_id, reason="why", by=signer.user, at=NOON)


def _asked_to_reopen() -> tuple[UUID, User]:
    _ask_to_reopen()()
    return Call.objects.get().pk, make_person(Role.SENIOR_REVIEWER)


def _reopen() -> Act:
    call_id, by = _asked_to_reopen()
    return lambda: reopen_call(call_id=call_id, reason="why", by=by, at=NOON)


def _decline() -> Act:
    call_id, by = _asked_to_reopen()
    return lambda: decline_reopening(call_id=call_id, reason="why", by=by, at=NOON)


def _rebuild() -> Act:
    publish(catalog_source("micro"))
    call_id = prefilled(case())
    PhaseRow.objects.filter(phase="PID").update(position=9)
    return lambda: rebuild_rows(call_id=call_id, by="w", at=NOON)


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
    "store_prefills": ("prefill.store", _store_several),
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
    "confirm_rows": ("row.decide", _confirm_together),
    "undo_last": ("row.decide", _undo),
    "redo_last": ("row.decide", _redo),
    "rebuild_rows": ("rows.rebuild", _rebuild),
    "begin_signing": ("call.sign_begin", _begin_signing),
    "sign_call": ("call.sign", _sign),
    "sign_attested": ("call.sign call.sign_begin", _sign_attested),
    "prove_signer": ("signing.refuse", _prove),
    "ask_to_reopen": ("call.reopen_ask", _ask_to_reopen),
    "reopen_call": ("call.reopen", _reopen),
    "decline_reopening": ("call.reopen_decline", _decline),
    "forget_role_map": ("rolemap.forget", _forget),
    "open_site": ("site.open", _open_site),
    "appoint_person": ("person.appoint", _appoint),
    **QUEUE,
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
    "work_on_all": "store_prefill",
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
    "store_evaluations": "store_prefill",
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
    "open_decided": "open_for_review",
    # After an entry of its own: the decision's.
    "open_taken": "decide",
    "differing_rows": "rebuild_rows",
    "signing_content": "sign_call",
    "current_evaluation": "sign_call",
    "evidence_of": "sign_call",
    "seal_inputs": "begin_signing",
    "unseal_inputs": "sign_call",
    "unseal_input_values": "sign_call",
    "lock_review": "sign_call",
    "read_to_sign": "begin_signing",
    "what_changed": "sign_call",
    "end_signature": "decide",
    "nonces_of": "store_prefill",
    "nonces_of_calls": "store_prefill",
    "sealer_of": "open_for_review",
    "unseal_call": "open_for_review",
    "unseal_calls": "open_for_review",
    **PARTS_OF_QUEUE,
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
