"""Envelopes, the keyring and checkpoints: what verifies, and each way in which they do not."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from oipsce_site.signing.core.envelope import open_envelope, seal_envelope
from oipsce_site.signing.core.keyring import Keyring, open_keyring, sign_keyring
from oipsce_site.signing.core.keys import Use, fingerprint, key_id
from oipsce_site.signing.core.note import (
    Checkpoint,
    add_cosignature,
    cosigned_at,
    open_checkpoint,
    sign_checkpoint,
)
from oipsce_site.signing.core.plain import write_json
from oipsce_site.signing.core.refusals import Refused
from tests.unit.signing.rings import LOG, NOON, private, public, record, ring

KIND = "text/x"
KEYS = {key_id(public("a")): public("a"), key_id(public("b")): public("b")}


def sealed(*names: str, kind: str = KIND, body: bytes = b"hello") -> bytes:
    return seal_envelope(kind, body, [private(name) for name in names or ("a",)])


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    value = json.loads(sealed())
    change(value)
    return write_json(value)


def code_of(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refusal:
        act()
    return refusal.value.code


@pytest.mark.parametrize("names", [("a",), ("a", "b"), ("b", "a")])
def test_an_envelope_opens_for_the_keys_that_signed_it(names: tuple[str, ...]) -> None:
    body, signers = open_envelope(sealed(*names), KIND, KEYS, "it")
    assert body == b"hello"
    assert signers == {key_id(public(name)) for name in names}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (sealed("c"), "E-SIG"),
        (sealed("a", "c"), "E-SIG"),
        (sealed("a", "a"), "E-ENVELOPE"),
        (sealed(kind="text/y"), "E-PAYLOADTYPE"),
        (changed(lambda v: v.update(payloadType="text/y")), "E-PAYLOADTYPE"),
        (changed(lambda v: v.update(payload="aGVsbG8h")), "E-SIG"),
        (changed(lambda v: v.update(payload="aGVsbG9=")), "E-B64"),
        (changed(lambda v: v.update(signatures=[])), "E-ENVELOPE"),
        (changed(lambda v: v.update(signatures=v["signatures"] * 17)), "E-ENVELOPE"),
        (changed(lambda v: v.update(more=1)), "E-ENVELOPE"),
        (changed(lambda v: v["signatures"][0].update(cert="x")), "E-ENVELOPE"),
        (changed(lambda v: v["signatures"][0].update(keyid=key_id(public("b")))), "E-KEYHINT"),
        (changed(lambda v: v["signatures"][0].update(sig="AAAA")), "E-SIG"),
        (sealed() + b"\n", "E-ENVELOPE"),
        (sealed().replace(b'{"payload"', b'{ "payload"'), "E-ENVELOPE"),
        (b"[]", "E-ENVELOPE"),
    ],
)
def test_an_envelope_that_was_touched_does_not_open(data: bytes, code: str) -> None:
    assert code_of(lambda: open_envelope(data, KIND, KEYS, "it")) == code


def test_an_envelope_has_the_same_bytes_each_time() -> None:
    assert sealed("a", "b") == sealed("a", "b")


# --- the keyring ----------------------------------------------------------------------------------


def test_the_keyring_opens_for_its_root() -> None:
    assert open_keyring(ring().data, ring().root_id) == ring().keyring


def test_the_fingerprint_is_the_id_in_groups() -> None:
    assert fingerprint(public("root")).replace(" ", "") == ring().root_id


def edited(old: bytes, new: bytes) -> bytes:
    envelope = json.loads(ring().data)
    payload = base64.b64decode(envelope["payload"])
    assert old in payload
    envelope["payload"] = base64.b64encode(payload.replace(old, new)).decode()
    return write_json(envelope)


def resigned(keyring: Keyring) -> bytes:
    return sign_keyring(replace(keyring, root=public("other")), private("other"))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (edited(b'"use":"witness"', b'"use":"export"'), "E-SIG"),
        (edited(b'"epoch":1', b'"epoch":2'), "E-SIG"),
        (resigned(ring().keyring), "E-ROOT"),
        (edited(public("root").hex().encode(), public("other").hex().encode()), "E-ROOT"),
    ],
)
def test_a_keyring_of_somebody_else_does_not_open(data: bytes, code: str) -> None:
    assert code_of(lambda: open_keyring(data, ring().root_id)) == code


@pytest.mark.parametrize(
    ("hours", "revoked_hours", "counts"),
    [
        (0, None, True),
        (-24, None, True),
        (24, None, False),
        (-25, None, False),
        (0, 1, True),
        (1, 1, False),
        (2, 1, False),
    ],
)
def test_a_key_counts_between_its_times(
    hours: int, revoked_hours: int | None, counts: bool
) -> None:
    revoked = None if revoked_hours is None else NOON + timedelta(hours=revoked_hours)
    key = record("export", Use.EXPORT, revoked)
    assert key.counts_at(NOON + timedelta(hours=hours)) is counts


def test_a_change_of_the_keyring_is_a_new_epoch_that_keeps_the_old_keys() -> None:
    before = ring().keyring
    grown = before.with_key(record("new", Use.EXPORT), NOON)
    revoked = grown.without(record("new", Use.EXPORT).id, NOON)
    assert [one.epoch for one in (before, grown, revoked)] == [1, 2, 3]
    assert len(revoked.keys) == len(grown.keys) == len(before.keys) + 1
    assert code_of(lambda: grown.with_key(record("new", Use.LOG), NOON)) == "E-KEYRING"
    assert code_of(lambda: revoked.without(record("new", Use.LOG).id, NOON)) == "E-KEYRING"
    assert code_of(lambda: before.without("0" * 64, NOON)) == "E-KEYRING"


# --- checkpoints ----------------------------------------------------------------------------------

POINT = Checkpoint(LOG, 7, bytes(range(32)))
NOTE = sign_checkpoint(POINT, private("log"))


def test_a_checkpoint_reads_back_and_has_the_form_of_the_standard() -> None:
    assert open_checkpoint(NOTE, LOG, public("log"), "it") == POINT
    assert NOTE.decode().split("\n")[:4] == [
        LOG,
        "7",
        base64.b64encode(POINT.root).decode(),
        "",
    ]


def spoiled_line() -> bytes:
    """Return a second line by the log's key whose signature does not verify."""
    mark, name, words = NOTE.decode().splitlines()[-1].split(" ")
    signature = bytearray(base64.b64decode(words))
    signature[-1] ^= 1
    return f"{mark} {name} {base64.b64encode(bytes(signature)).decode()}\n".encode()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (NOTE.replace(b"\n7\n", b"\n8\n"), "E-NOTE-SIG"),
        (sign_checkpoint(POINT, private("other")), "E-NOTE-SIG"),
        (sign_checkpoint(replace(POINT, origin="other.test/log"), private("log")), "E-NOTE-SIG"),
        (NOTE[:-1], "E-NOTE"),
        (NOTE + b"more", "E-NOTE"),
        (NOTE.split(b"\n\n")[0] + b"\n\n", "E-NOTE"),
        (b"\xff" + NOTE, "E-NOTE"),
        (NOTE + spoiled_line(), "E-NOTE-SIG"),
        (b"x" * 200_000, "E-NOTE"),
    ],
)
def test_a_checkpoint_that_was_touched_is_refused(data: bytes, code: str) -> None:
    assert code_of(lambda: open_checkpoint(data, LOG, public("log"), "it")) == code


def test_lines_of_unknown_keys_are_ignored() -> None:
    grown = add_cosignature(NOTE, "witness.test/w", private("witness"), 1_800_000_000)
    assert open_checkpoint(grown, LOG, public("log"), "it") == POINT


def test_a_witness_says_when_it_saw_the_checkpoint() -> None:
    grown = add_cosignature(NOTE, "witness.test/w", private("witness"), 1_800_000_000)
    assert cosigned_at(grown, "witness.test/w", public("witness")) == 1_800_000_000
    for note, name, key in [
        (NOTE, "witness.test/w", "witness"),
        (grown, "witness.test/w", "other"),
        (grown, "witness.test/v", "witness"),
        (grown.replace(b"\n7\n", b"\n8\n"), "witness.test/w", "witness"),
    ]:
        assert code_of(partial(cosigned_at, note, name, public(key))) == "E-WITNESS"
