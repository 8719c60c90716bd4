"""Signing through its actions: who, when, by what proof; every refusal; what a change does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.queries import entries_of, verify
from oipsce_site.ledger.record import ORGANISATION_CHAIN
from oipsce_site.people.models import Membership, User
from oipsce_site.people.roles import Role
from review.actions.decisions import UnableToDecide
from review.actions.holds import claim_call
from review.actions.opening import open_for_review
from review.actions.refused_signing import StaleSigning, UnableToSign
from review.actions.reopening import (
    UnableToReopen,
    ask_to_reopen,
    decline_reopening,
    reopen_call,
)
from review.core.decisions import Ask, Kind, PointValue, VerdictValue
from review.core.rows import Verdict
from review.core.signoff.record import Assurance, Component, decode_signoff
from review.core.signoff.standing import told_signatures
from review.models import Call, SigningIntent, SigningProof, SignOff
from review.permissions import NotAllowed
from tests.factories import (
    NOON,
    case,
    catalog_source,
    make_person,
    prefilled,
    publish,
    raw_micro,
    read,
)
from tests.signers import (
    OTHER_SESSION,
    SESSION,
    Signer,
    act,
    asked_now,
    begin,
    code_at,
    complete,
    confirm,
    read_and_decide,
    sign_by_code,
    with_app,
    with_passkey,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Signer:
    return with_passkey(with_app(make_person(Role.REVIEWER, username="ann")))


@pytest.fixture
def sue() -> Signer:
    return with_passkey(with_app(make_person(Role.SENIOR_REVIEWER, username="sue")))


@pytest.fixture
def call_id() -> UUID:
    publish(catalog_source("micro"))
    return prefilled(case())


@pytest.fixture
def ready(call_id: UUID, ann: Signer) -> UUID:
    """Return a call whose rows Ann has decided."""
    read_and_decide(call_id, ann.user)
    return call_id


def kinds(chain: UUID) -> list[str]:
    return [str(read_body(entry.body)["type"]) for entry in entries_of(chain)]


def facts_of_last(chain: UUID) -> dict[str, Any]:
    body: Any = read_body(list(entries_of(chain))[-1].body)
    return dict(body["facts"])


def test_c28_a_signature_by_passkey_binds_person_meaning_and_rows(ready: UUID, ann: Signer) -> None:
    signed = complete(ann, ready, begin(ann, ready))
    stored = SignOff.objects.get(call=ready)
    made = decode_signoff(bytes(stored.record))
    assert (stored.number, stored.digest, signed.again) == (1, signed.digest, False)
    assert (made.signer.printed_name, made.signer.role) == ("Some Body", "reviewer")
    assert made.components == (Component.PASSWORD, Component.PASSKEY)
    assert (made.assurance, made.first_in_session) == (Assurance.SIGNER_KEY, True)
    assert Call.objects.get(pk=ready).state == "SIGNED"
    assert kinds(ready)[-2:] == ["call.sign_begin", "call.sign"]
    assert verify(ready) == []
    [told] = told_signatures(entries_of(ready))
    assert told.digest == stored.digest
    assert told.evaluation_digest == made.content.evaluation_digest


def test_without_a_passkey_the_signature_is_marked_server_attested(
    ready: UUID, ann: Signer
) -> None:
    sign_by_code(ann.user, ready)
    made = decode_signoff(bytes(SignOff.objects.get().record))
    assert made.assurance is Assurance.SERVER_ATTESTED
    assert made.components == (Component.PASSWORD, Component.TOTP)
    assert SignOff.objects.get().assertion is None


def test_later_signatures_of_a_session_need_the_passkey_alone(ann: Signer, sue: Signer) -> None:
    publish(catalog_source("micro"))
    calls = [prefilled(case()), prefilled(replaced("second"))]
    for one in calls:
        read_and_decide(one, ann.user)
    complete(ann, calls[0], begin(ann, calls[0]))
    later = NOON + timedelta(minutes=14)
    begun = begin(ann, calls[1], at=later, password="")
    complete(ann, calls[1], begun, at=later, assertion=ann.answer(begun.digest, counter=8))
    made = decode_signoff(bytes(SignOff.objects.get(call=calls[1]).record))
    assert (made.components, made.first_in_session) == ((Component.PASSKEY,), False)


@pytest.mark.parametrize(
    ("session", "after"), [(OTHER_SESSION, 1), (SESSION, 16)], ids=["another session", "idle"]
)
def test_the_first_signature_of_a_period_needs_the_password(
    session: str, after: int, ann: Signer
) -> None:
    publish(catalog_source("micro"))
    calls = [prefilled(case()), prefilled(replaced("second"))]
    for one in calls:
        read_and_decide(one, ann.user)
    complete(ann, calls[0], begin(ann, calls[0]))
    with pytest.raises(UnableToSign, match="not your password"):
        begin(
            ann,
            calls[1],
            asked_now(calls[1], session=session),
            at=NOON + timedelta(minutes=after),
            password="",
        )


def replaced(name: str) -> Any:
    return read(raw_micro(id=name))


# --- what is in the way --------------------------------------------------------------------------

Prepare = Callable[[UUID, Signer, Signer], None]


def _nothing(call_id: UUID, ann: Signer, sue: Signer) -> None:
    """Leave the call as it comes from the pre-fill."""


def _undecided(call_id: UUID, ann: Signer, sue: Signer) -> None:
    read_and_open(call_id, ann)
    confirm(call_id, "PID", ann.user)


def read_and_open(call_id: UUID, signer: Signer) -> None:
    open_for_review(call_id=call_id, by=signer.user, at=NOON)


def _doubted(call_id: UUID, ann: Signer, sue: Signer) -> None:
    read_and_decide(call_id, ann.user)
    act(call_id, Ask(Kind.DOUBT, "PID", reason="who is it?"), ann.user)


def _others(call_id: UUID, ann: Signer, sue: Signer) -> None:
    read_and_decide(call_id, sue.user)
    read_and_open(call_id, ann)


def _not_opened(call_id: UUID, ann: Signer, sue: Signer) -> None:
    read_and_decide(call_id, sue.user)


def _held(call_id: UUID, ann: Signer, sue: Signer) -> None:
    read_and_decide(call_id, ann.user)
    claim_call(call_id=call_id, by=sue.user, at=NOON)


IN_THE_WAY: list[tuple[Prepare, str]] = [
    (_nothing, "A call is signed while it is in review"),
    (_undecided, "is required and nobody has decided it"),
    (_doubted, "PID is in doubt"),
    (_others, "Others have decided PID, not you"),
    (_not_opened, "You have not opened this call"),
    (_held, "Some Body is at this call until 12:15 UTC"),
]


@pytest.mark.parametrize(("prepare", "sentence"), IN_THE_WAY)
@pytest.mark.parametrize("by_passkey", [True, False])
def test_what_is_in_the_way_is_said_and_nothing_is_signed(
    prepare: Prepare, sentence: str, by_passkey: bool, call_id: UUID, ann: Signer, sue: Signer
) -> None:
    prepare(call_id, ann, sue)
    with pytest.raises(UnableToSign, match=sentence):
        begin(ann, call_id) if by_passkey else sign_by_code(ann.user, call_id)
    assert not SignOff.objects.exists()
    assert not SigningIntent.objects.exists()


def test_a_changed_critical_row_needs_a_senior_who_did_not_change_it(
    ready: UUID, ann: Signer, sue: Signer
) -> None:
    act(
        ready,
        Ask(Kind.SET_VERDICT, "PID", value=VerdictValue(Verdict.FAIL), reason="not shown"),
        ann.user,
    )
    with pytest.raises(UnableToSign, match="a senior reviewer who did not change it"):
        begin(ann, ready)
    read_and_open(ready, sue)
    confirm(ready, "PID", sue.user)
    assert complete(ann, ready, begin(ann, ready)).number == 1


@pytest.mark.parametrize("role", [Role.COMPLIANCE_OFFICER, Role.AUDITOR, Role.ADMINISTRATOR])
def test_others_never_sign(role: Role, ready: UUID) -> None:
    other = with_passkey(make_person(role))
    with pytest.raises(NotAllowed):
        begin(other, ready)
    with pytest.raises(NotAllowed):
        sign_by_code(other.user, ready)
    assert not SigningProof.objects.exists()


# --- a stale page, a spent intent ----------------------------------------------------------------


def test_a_page_that_is_no_longer_the_call_signs_nothing_and_says_what_changed(
    ready: UUID, ann: Signer, sue: Signer
) -> None:
    asked = asked_now(ready)
    act(ready, Ask(Kind.COMMENT, "PID", reason="look here"), sue.user)
    with pytest.raises(StaleSigning) as stale:
        begin(ann, ready, asked)
    [change] = stale.value.changes
    assert "comment on PID" in change


def test_a_decision_between_fixing_and_signing_signs_nothing(
    ready: UUID, ann: Signer, sue: Signer
) -> None:
    begun = begin(ann, ready)
    confirm(ready, "PID", sue.user)
    with pytest.raises(StaleSigning, match="changed while you were signing"):
        complete(ann, ready, begun)
    assert not SignOff.objects.exists()
    assert SigningIntent.objects.get().used_at is None


STALE: list[tuple[str, dict[str, Any], str]] = [
    ("too late", {"at": NOON + timedelta(seconds=121)}, "More than two minutes"),
    ("another session", {"session": OTHER_SESSION}, "not begun here"),
    ("another person", {"signer": "sue"}, "not begun here"),
    ("no such intent", {"intent_id": uuid4()}, "not begun here"),
]


@pytest.mark.parametrize(
    ("changes", "sentence"), [row[1:] for row in STALE], ids=[r[0] for r in STALE]
)
def test_an_intent_is_of_one_person_and_session_for_two_minutes(
    changes: dict[str, Any], sentence: str, ready: UUID, ann: Signer, sue: Signer
) -> None:
    begun = begin(ann, ready)
    signer = sue if changes.pop("signer", "") else ann
    intent_id = changes.pop("intent_id", begun.intent_id)
    spoilt = type(begun)(intent_id, begun.digest, begun.key, begun.expires_at)
    with pytest.raises(StaleSigning, match=sentence):
        complete(signer, ready, spoilt, **changes)
    assert not SignOff.objects.exists()


def test_f25_a_form_that_comes_again_signs_once(ready: UUID, ann: Signer) -> None:
    begun = begin(ann, ready)
    first, second = (complete(ann, ready, begun) for _ in range(2))
    assert (second.again, second.digest) == (True, first.digest)
    assert SignOff.objects.count() == 1


def test_f25_a_form_by_code_that_comes_again_signs_once(ready: UUID, ann: Signer) -> None:
    asked = asked_now(ready)
    first, second = (sign_by_code(ann.user, ready, asked) for _ in range(2))
    assert (second.again, second.digest) == (True, first.digest)


def test_of_two_signers_one_signs_and_the_other_is_told(
    ready: UUID, ann: Signer, sue: Signer
) -> None:
    read_and_open(ready, sue)
    mine, hers = begin(ann, ready), begin(sue, ready)
    complete(ann, ready, mine)
    with pytest.raises(StaleSigning, match="Meanwhile Some Body signed the call"):
        complete(sue, ready, hers)
    assert SignOff.objects.count() == 1


def test_f22_a_role_that_was_taken_away_meanwhile_signs_nothing(ready: UUID, ann: Signer) -> None:
    begun = begin(ann, ready)
    Membership.objects.filter(user=ann.user).update(revoked_at=NOON)
    with pytest.raises(NotAllowed):
        complete(ann, ready, begun)


# --- proofs of identity --------------------------------------------------------------------------

WRONG_ANSWERS: list[dict[str, Any]] = [
    {"challenge": b"x" * 32},
    {"type": "webauthn.create"},
    {"origin": "https://evil.example"},
    {"cross": True},
    {"site": "evil.example"},
    {"flags": 4},
    {"flags": 1},
]


@pytest.mark.parametrize("changes", WRONG_ANSWERS)
def test_a_wrong_answer_of_a_passkey_signs_nothing_and_counts(
    changes: dict[str, Any], ready: UUID, ann: Signer
) -> None:
    begun = begin(ann, ready)
    with pytest.raises(UnableToSign, match="does not sign this record"):
        complete(ann, ready, begun, assertion=ann.answer(begun.digest, **changes))
    assert SigningProof.objects.filter(kind="PASSKEY", right=False).count() == 1
    assert not SignOff.objects.exists()


def test_another_key_signs_nothing(ready: UUID, ann: Signer, sue: Signer) -> None:
    begun = begin(ann, ready)
    with pytest.raises(UnableToSign, match="does not sign this record"):
        complete(ann, ready, begun, assertion=sue.answer(begun.digest))


def test_a_key_that_counts_back_is_a_copy(ann: Signer) -> None:
    publish(catalog_source("micro"))
    calls = [prefilled(case()), prefilled(replaced("second"))]
    for one in calls:
        read_and_decide(one, ann.user)
    complete(ann, calls[0], begin(ann, calls[0]))
    begun = begin(ann, calls[1], password="")
    with pytest.raises(UnableToSign, match="does not sign"):
        complete(ann, calls[1], begun, assertion=ann.answer(begun.digest, counter=7))


WRONG_PROOFS = [
    ({"password": "another one"}, "password", "not your password"),
    ({"code": "000000"}, "code", "wrong, or was used before"),
    ({"code": ""}, "code", "wrong, or was used before"),
    ({"code": code_at(NOON + timedelta(minutes=1))}, "code", "wrong, or was used before"),
    ({"code": code_at(NOON - timedelta(minutes=2))}, "code", "wrong, or was used before"),
]


@pytest.mark.parametrize(("given", "field", "sentence"), WRONG_PROOFS)
def test_a_wrong_password_or_code_is_said_at_its_field(
    given: dict[str, Any], field: str, sentence: str, ready: UUID, ann: Signer
) -> None:
    with pytest.raises(UnableToSign, match=sentence) as refusal:
        sign_by_code(ann.user, ready, **given)
    assert refusal.value.field == field
    assert kinds(ORGANISATION_CHAIN)[-1] == "signing.refuse"
    assert not SignOff.objects.exists()


def test_a_code_counts_once(ann: Signer) -> None:
    publish(catalog_source("micro"))
    calls = [prefilled(case()), prefilled(replaced("second"))]
    for one in calls:
        read_and_decide(one, ann.user)
    sign_by_code(ann.user, calls[0])
    with pytest.raises(UnableToSign, match="used before"):
        sign_by_code(ann.user, calls[1])


def fail(ann: Signer, call_id: UUID, times: int, *, at: datetime = NOON) -> list[dict[str, Any]]:
    found = []
    for number in range(times):
        with pytest.raises(UnableToSign):
            sign_by_code(ann.user, call_id, code="000000", at=at + timedelta(seconds=number))
        found.append(facts_of_last(ORGANISATION_CHAIN))
    return found


def test_five_failures_suspend_signing_and_the_third_is_told(ready: UUID, ann: Signer) -> None:
    told = fail(ann, ready, 5)
    assert [one["failures"] for one in told] == [1, 2, 3, 4, 5]
    assert [one["alert"] for one in told] == [False, False, True, True, True]
    assert [one["suspended"] for one in told] == [False, False, False, False, True]
    last = NOON + timedelta(seconds=4)
    for after in (timedelta(seconds=1), timedelta(minutes=14, seconds=59)):
        with pytest.raises(UnableToSign, match="Signing is suspended"):
            sign_by_code(ann.user, ready, at=last + after)
    assert SigningProof.objects.count() == 5
    assert sign_by_code(ann.user, ready, at=last + timedelta(minutes=15)).number == 1


@pytest.mark.parametrize(("milliseconds", "signs"), [(0, False), (799, False), (800, True)])
def test_what_comes_sooner_than_anybody_reads_signs_nothing(
    milliseconds: int, signs: bool, ready: UUID, ann: Signer
) -> None:
    asked = asked_now(ready, shown_at=NOON - timedelta(milliseconds=milliseconds))
    if signs:
        assert sign_by_code(ann.user, ready, asked).number == 1
        return
    for hurried in (lambda: sign_by_code(ann.user, ready, asked), lambda: begin(ann, ready, asked)):
        with pytest.raises(UnableToSign, match="sooner after the page than anybody reads"):
            hurried()
    # Nothing was proven and nothing begun: the same form signs a moment later.
    assert (SigningProof.objects.count(), SigningIntent.objects.count()) == (0, 0)


def test_one_may_sign_while_one_is_at_the_call_oneself_or_the_others_hold_is_over(
    ready: UUID, ann: Signer, sue: Signer
) -> None:
    claim_call(call_id=ready, by=sue.user, at=NOON - timedelta(minutes=15))
    begun = begin(ann, ready)
    claim_call(call_id=ready, by=ann.user, at=NOON)
    assert complete(ann, ready, begun).number == 1


def test_suspension_is_of_the_person_in_every_session_and_way(ready: UUID, ann: Signer) -> None:
    fail(ann, ready, 5)
    with pytest.raises(UnableToSign, match="Signing is suspended"):
        begin(ann, ready, asked_now(ready, session=OTHER_SESSION))


def test_a_right_password_ends_no_row_of_failures(ready: UUID, ann: Signer) -> None:
    fail(ann, ready, 4)
    begin(ann, ready)
    [told] = fail(ann, ready, 1)
    assert told["suspended"]


# --- after the signature -------------------------------------------------------------------------


@pytest.fixture
def signed(ready: UUID, ann: Signer) -> UUID:
    complete(ann, ready, begin(ann, ready))
    return ready


def reopen(call_id: UUID, asker: User, decider: User) -> None:
    ask_to_reopen(call_id=call_id, reason="a late document", by=asker, at=NOON)
    reopen_call(call_id=call_id, reason="it changes PID", by=decider, at=NOON)


@pytest.mark.parametrize("kind", [Kind.CONFIRM, Kind.COMMENT])
def test_a_signed_call_takes_no_decision(kind: Kind, signed: UUID, ann: Signer) -> None:
    with pytest.raises(UnableToDecide, match="The call is signed"):
        act(signed, Ask(kind, "PID", reason="why"), ann.user)


def test_a_reopened_call_has_a_new_review_and_its_signature_stands(
    signed: UUID, ann: Signer, sue: Signer
) -> None:
    reopen(signed, ann.user, sue.user)
    stored = Call.objects.get(pk=signed)
    assert (stored.state, stored.revision) == ("REOPENED", 2)
    assert SignOff.objects.get().void_at is None
    act(signed, Ask(Kind.COMMENT, "PID", reason="which document?"), ann.user)
    assert SignOff.objects.get().void_at is None


@pytest.mark.parametrize(
    "asked",
    [
        Ask(Kind.CONFIRM, "PID"),
        Ask(Kind.DOUBT, "PID", reason="why"),
        Ask(Kind.SET_START, "PID", value=PointValue(1), reason="why"),
    ],
    ids=lambda asked: asked.kind.value,
)
def test_a_change_ends_the_signature_in_the_name_of_who_changed(
    asked: Ask, signed: UUID, ann: Signer, sue: Signer
) -> None:
    reopen(signed, ann.user, sue.user)
    act(signed, asked, sue.user)
    ended = SignOff.objects.get()
    assert (ended.void_why, ended.void_by) == ("CHANGED", sue.user)
    [told] = told_signatures(entries_of(signed))
    assert told.voided_at is not None
    assert told.changed_at is None
    assert sorted(kinds(signed)[-2:]) == ["call.sign_void", "row.decide"]


def test_a_new_review_is_signed_anew_beside_the_old_signature(
    signed: UUID, ann: Signer, sue: Signer
) -> None:
    reopen(signed, ann.user, sue.user)
    act(signed, Ask(Kind.COMMENT, "PID", reason="nothing changed"), ann.user)
    with pytest.raises(UnableToSign, match="not opened this call"):
        sign_by_code(ann.user, signed)
    read_and_open(signed, ann)
    sign_by_code(ann.user, signed, at=NOON + timedelta(minutes=1))
    found = SignOff.objects.order_by("number").values_list("number", "review", "void_why")
    assert list(found) == [(1, 1, "REOPENED"), (2, 2, "")]
    assert [one.voided_at is None for one in told_signatures(entries_of(signed))] == [False, True]


def test_nobody_reopens_what_they_asked_for_themselves(signed: UUID, sue: Signer) -> None:
    ask_to_reopen(call_id=signed, reason="mine", by=sue.user, at=NOON)
    with pytest.raises(NotAllowed, match="asked for it yourself"):
        reopen_call(call_id=signed, reason="mine too", by=sue.user, at=NOON)
    assert Call.objects.get(pk=signed).state == "SIGNED"


REOPENING = [
    (Role.REVIEWER, ask_to_reopen, None, ""),
    (Role.SENIOR_REVIEWER, ask_to_reopen, None, ""),
    (Role.COMPLIANCE_OFFICER, ask_to_reopen, None, ""),
    (Role.AUDITOR, ask_to_reopen, NotAllowed, "Only senior reviewers, reviewers and compliance"),
    (Role.ADMINISTRATOR, ask_to_reopen, NotAllowed, "administrator"),
    (Role.REVIEWER, reopen_call, NotAllowed, "Only senior reviewers"),
    (Role.COMPLIANCE_OFFICER, reopen_call, NotAllowed, "Only senior reviewers"),
    (Role.SENIOR_REVIEWER, reopen_call, UnableToReopen, "Nobody has asked"),
    (Role.SENIOR_REVIEWER, decline_reopening, UnableToReopen, "Nobody has asked"),
]


@pytest.mark.parametrize(("role", "action", "refusal", "sentence"), REOPENING)
def test_who_asks_and_who_reopens(
    role: Role,
    action: Callable[..., None],
    refusal: type[Exception] | None,
    sentence: str,
    signed: UUID,
) -> None:
    by = make_person(role)
    if refusal is None:
        action(call_id=signed, reason="why", by=by, at=NOON)
        assert kinds(signed)[-1] == "call.reopen_ask"
        return
    with pytest.raises(refusal, match=sentence):
        action(call_id=signed, reason="why", by=by, at=NOON)


def test_a_declined_wish_may_be_asked_again(signed: UUID, ann: Signer, sue: Signer) -> None:
    for _ in range(2):
        ask_to_reopen(call_id=signed, reason="why", by=ann.user, at=NOON)
        with pytest.raises(UnableToReopen, match="asked for it already"):
            ask_to_reopen(call_id=signed, reason="why", by=sue.user, at=NOON)
        decline_reopening(call_id=signed, reason="no", by=sue.user, at=NOON)
    assert Call.objects.get(pk=signed).state == "SIGNED"


def test_reopening_asks_why_and_an_unsigned_call_is_not_reopened(
    ready: UUID, ann: Signer, sue: Signer
) -> None:
    with pytest.raises(UnableToReopen, match="a signed one is reopened"):
        ask_to_reopen(call_id=ready, reason="why", by=ann.user, at=NOON)
    complete(ann, ready, begin(ann, ready))
    for reason in ("", "  ", "x" * 2001):
        with pytest.raises(UnableToReopen) as refusal:
            ask_to_reopen(call_id=ready, reason=reason, by=ann.user, at=NOON)
        assert refusal.value.field == "reason"


REFUSED = [
    "update review_signoff set record = '\\x00'",
    "update review_signoff set by_id = call_id",
    "delete from review_signoff",
    "update review_signingintent set digest = repeat('0', 64)",
    "update review_signingintent set used_at = null",
    "update review_signingintent set used_at = used_at",
    "delete from review_signingintent",
    'update review_signingproof set "right" = true',
    "delete from review_signingproof",
]


@pytest.mark.parametrize("statement", REFUSED)
def test_the_tables_refuse_to_change_what_was_signed(statement: str, signed: UUID) -> None:
    refused = pytest.raises(DatabaseError, match=r"never|does not|append-only|once")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
