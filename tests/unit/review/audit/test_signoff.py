"""The record of a sign-off: what counts, and the code of each thing that does not."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from oipsce_site.ledger.core.entry import Actor, ActorKind, build_body
from oipsce_site.signing.core.plain import write_json
from oipsce_site.signing.core.refusals import Refused
from review.core.rows import NEVER, Evidence, Row, Verdict
from review.core.signoff.content import (
    EvidencePiece,
    Input,
    InputKind,
    evidence_digest,
    inputs_digest,
    rows_digest,
    scalar_from_json,
    scalar_to_json,
)
from review.core.signoff.passkey import assertion_from_json, assertion_to_json, check_assertion
from review.core.signoff.record import (
    SIGN,
    VOID,
    Assurance,
    Component,
    Meaning,
    Signer,
    Voided,
    decode_signoff,
    encode_signoff,
    sign_facts,
    signoff_digest,
    void_facts,
)
from tests.unit.review.audit.signing import NOON, PASSKEY, assert_with, content, signoff

PASSWORD, TOTP, KEY = Component.PASSWORD, Component.TOTP, Component.PASSKEY
ACTOR = Actor("u-1", "reviewer", ActorKind.PERSON)


def test_a_record_reads_back_as_it_was_signed() -> None:
    record = encode_signoff(signoff())
    assert decode_signoff(record) == signoff()
    assert encode_signoff(decode_signoff(record)) == record


@pytest.mark.parametrize(
    "changes",
    [
        {"content": content(call_success="pass")},
        {"content": content(rows_digest="0" * 64)},
        {"meaning": Meaning.REVIEWED},
        {"at": NOON + timedelta(microseconds=1)},
        {"signer": Signer("other", "Ana Żółć", "senior_reviewer")},
        {"signer": Signer("44444444-4444-4444-8444-444444444444", "Ana", "senior_reviewer")},
        {"nonce": bytes(32)},
    ],
)
def test_the_digest_covers_all_of_it(changes: dict[str, Any]) -> None:
    first = signoff_digest(encode_signoff(signoff()))
    assert signoff_digest(encode_signoff(signoff(**changes))) != first


@pytest.mark.parametrize(
    ("components", "is_first", "assurance"),
    [
        ((PASSWORD, KEY), True, Assurance.SIGNER_KEY),
        ((Component.IDENTITY_PROVIDER, KEY), True, Assurance.SIGNER_KEY),
        ((KEY,), False, Assurance.SIGNER_KEY),
        ((PASSWORD, TOTP), True, Assurance.SERVER_ATTESTED),
        ((PASSWORD, TOTP), False, Assurance.SERVER_ATTESTED),
    ],
)
def test_who_vouches_follows_from_the_components(
    components: tuple[Component, ...], is_first: bool, assurance: Assurance
) -> None:
    key_digest = signoff().key_digest if KEY in components else ""
    one = signoff(components=components, first_in_session=is_first, key_digest=key_digest)
    assert decode_signoff(encode_signoff(one)).assurance is assurance


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"components": (PASSWORD,), "key_digest": ""}, "E-SIGN-AUTH"),
        ({"components": (KEY,)}, "E-SIGN-AUTH"),
        ({"components": (), "key_digest": ""}, "E-SIGN-AUTH"),
        ({"components": (TOTP,), "first_in_session": False, "key_digest": ""}, "E-SIGN-AUTH"),
        ({"components": (Component.IDENTITY_PROVIDER,), "key_digest": ""}, "E-SIGN-AUTH"),
        ({"key_digest": ""}, "E-SIGN-AUTH"),
        ({"components": (PASSWORD, TOTP)}, "E-SIGN-AUTH"),
        ({"authenticated_at": NOON - timedelta(minutes=6)}, "E-SIGN-STALEAUTH"),
        ({"authenticated_at": NOON + timedelta(seconds=1)}, "E-SIGN-STALEAUTH"),
        ({"signer": Signer("u", " ", "reviewer")}, "E-SIGN-MANIFEST"),
        ({"signer": Signer("", "Ana", "reviewer")}, "E-SIGN-MANIFEST"),
        ({"signer": Signer("u", "Ana", "administrator")}, "E-SIGN-ROLE"),
        ({"signer": Signer("u", "Ana", "auditor")}, "E-SIGN-ROLE"),
    ],
)
def test_what_does_not_count_is_not_made(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refusal:
        encode_signoff(signoff(**changes))
    assert refusal.value.code == code


def edited(**changes: Any) -> bytes:
    return write_json({**json.loads(encode_signoff(signoff())), **changes})


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (edited(meaning="seen"), "E-SIGN-MANIFEST"),
        (edited(statement="I agree."), "E-SIGN-MANIFEST"),
        (edited(components=["password", "email"]), "E-SIGN-MANIFEST"),
        (edited(components=["password"]), "E-SIGN-AUTH"),
        (edited(format="oip-sce/sign-off/v2"), "E-SIGN-FORM"),
        (edited(more=1), "E-SHAPE"),
        (edited(content={}), "E-SHAPE"),
        (edited(nonce="00"), "E-SHAPE"),
        (encode_signoff(signoff()) + b" ", "E-SIGN-FORM"),
        (encode_signoff(signoff()).replace(b'"review":1', b'"review":"1"'), "E-SIGN-FORM"),
        (encode_signoff(signoff()).replace(b'"review":1', b'"review":true'), "E-SIGN-FORM"),
        (encode_signoff(signoff()).replace(b'"review":1', b'"review":1.0'), "E-FLOAT"),
    ],
)
def test_another_form_does_not_read(record: bytes, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        decode_signoff(record)
    assert refusal.value.code == code


def test_what_enters_the_log_holds_no_name() -> None:
    record = encode_signoff(signoff())
    body = build_body(
        kind=SIGN, by=ACTOR, request_id="r", build="b", facts=sign_facts(record, signoff())
    )
    voided = build_body(
        kind=VOID, by=ACTOR, request_id="r", build="b", facts=void_facts(record, Voided.CHANGED)
    )
    for entry in (body, voided):
        assert b"Ana" not in entry
        assert signoff_digest(record).hex().encode() in entry


# --- digests of the content -----------------------------------------------------------------------

ROWS = {
    "PID": Row("PID", 3, 5, Verdict.PASS, (Evidence("dob", 5, 0, 4, "anchor:PID.accept.dob"),)),
    "CSV": Row("CSV", NEVER, NEVER, Verdict.FAIL),
}


@pytest.mark.parametrize(
    "change",
    [
        {"start": 4},
        {"finish": 6},
        {"verdict": Verdict.FAIL},
        {"evidence": ()},
        {"start_ms": 1},
        {"contradicted_at": 7},
        {"clear_through": 9},
        {"finish_source": "person:x"},
    ],
)
def test_rows_have_one_digest_which_covers_each_field(change: dict[str, Any]) -> None:
    reordered = dict(reversed(ROWS.items()))
    assert rows_digest(reordered) == rows_digest(ROWS)
    assert rows_digest({**ROWS, "PID": ROWS["PID"]._replace(**change)}) != rows_digest(ROWS)


@pytest.mark.parametrize(
    "value", [None, True, 0, "text", Decimal("1.50"), date(2026, 3, 10), "2026-03-10", "1.50"]
)
def test_a_value_reads_back(value: Any) -> None:
    assert scalar_from_json(json.loads(json.dumps(scalar_to_json(value)))) == value


def test_each_input_is_committed_to_under_its_own_nonce() -> None:
    one = Input(InputKind.FACT, "age", Decimal("61"), bytes(32))
    others = [
        replace(one, kind=InputKind.ATTRIBUTE),
        replace(one, name="ages"),
        replace(one, value="61"),
        replace(one, value=61),
        replace(one, nonce=b"\x01" * 32),
    ]
    assert len({one.commitment, *(other.commitment for other in others)}) == 6
    pairs = [(x.kind.value, x.name, x.commitment) for x in (one, others[1])]
    assert inputs_digest(pairs) == inputs_digest(reversed(pairs)) != inputs_digest(pairs[:1])
    with pytest.raises(ValueError, match="32 needed"):
        _ = replace(one, nonce=b"short").commitment


def test_evidence_has_one_digest_whatever_its_order() -> None:
    pieces = [EvidencePiece("PID", "dob", 5, 0, 4, "a" * 64), EvidencePiece("A", "b", 1, 0, 1, "")]
    assert evidence_digest(pieces) == evidence_digest(reversed(pieces))
    assert evidence_digest([replace(pieces[0], end=5), pieces[1]]) != evidence_digest(pieces)


# --- passkeys -------------------------------------------------------------------------------------

DIGEST = signoff_digest(encode_signoff(signoff()))
OTHER_KEY = ec.derive_private_key(8, ec.SECP256R1())
KEYS = {
    "P-256": ec.derive_private_key(7, ec.SECP256R1()),
    "Ed25519": PASSKEY,
    "RSA": rsa.generate_private_key(65537, 2048),
}


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS.keys())
def test_a_passkey_of_each_kind_signs_the_record(key: Any) -> None:
    made = assertion_from_json(assertion_to_json(assert_with(key, DIGEST)))
    check_assertion(made, DIGEST, made.key_digest)
    spoiled = replace(made, signature=made.signature[:-1] + bytes([made.signature[-1] ^ 1]))
    with pytest.raises(Refused, match="does not verify"):
        check_assertion(spoiled, DIGEST, made.key_digest)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"challenge": bytes(32)}, "another record"),
        ({"type": "webauthn.create"}, "no signing"),
        ({"origin": "https://evil.example"}, "another page"),
        ({"origin": "https://evil.example", "stated_origin": "https://evil.example"}, "another"),
        ({"cross": True}, "inside another"),
        ({"site": "evil.example"}, "another site"),
        ({"flags": 4}, "nobody touched"),
        ({"flags": 1}, "not verified"),
        ({"flags": 0}, "nobody touched"),
        ({"shown": OTHER_KEY}, "another key"),
        (
            {"origin": "https://evilreview.example", "stated_origin": "https://evilreview.example"},
            "another page",
        ),
    ],
)
def test_a_passkeys_signature_counts_for_this_record_page_and_person(
    changes: dict[str, Any], sentence: str
) -> None:
    made = assert_with(PASSKEY, DIGEST, **changes)
    with pytest.raises(Refused, match=sentence) as refusal:
        check_assertion(made, DIGEST, signoff().key_digest)
    assert refusal.value.code == "E-PASSKEY"


@pytest.mark.parametrize("data", [b"", b"x" * 36, b"[]"])
def test_short_data_ends_in_a_refusal(data: bytes) -> None:
    made = assert_with(PASSKEY, DIGEST)
    with pytest.raises(Refused):
        check_assertion(replace(made, authenticator_data=data), DIGEST, made.key_digest)
    with pytest.raises(Refused):
        check_assertion(replace(made, client_data=data), DIGEST, made.key_digest)
    with pytest.raises(Refused):
        check_assertion(replace(made, public_key=data), DIGEST, made.key_digest)
