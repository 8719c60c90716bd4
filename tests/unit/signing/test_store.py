"""The key folder: who may read it, what each command leaves, and what is refused."""

from __future__ import annotations

import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
from pytest_django import Settings

from oipsce_site.signing.core.keys import Use, is_signed_by, public_bytes
from oipsce_site.signing.store import KeyStore, SigningKeyError, open_store
from tests.unit.signing.rings import LOG, NOON

LATER = NOON + timedelta(days=30)


@pytest.fixture
def store(tmp_path: Path) -> KeyStore:
    made = KeyStore(tmp_path / "keys")
    made.make_keys(log=LOG, root_file=tmp_path / "root.pem", at=NOON)
    return made


def test_files_are_for_their_owner_alone(store: KeyStore) -> None:
    assert store.folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in store.folder.iterdir()} == {0o600}


def test_the_root_key_lies_where_it_was_asked_for(store: KeyStore, tmp_path: Path) -> None:
    assert (tmp_path / "root.pem").stat().st_mode & 0o777 == 0o600
    assert not list(store.folder.glob("root-*"))


@pytest.mark.parametrize("use", [Use.EXPORT, Use.LOG])
def test_a_key_signs_for_its_use(store: KeyStore, use: Use) -> None:
    signer = store.signer(use, LATER)
    assert signer.public.use is use
    assert is_signed_by(signer.public.public, signer.private.sign(b"x"), b"x")


def test_a_rotated_key_signs_and_the_old_one_still_counts(store: KeyStore, tmp_path: Path) -> None:
    old = store.signer(Use.EXPORT, NOON).public
    ring, made = store.rotate(Use.EXPORT, root_file=tmp_path / "root.pem", at=LATER)
    assert store.signer(Use.EXPORT, LATER).public.id == made != old.id
    assert ring.of_use(Use.EXPORT)[old.id].counts_at(LATER)
    assert ring.epoch == 2


def test_a_revoked_key_is_gone_and_counts_no_longer(store: KeyStore, tmp_path: Path) -> None:
    old = store.signer(Use.EXPORT, NOON).public
    ring = store.revoke(old.id, root_file=tmp_path / "root.pem", at=LATER)
    assert ring.of_use(Use.EXPORT)[old.id].counts_at(NOON)
    assert not ring.of_use(Use.EXPORT)[old.id].counts_at(LATER)
    assert not list(store.folder.glob("export-*"))
    with pytest.raises(SigningKeyError, match="rotate"):
        store.signer(Use.EXPORT, LATER)


def test_keys_are_never_made_over_others(store: KeyStore, tmp_path: Path) -> None:
    with pytest.raises(SigningKeyError, match="already"):
        store.make_keys(log=LOG, root_file=None, at=LATER)


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda path: path.chmod(0o644), "too open"),
        (lambda path: path.unlink(), "not there"),
        (lambda path: path.write_bytes(b"-----BEGIN"), "no usable key"),
        (
            lambda path: path.write_bytes(next(path.parent.glob("log-*")).read_bytes()),
            "another key",
        ),
    ],
    ids=["open to others", "missing", "broken", "swapped"],
)
def test_an_unsafe_key_file_is_refused(store: KeyStore, damage: object, sentence: str) -> None:
    damage(next(store.folder.glob("export-*")))  # type: ignore[operator]
    with pytest.raises(SigningKeyError, match=sentence):
        store.signer(Use.EXPORT, NOON)


def test_without_the_root_key_nothing_changes(store: KeyStore) -> None:
    before = store.keyring_bytes()
    with pytest.raises(SigningKeyError, match="not there"):
        store.rotate(Use.LOG, root_file=None, at=LATER)
    assert store.keyring_bytes() == before


def test_a_keyring_of_another_root_is_refused(store: KeyStore, tmp_path: Path) -> None:
    other = KeyStore(tmp_path / "other")
    other.make_keys(log=LOG, root_file=None, at=NOON)
    (store.folder / "keyring.dsse.json").write_bytes(other.keyring_bytes())
    with pytest.raises(SigningKeyError, match="another root"):
        store.signer(Use.LOG, NOON)


@pytest.mark.parametrize(
    ("folder", "autocreate", "sentence"),
    [("", True, "SIGNING_KEY_DIR is not set"), ("keys", False, "signing_keys create")],
)
def test_a_missing_store_says_what_to_do(
    settings: Settings, tmp_path: Path, folder: str, autocreate: bool, sentence: str
) -> None:
    settings.SIGNING_KEY_DIR = str(tmp_path / folder) if folder else ""
    settings.SIGNING_KEYS_AUTOCREATE = autocreate
    with pytest.raises(SigningKeyError, match=sentence):
        open_store(at=NOON)


def test_openssl_reads_a_key_file(store: KeyStore) -> None:
    signer = store.signer(Use.EXPORT, NOON)
    path = next(store.folder.glob("export-*"))
    words = ["openssl", "pkey", "-in", str(path), "-pubout", "-outform", "DER"]
    done = subprocess.run(words, capture_output=True, check=True)
    assert done.stdout.endswith(public_bytes(signer.private))
