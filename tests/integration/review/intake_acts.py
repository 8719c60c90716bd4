"""Importing, pre-fills and mapping: each action as `test_every_action_records` has it done."""

from __future__ import annotations

import json
from collections.abc import Callable
from uuid import UUID, uuid4

from oipsce_site.administration.actions.founding import Appointment, appoint_person
from oipsce_site.administration.actions.sites import open_site
from oipsce_site.people.models import Site, User
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
from review.actions.intake import Offer
from review.actions.mapping import confirm_mapping, send_to_mapping, withdraw_call
from review.actions.opening import open_for_export, open_for_mapping, open_for_review, work_on
from review.actions.prefill import (
    Filled,
    fail_prefill,
    give_up_lost,
    queue_prefill,
    store_prefill,
    store_prefills,
)
from review.actions.reimport import import_revision
from review.actions.requeue import read_again
from review.actions.revealing import Ground, hide_identifiers, reveal_identifiers
from review.actions.revising import swap_speakers
from review.actions.role_maps import forget_role_map
from review.core.evaluation import judge_call
from review.core.transcript import Swap
from review.models import Call, ImportBatch, RevealWhy, RoleMap
from review.queries import cascade_of
from tests.factories import (
    NOON,
    case,
    catalog_source,
    given_up,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
    read_as,
    take,
    unmapped_call,
)

Act = Callable[[], object]


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


def _open_to_export() -> Act:
    publish(catalog_source("micro"))
    call_id = prefilled(case())
    officer = make_person(Role.COMPLIANCE_OFFICER)
    return lambda: open_for_export(call_id=call_id, by=officer, at=NOON)


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


def _masked_call() -> tuple[UUID, User]:
    publish(catalog_source("micro"))
    site = make_site()
    Site.objects.filter(pk=site.pk).update(masks_identifiers=True)
    return prefilled(case(), site), make_person(Role.REVIEWER)


def _reveal() -> Act:
    call_id, by = _masked_call()
    ground = Ground(RevealWhy.JUDGE)
    return lambda: reveal_identifiers(
        call_id=call_id, reveal_id=uuid4(), ground=ground, by=by, at=NOON
    )


def _hide() -> Act:
    call_id, by = _masked_call()
    ground = Ground(RevealWhy.JUDGE)
    reveal_identifiers(call_id=call_id, reveal_id=uuid4(), ground=ground, by=by, at=NOON)
    return lambda: hide_identifiers(call_id=call_id, by=by, at=NOON)


INTAKE: dict[str, tuple[str, Callable[[], Act]]] = {
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
    "open_for_export": ("call.open", _open_to_export),
    "reveal_identifiers": ("call.reveal", _reveal),
    "hide_identifiers": ("call.hide", _hide),
    "open_for_mapping": ("call.open", _open_to_map),
    "confirm_mapping": ("mapping.confirm prefill.queue transcript.revise", _confirm),
    "swap_speakers": ("transcript.revise", _swap),
    "withdraw_call": ("call.withdraw", _withdraw),
    "send_to_mapping": ("mapping.reopen", _send_back),
    "import_revision": ("prefill.queue transcript.revise", _revise),
    "read_again": ("prefill.requeue", _read_again),
    "forget_role_map": ("rolemap.forget", _forget),
    "open_site": ("site.open", _open_site),
    "appoint_person": ("person.appoint", _appoint),
}
