"""Sealing: what goes in comes out, in its own place only, and nothing leaks on the way."""

from __future__ import annotations

import json
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from uuid import UUID

import pytest
from django.test import override_settings

from oipsce_site import sealing
from oipsce_site.sealing import (
    CallSealer,
    SealBroken,
    SealingKeyError,
    Unsealable,
    create_key_file,
    load_key_file,
    new_data_key,
    rewrap,
    rotate_key,
)

SITE = UUID("aaaaaaaa-0000-4000-8000-000000000001")
CALL = UUID("bbbbbbbb-0000-4000-8000-000000000001")
OTHER = UUID("cccccccc-0000-4000-8000-000000000001")
WORDS = "Mrs Smith, born 1961, naïve \x00 🙂"


@pytest.fixture(autouse=True)
def key_file(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "keys" / "sealing.json"
    with override_settings(SEALING_KEY_FILE=str(path), SEALING_KEY_AUTOCREATE=True):
        yield path


@pytest.mark.parametrize("text", ["", WORDS, "x" * 100_000])
def test_round_trip(text: str) -> None:
    sealer = CallSealer(SITE, CALL, new_data_key())
    assert sealer.open("turn:1", sealer.seal("turn:1", text)) == text


def test_one_text_seals_differently_each_time_and_is_29_bytes_longer() -> None:
    sealer = CallSealer(SITE, CALL, new_data_key())
    first, second = sealer.seal("turn:1", "yes"), sealer.seal("turn:1", "yes")
    assert first != second
    assert len(first) == 3 + 29


def test_texts_sealed_at_once_open_each_in_its_own_place_and_share_no_nonce() -> None:
    sealer = CallSealer(SITE, CALL, new_data_key())
    texts = [(f"turn:{number}", text) for number, text in enumerate(["", WORDS, "yes", "yes"])]
    sealed = sealer.seal_all(texts)
    assert [sealer.open(slot, one) for (slot, _), one in zip(texts, sealed, strict=True)] == [
        text for _, text in texts
    ]
    assert len({one[1 : 1 + sealing.NONCE_BYTES] for one in sealed}) == len(texts)
    assert sealer.seal_all([]) == []
    with pytest.raises(Unsealable, match="slot turn:9: a lone surrogate"):
        sealer.seal_all([("turn:8", "yes"), ("turn:9", "\ud800")])


def test_a_wrapped_key_does_not_hold_the_key_and_opens_in_another_sealer() -> None:
    wrapped = new_data_key()
    sealed = CallSealer(SITE, CALL, wrapped).seal("event:ev01", WORDS)
    assert (
        CallSealer(SITE, CALL, memoryview(wrapped)).open("event:ev01", memoryview(sealed)) == WORDS
    )
    assert new_data_key() != wrapped


@pytest.mark.parametrize(
    ("site", "call", "slot"),
    [
        pytest.param(OTHER, CALL, "turn:42", id="other site"),
        pytest.param(SITE, OTHER, "turn:42", id="other call"),
        pytest.param(CALL, SITE, "turn:42", id="site and call swapped"),
        pytest.param(SITE, CALL, "turn:4", id="other turn"),
        pytest.param(SITE, CALL, "event:42", id="other kind"),
    ],
)
def test_a_moved_text_does_not_open(site: UUID, call: UUID, slot: str) -> None:
    wrapped = new_data_key()
    sealed = CallSealer(SITE, CALL, wrapped).seal("turn:42", WORDS)
    with pytest.raises(SealBroken) as refusal:
        CallSealer(site, call, wrapped).open(slot, sealed)
    sentence = str(refusal.value)
    assert str(call) in sentence
    assert slot in sentence
    assert "Smith" not in sentence
    assert refusal.value.__cause__ is None


def test_every_altered_byte_and_every_cut_is_found() -> None:
    sealer = CallSealer(SITE, CALL, new_data_key())
    sealed = sealer.seal("turn:1", "abc")
    altered = [
        *(sealed[:n] + bytes([sealed[n] ^ 1]) + sealed[n + 1 :] for n in range(len(sealed))),
        *(sealed[:n] for n in range(len(sealed))),
        sealed + b"\0",
    ]
    for data in altered:
        with pytest.raises(SealBroken):
            sealer.open("turn:1", data)


def test_another_calls_key_does_not_open() -> None:
    sealed = CallSealer(SITE, CALL, new_data_key()).seal("turn:1", WORDS)
    with pytest.raises(SealBroken):
        CallSealer(SITE, CALL, new_data_key()).open("turn:1", sealed)


def test_every_altered_byte_of_a_wrapped_key_is_found() -> None:
    wrapped = bytes(new_data_key())
    for n in range(len(wrapped)):
        with pytest.raises((SealBroken, SealingKeyError)):
            CallSealer(SITE, CALL, wrapped[:n] + bytes([wrapped[n] ^ 1]) + wrapped[n + 1 :])
        with pytest.raises((SealBroken, SealingKeyError)):
            CallSealer(SITE, CALL, wrapped[:n])


def test_a_lone_surrogate_is_refused_by_its_place() -> None:
    sealer = CallSealer(SITE, CALL, new_data_key())
    with pytest.raises(Unsealable) as refusal:
        sealer.seal("turn:7", "Smith \udc80")
    assert "turn:7" in str(refusal.value)
    assert "character 6" in str(refusal.value)
    assert "Smith" not in str(refusal.value)
    assert refusal.value.__context__ is None


@pytest.mark.parametrize("slot", ["", "turn", "turn:", ":1", "Turn:1", "turn:\n", "turn:\ud800"])
def test_malformed_slots_are_refused(slot: str) -> None:
    sealer = CallSealer(SITE, CALL, new_data_key())
    with pytest.raises(Unsealable):
        sealer.seal(slot, "x")


def test_rotation_keeps_old_calls_readable_and_rewrapping_frees_the_old_key(key_file: Path) -> None:
    wrapped = new_data_key()
    sealed = CallSealer(SITE, CALL, wrapped).seal("turn:1", WORDS)
    assert rotate_key() == "k2"
    assert CallSealer(SITE, CALL, wrapped).open("turn:1", sealed) == WORDS
    moved = rewrap(wrapped)
    data = json.loads(key_file.read_text())
    del data["keys"]["k1"]
    key_file.write_text(json.dumps(data))
    assert CallSealer(SITE, CALL, moved).open("turn:1", sealed) == WORDS
    with pytest.raises(SealingKeyError, match="'k1'"):
        CallSealer(SITE, CALL, wrapped)


def test_the_key_file_is_made_for_its_owner_only_and_once(key_file: Path) -> None:
    found: list[sealing.KeyFile] = []
    threads = [Thread(target=lambda: found.append(load_key_file())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({file.keys["k1"] for file in found}) == 1
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert [path.name for path in key_file.parent.iterdir()] == [key_file.name]


def test_a_new_installation_makes_its_key_file_once(key_file: Path) -> None:
    with override_settings(SEALING_KEY_AUTOCREATE=False):
        assert create_key_file() == key_file
        wrapped = new_data_key()
        with pytest.raises(SealingKeyError, match="there already and was left as it is"):
            create_key_file()
        CallSealer(SITE, CALL, wrapped)
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600


def test_a_rotated_key_file_stays_with_its_owner(key_file: Path) -> None:
    load_key_file()
    rotate_key()
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600


def test_without_autocreate_a_missing_key_file_is_an_error(key_file: Path) -> None:
    with (
        override_settings(SEALING_KEY_AUTOCREATE=False),
        pytest.raises(SealingKeyError, match="not there"),
    ):
        new_data_key()
    assert not key_file.exists()


def test_a_key_file_open_to_others_is_refused(key_file: Path) -> None:
    load_key_file()
    key_file.chmod(0o644)
    with pytest.raises(SealingKeyError, match="mode 0644 is too open"):
        load_key_file()


@pytest.mark.parametrize(
    "content",
    [
        "not json",
        "[]",
        '{"active": "k1"}',
        '{"active": "k1", "keys": []}',
        '{"active": "k1", "keys": {}}',
        '{"active": "k1", "keys": {"k1": "AAAA"}}',
        '{"active": "k1", "keys": {"k1": "?"}}',
        '{"active": "k1", "keys": {"k1": 5}}',
    ],
)
def test_a_malformed_key_file_is_refused_without_its_content(key_file: Path, content: str) -> None:
    load_key_file()
    key_file.write_text(content)
    with pytest.raises(SealingKeyError) as refusal:
        load_key_file()
    assert refusal.value.__cause__ is None
    assert "AAAA" not in str(refusal.value)


def test_keys_do_not_show_in_a_repr() -> None:
    file = load_key_file()
    assert "keys=" not in repr(file)
    assert not hasattr(CallSealer(SITE, CALL, new_data_key()), "__dict__")


def test_ten_thousand_turns_take_under_two_seconds() -> None:
    sealer = CallSealer(SITE, CALL, new_data_key())
    began = time.perf_counter()
    for turn in range(10_000):
        slot = f"turn:{turn}"
        sealer.open(slot, sealer.seal(slot, WORDS))
    assert time.perf_counter() - began < 2
