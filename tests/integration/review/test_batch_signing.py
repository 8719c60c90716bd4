"""Several calls signed in one act: which, by what proof, and what is left out."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.queries import entries_of, verify
from oipsce_site.people.roles import Role
from review.actions.batch_signing import (
    Shown,
)
from review.actions.holds import claim_call
from review.actions.refused_signing import StaleSigning, UnableToSign
from review.actions.signing import sign_fixed
from review.core.decisions import Ask, Kind
from review.core.signoff.batching import batch_digest
from review.core.signoff.passkey import assertion_from_json, check_assertion
from review.core.signoff.record import Assurance, decode_signoff
from review.models import Call, SigningIntent, SigningProof, SignOff
from tests.factories import (
    NOON,
    case,
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)
from tests.integration.review.batch_acts import (
    asked_batch,
    batch_by_code,
    begin_batch,
    complete_batch,
    without_critical_edges,
)
from tests.signers import (
    OTHER_SESSION,
    Signer,
    act,
    code_at,
    read_and_decide,
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
def calls(ann: Signer) -> list[UUID]:
    """Return three calls that Ann has opened and decided."""
    publish(without_critical_edges())
    return [decided(number, ann) for number in range(3)]


def decided(number: int, by: Signer) -> UUID:
    call_id = prefilled(read(raw_micro(id=f"call-{number}")))
    read_and_decide(call_id, by.user)
    return call_id


def is_signed(call_id: UUID) -> bool:
    return SignOff.objects.filter(call=call_id, void_at=None).exists()


def test_one_answer_of_a_passkey_signs_every_call_with_a_record_of_its_own(
    ann: Signer, calls: list[UUID]
) -> None:
    done = complete_batch(ann, begin_batch(ann, asked_batch(calls)))
    assert (set(done.signed), done.left_out) == (set(calls), ())
    stored = list(SignOff.objects.order_by("digest"))
    digests = [one.digest for one in stored]
    assert len(set(digests)) == len(calls)
    for one in stored:
        assertion = assertion_from_json(one.assertion)
        assert list(assertion.batch) == digests
        made = decode_signoff(bytes(one.record))
        # What a stranger checks, with nothing but the record and the answer beside it.
        check_assertion(assertion, bytes.fromhex(one.digest), made.key_digest)
        assert (one.together, made.assurance) == (3, Assurance.SIGNER_KEY)
        assert made.content.call_id == str(one.call_id)
    for call_id in calls:
        assert Call.objects.get(pk=call_id).state == "SIGNED"
        kinds = [read_body(entry.body)["type"] for entry in entries_of(call_id)]
        assert kinds[-2:] == ["call.sign_begin", "call.sign"]
        assert verify(call_id) == []
    assert SigningProof.objects.filter(kind="PASSKEY").count() == 1


def test_password_and_code_sign_all_server_attested_and_the_code_counts_once(
    ann: Signer, calls: list[UUID]
) -> None:
    done = batch_by_code(ann, asked_batch(calls))
    assert set(done.signed) == set(calls)
    made = [decode_signoff(bytes(one.record)) for one in SignOff.objects.all()]
    assert {one.assurance for one in made} == {Assurance.SERVER_ATTESTED}
    assert SigningProof.objects.filter(kind="TOTP", right=True).count() == 1


@pytest.mark.parametrize("when", ["before it is fixed", "before it is signed"])
def test_a_call_that_changed_is_left_out_with_its_sentence_and_the_others_stand(
    when: str, ann: Signer, sue: Signer, calls: list[UUID]
) -> None:
    wish = asked_batch(calls)
    doubt = Ask(Kind.COMMENT, "PID", reason="look again")
    if when == "before it is fixed":
        act(calls[1], doubt, sue.user)
        begun = begin_batch(ann, wish)
        assert [one.call_id for one in begun.left_out] == [calls[1]]
        assert "changed since this page was made" in begun.left_out[0].sentence
        done = complete_batch(ann, begun)
    else:
        begun = begin_batch(ann, wish)
        act(calls[1], doubt, sue.user)
        done = complete_batch(ann, begun)
        assert [one.call_id for one in done.left_out] == [calls[1]]
        assert "changed while you were signing" in done.left_out[0].sentence
    assert [is_signed(one) for one in calls] == [True, False, True]
    # What was left out does not spoil what was signed: each verifies with the digests of all.
    for one in SignOff.objects.all():
        made = decode_signoff(bytes(one.record))
        check_assertion(
            assertion_from_json(one.assertion), bytes.fromhex(one.digest), made.key_digest
        )


def test_a_safety_critical_or_flagged_call_is_signed_by_itself(ann: Signer, sue: Signer) -> None:
    publish(catalog_source("micro"))
    call_id = prefilled(case())
    read_and_decide(call_id, ann.user)
    with pytest.raises(StaleSigning, match="None of the calls") as refused:
        begin_batch(ann, asked_batch([call_id]))
    assert "at a critical edge: the call is signed by itself" in refused.value.changes[0]
    assert not SigningIntent.objects.exists()


def test_a_call_that_the_signer_never_opened_is_left_out(
    ann: Signer, sue: Signer, calls: list[UUID]
) -> None:
    with pytest.raises(StaleSigning) as refused:
        begin_batch(sue, asked_batch(calls))
    assert all("You have not opened this call" in one for one in refused.value.changes)


def test_a_call_at_which_somebody_else_is_is_left_out(
    ann: Signer, sue: Signer, calls: list[UUID]
) -> None:
    claim_call(call_id=calls[0], by=sue.user, at=NOON)
    done = batch_by_code(ann, asked_batch(calls))
    assert [one.call_id for one in done.left_out] == [calls[0]]
    assert "is at this call until 12:15 UTC" in done.left_out[0].sentence


def test_a_call_of_another_site_is_left_out_and_named_to_nobody(
    ann: Signer, calls: list[UUID]
) -> None:
    south = make_site("south")
    theirs = prefilled(read(raw_micro(id="secret-id")), south)
    senior = with_passkey(make_person(Role.SENIOR_REVIEWER, site=south))
    read_and_decide(theirs, senior.user)
    with pytest.raises(StaleSigning) as refused:
        begin_batch(ann, asked_batch([theirs]))
    assert not any("secret-id" in one for one in refused.value.changes)
    done = batch_by_code(ann, asked_batch([*calls, theirs]))
    assert (set(done.signed), is_signed(theirs)) == (set(calls), False)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"calls": ()}, "Choose at least one call"),
        ({"twice": True}, "chosen twice"),
        ({"many": 26}, "At most 25 calls"),
        ({"shown_at": NOON}, "sooner after the page"),
    ],
)
def test_what_is_no_batch_is_refused_before_any_proof(
    change: dict[str, Any], sentence: str, ann: Signer, calls: list[UUID]
) -> None:
    wish = asked_batch(calls)
    if "twice" in change:
        wish = replace(wish, calls=(*wish.calls, wish.calls[0]))
    elif "many" in change:
        wish = replace(wish, calls=tuple(Shown(uuid4(), "a" * 64, 0) for _ in range(26)))
    else:
        wish = replace(wish, **change)
    for refused in (lambda: begin_batch(ann, wish), lambda: batch_by_code(ann, wish)):
        with pytest.raises(UnableToSign, match=sentence):
            refused()
    assert not SigningProof.objects.exists()


def test_a_batch_that_comes_twice_signs_once(ann: Signer, calls: list[UUID]) -> None:
    begun = begin_batch(ann, asked_batch(calls))
    answer = ann.answer(begun.digest)
    first = complete_batch(ann, begun, assertion=answer)
    again = complete_batch(ann, begun, assertion=answer)
    assert {one.digest for one in again.signed.values()} == {
        one.digest for one in first.signed.values()
    }
    assert all(one.again for one in again.signed.values())
    assert SignOff.objects.count() == len(calls)
    wish = asked_batch([decided(7, ann)])
    later = NOON + timedelta(minutes=1)
    assert batch_by_code(ann, wish, at=later, code=code_at(later)).signed
    assert all(one.again for one in batch_by_code(ann, wish).signed.values())


def test_a_batch_whose_server_died_half_way_is_signed_to_its_end(
    ann: Signer, calls: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = begin_batch(ann, asked_batch(calls))
    answer = ann.answer(begun.digest)

    class Dead(BaseException):
        """The process is gone."""

    times: list[int] = []

    def dies(*args: Any, **kwargs: Any) -> Any:
        times.append(1)
        if len(times) == 2:
            raise Dead
        return sign_fixed(*args, **kwargs)

    monkeypatch.setattr("review.actions.batch_signing.sign_fixed", dies)
    with pytest.raises(Dead):
        complete_batch(ann, begun, assertion=answer)
    assert SignOff.objects.count() == 1
    done = complete_batch(ann, begun, assertion=answer)
    assert set(done.signed) == set(calls)
    assert SignOff.objects.count() == len(calls)


@pytest.mark.parametrize("spoilt", ["challenge", "session", "late", "person"])
def test_an_answer_that_is_not_of_this_batch_signs_nothing(
    spoilt: str, ann: Signer, sue: Signer, calls: list[UUID]
) -> None:
    begun = begin_batch(ann, asked_batch(calls))
    first = min(SigningIntent.objects.values_list("digest", flat=True))
    ways: dict[str, dict[str, Any]] = {
        # The digest of one of the records, as if it were signed alone.
        "challenge": {"assertion": ann.answer(bytes.fromhex(first))},
        "session": {"session": OTHER_SESSION},
        "late": {"at": NOON + timedelta(seconds=121)},
        "person": {},
    }
    with pytest.raises((StaleSigning, UnableToSign)):
        complete_batch(sue if spoilt == "person" else ann, begun, **ways[spoilt])
    assert not SignOff.objects.exists()


def test_the_answer_to_a_batch_signs_no_record_alone(ann: Signer, calls: list[UUID]) -> None:
    begun = begin_batch(ann, asked_batch(calls[:1]))
    digest = SigningIntent.objects.get().digest
    assert begun.digest == batch_digest([digest]) != bytes.fromhex(digest)
