"""Signing and reopening: each action as the table of `test_every_action_records` does it."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest

from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.proving import Proofs, prove_signer
from review.actions.refused_signing import UnableToSign
from review.actions.reopening import ask_to_reopen, decline_reopening, reopen_call
from review.models import Call
from tests.factories import (
    NOON,
    case,
    catalog_source,
    make_person,
    prefilled,
    publish,
)
from tests.integration.review.batch_acts import (
    asked_batch,
    batch_by_code,
    begin_batch,
    complete_batch,
    without_critical_edges,
)
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


def _ready_together() -> tuple[UUID, Signer]:
    publish(without_critical_edges())
    call_id = prefilled(case())
    signer = with_passkey(with_app(make_person(Role.REVIEWER)))
    read_and_decide(call_id, signer.user)
    return call_id, signer


def _begin_batch() -> Act:
    call_id, signer = _ready_together()
    wish = asked_batch([call_id])
    return lambda: begin_batch(signer, wish)


def _sign_batch() -> Act:
    call_id, signer = _ready_together()
    begun = begin_batch(signer, asked_batch([call_id]))
    return lambda: complete_batch(signer, begun)


def _batch_attested() -> Act:
    call_id, signer = _ready_together()
    wish = asked_batch([call_id])
    return lambda: batch_by_code(signer, wish)


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


SIGNING: dict[str, tuple[str, Callable[[], Act]]] = {
    "begin_signing": ("call.sign_begin", _begin_signing),
    "sign_call": ("call.sign", _sign),
    "sign_attested": ("call.sign call.sign_begin", _sign_attested),
    "begin_signing_batch": ("call.sign_begin", _begin_batch),
    "sign_batch": ("call.sign", _sign_batch),
    "sign_batch_attested": ("call.sign call.sign_begin", _batch_attested),
    "prove_signer": ("signing.refuse", _prove),
    "ask_to_reopen": ("call.reopen_ask", _ask_to_reopen),
    "reopen_call": ("call.reopen", _reopen),
    "decline_reopening": ("call.reopen_decline", _decline),
}
