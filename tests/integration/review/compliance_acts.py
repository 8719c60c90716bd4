"""Acts of compliance officers: each as the table of `test_every_action_records` does it."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID, uuid4

from oipsce_site.people.roles import Role
from review.actions.compliance_exceptions import (
    ExceptionWish,
    approve_exception,
    ask_exception,
    end_exception,
)
from review.actions.disputing import answer_dispute, withdraw_dispute
from review.actions.log_checks import (
    MOST_ATTEMPTS,
    Found,
    StartedCheck,
    ask_log_check,
    ask_nightly_check,
    claim_log_check,
    fail_log_check,
    finish_log_check,
)
from review.models import DisputeEnd, ExceptionReason, LogCheck
from tests.disputed import dispute, signed_call
from tests.factories import NOON, make_person, make_site
from tests.signers import attest, attest_by_passkey, begin_attest, with_app, with_passkey

Act = Callable[[], object]


def _ask_log_check() -> Act:
    by = make_person(Role.COMPLIANCE_OFFICER)
    return lambda: ask_log_check(check_id=uuid4(), by=by, at=NOON)


def _ask_nightly_check() -> Act:
    return lambda: ask_nightly_check(check_id=uuid4(), by="w", at=NOON)


def _claimed() -> StartedCheck:
    ask_nightly_check(check_id=UUID(int=7), by="w", at=NOON)
    started = claim_log_check(at=NOON)
    assert started is not None
    return started


def _finish_log_check() -> Act:
    started = _claimed()
    found = Found(1, [], {None: (1, 0)}, {}, "")
    return lambda: finish_log_check(started=started, found=found, by="w", at=NOON)


def _fail_log_check() -> Act:
    started = _claimed()
    LogCheck.objects.update(attempts=MOST_ATTEMPTS)
    last = StartedCheck(started.id, MOST_ATTEMPTS)
    return lambda: fail_log_check(started=last, failure="X", by="w", at=NOON)


def _wish() -> ExceptionWish:
    day = NOON.date()
    return ExceptionWish("micro", "PID", ExceptionReason.OTHER, "why", day, day)


def _ask_exception() -> Act:
    by = make_person(Role.COMPLIANCE_OFFICER)
    return lambda: ask_exception(
        exception_id=UUID(int=8), site=make_site(), wish=_wish(), by=by, at=NOON
    )


def _approve_exception() -> Act:
    _ask_exception()()
    by = make_person(Role.COMPLIANCE_OFFICER)
    return lambda: approve_exception(exception_id=UUID(int=8), by=by, at=NOON)


def _end_exception() -> Act:
    _ask_exception()()
    by = make_person(Role.COMPLIANCE_OFFICER)
    return lambda: end_exception(exception_id=UUID(int=8), by=by, at=NOON)


def _attest() -> Act:
    by = with_app(make_person(Role.COMPLIANCE_OFFICER))
    return lambda: attest(by, make_site())


def _begin_attest() -> Act:
    by, site = with_passkey(make_person(Role.COMPLIANCE_OFFICER)), make_site()
    return lambda: begin_attest(by, site)


def _attest_by_passkey() -> Act:
    by, site = with_passkey(make_person(Role.COMPLIANCE_OFFICER)), make_site()
    fixed = begin_attest(by, site)
    return lambda: attest_by_passkey(by, site, fixed)


def _file_dispute() -> Act:
    call_id, by = signed_call(), make_person(Role.REVIEWER)
    return lambda: dispute(call_id, by)


def _answer_dispute() -> Act:
    dispute_id = dispute(signed_call(), make_person(Role.REVIEWER))
    by = make_person(Role.COMPLIANCE_OFFICER)
    return lambda: answer_dispute(
        dispute_id=dispute_id, end=DisputeEnd.UPHELD, words="why", by=by, at=NOON
    )


def _withdraw_dispute() -> Act:
    by = make_person(Role.REVIEWER)
    dispute_id = dispute(signed_call(), by)
    return lambda: withdraw_dispute(dispute_id=dispute_id, by=by, at=NOON)


COMPLIANCE: dict[str, tuple[str, Callable[[], Act]]] = {
    "ask_log_check": ("log.check_ask", _ask_log_check),
    "ask_nightly_check": ("log.check_ask", _ask_nightly_check),
    "finish_log_check": ("log.check", _finish_log_check),
    "fail_log_check": ("log.check_fail", _fail_log_check),
    "ask_exception": ("exception.ask", _ask_exception),
    "approve_exception": ("exception.approve", _approve_exception),
    "end_exception": ("exception.end", _end_exception),
    "file_dispute": ("dispute.file", _file_dispute),
    "answer_dispute": ("dispute.answer", _answer_dispute),
    "withdraw_dispute": ("dispute.withdraw", _withdraw_dispute),
    "attest_period": ("attestation.sign", _attest),
    "begin_attesting": ("attestation.begin", _begin_attest),
    "attest_fixed": ("attestation.sign", _attest_by_passkey),
}
PARTS_OF_COMPLIANCE = {
    # Bookkeeping of a job, as for exports.
    "claim_log_check": "finish_log_check",
    "keep_check_going": "finish_log_check",
    # A part of erasing a call: tests/integration/review/test_disputes.py.
    "end_disputes": "approve_erasure",
    # Counts; nothing is written.
    "read_universe": "attest_period",
}
