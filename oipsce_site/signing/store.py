"""Private signing keys in a folder: one file each, mode 0600, beside the signed keyring.

The folder (``settings.SIGNING_KEY_DIR``, mode 0700) holds ``keyring.dsse.json``, which is public,
and one ``USE-ID.pem`` for each private key that this machine may use, as openssl reads it.
The root key signs the keyring and nothing else: keep it off this machine, and lend its file to the
command that rotates or revokes.

The lowest layer: only the standard library, `cryptography` and the settings.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from django.conf import settings

from oipsce_site.signing.core.keyring import Keyring, open_keyring, sign_keyring
from oipsce_site.signing.core.keys import PublicKey, Use, key_id, public_bytes
from oipsce_site.signing.core.refusals import Refused

KEYRING: Final = "keyring.dsse.json"
ROOT_ID: Final = "root.id"
#: How long a new key of each use counts.
LIFETIMES: Final = {Use.EXPORT: timedelta(days=366), Use.LOG: timedelta(days=732)}
#: Group and others may neither read nor write; a group that reads (a mounted secret) is allowed.
FORBIDDEN_MODE: Final = 0o027


class SigningKeyError(Exception):
    """The key folder or a key in it is missing, unsafe or unusable; the sentence says which."""


@dataclass(frozen=True, slots=True, repr=False)
class Signer:
    """A private key with its public record."""

    private: Ed25519PrivateKey
    public: PublicKey


@dataclass(frozen=True, slots=True)
class KeyStore:
    """The keys in one folder."""

    folder: Path

    def is_there(self) -> bool:
        """Say whether keys were created here."""
        return (self.folder / KEYRING).exists()

    def make_keys(self, *, log: str, root_file: Path | None, at: datetime) -> Keyring:
        """Make the root key, one export and one log key, and the first keyring.

        `log` names the log in checkpoints; `root_file` is where the root key is written (the folder
        itself without it). Raises SigningKeyError when there are keys already.
        """
        if self.is_there():
            raise SigningKeyError(f"{self.folder}: there are keys already; they were left")
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        root = Ed25519PrivateKey.generate()
        made = [self._make(use, at) for use in LIFETIMES]
        ring = Keyring(1, at, public_bytes(root), log, tuple(one.public for one in made))
        _write_new(root_file or self._path(Use.ROOT, key_id(ring.root)), _pem(root))
        for one in made:
            _write_new(self._path(one.public.use, one.public.id), _pem(one.private))
        _replace(self.folder / ROOT_ID, f"{key_id(ring.root)}\n".encode())
        # Last: with the keyring the keys are there.
        _replace(self.folder / KEYRING, sign_keyring(ring, root))
        return ring

    def rotate(self, use: Use, *, root_file: Path | None, at: datetime) -> tuple[Keyring, str]:
        """Add a new key of a use, which signs from now on; returns the keyring and the key's id.

        Older keys go on counting for what they signed. Raises SigningKeyError.
        """
        if use not in LIFETIMES:
            raise SigningKeyError(f"a {use.value} key is not rotated: only export and log keys are")
        made = self._make(use, at)
        ring = self._sign(lambda before: before.with_key(made.public, at), root_file)
        _write_new(self._path(use, made.public.id), _pem(made.private))
        return ring, made.public.id

    def revoke(self, revoked: str, *, root_file: Path | None, at: datetime) -> Keyring:
        """Let a key count no longer from now on, and remove its private file. SigningKeyError."""
        known = {key.id: key for key in self.keyring().keys}
        ring = self._sign(lambda before: before.without(revoked, at), root_file)
        self._path(known[revoked].use, revoked).unlink(missing_ok=True)
        return ring

    def add_witness(self, public: bytes, *, root_file: Path | None, at: datetime) -> Keyring:
        """Add the public key of a witness, so that audits show whose cosignature counts."""
        key = PublicKey(public, Use.WITNESS, at, at + timedelta(days=3660))
        return self._sign(lambda before: before.with_key(key, at), root_file)

    def root_key(self, root_file: Path | None) -> Ed25519PrivateKey:
        """Return the root key, lent for a ceremony. Raises SigningKeyError."""
        root_id = self.root_id()
        return self._load(root_file or self._path(Use.ROOT, root_id), root_id)

    def roster_bytes(self, site: str) -> bytes | None:
        """Return the signed roster of a site; None where there is none."""
        try:
            return self._roster(site).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SigningKeyError(f"{self.folder}: {type(error).__name__}") from None

    def put_roster(self, site: str, data: bytes) -> Path:
        """Keep the signed roster of a site beside the keyring, in place of an older one."""
        path = self._roster(site)
        _replace(path, data)
        return path

    def _roster(self, site: str) -> Path:
        return self.folder / f"roster-{site}.dsse.json"

    def keyring_bytes(self) -> bytes:
        """Return the signed keyring as it is. Raises SigningKeyError."""
        try:
            return (self.folder / KEYRING).read_bytes()
        except FileNotFoundError:
            raise SigningKeyError(
                f"{self.folder}: no keyring, so nothing can be signed; run "
                "`manage.py signing_keys create`, or restore the folder from its copy"
            ) from None
        except OSError as error:
            raise SigningKeyError(f"{self.folder}: {type(error).__name__}") from None

    def root_id(self) -> str:
        """Return the id of the installation's root key. Raises SigningKeyError."""
        self.keyring_bytes()
        try:
            return (self.folder / ROOT_ID).read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            raise SigningKeyError(f"{self.folder}: {ROOT_ID} is missing; restore it") from None

    def keyring(self) -> Keyring:
        """Return the keyring, verified. Raises SigningKeyError."""
        try:
            return open_keyring(self.keyring_bytes(), self.root_id())
        except Refused as refusal:
            raise SigningKeyError(
                f"{self.folder / KEYRING}: {refusal.text}; restore it from its copy"
            ) from None

    def signer(self, use: Use, at: datetime) -> Signer:
        """Return the key that signs for this use now.

        Raises SigningKeyError when none counts, or its file is missing, open to others or not of
        that key.
        """
        try:
            public = self.keyring().counting(use, at)
        except Refused as refusal:
            raise SigningKeyError(
                f"{self.folder}: {refusal.text}; run `manage.py signing_keys rotate`"
            ) from None
        return Signer(self._load(self._path(use, public.id), public.id), public)

    def _make(self, use: Use, at: datetime) -> Signer:
        private = Ed25519PrivateKey.generate()
        return Signer(private, PublicKey(public_bytes(private), use, at, at + LIFETIMES[use]))

    def _sign(self, change: Callable[[Keyring], Keyring], root_file: Path | None) -> Keyring:
        before = self.keyring()
        root_id = key_id(before.root)
        root = self._load(root_file or self._path(Use.ROOT, root_id), root_id)
        try:
            ring = change(before)
        except Refused as refusal:
            raise SigningKeyError(refusal.text) from None
        _replace(self.folder / KEYRING, sign_keyring(ring, root))
        return ring

    def _path(self, use: Use, name: str) -> Path:
        return self.folder / f"{use.value}-{name[:16]}.pem"

    def _load(self, path: Path, expected: str) -> Ed25519PrivateKey:
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & FORBIDDEN_MODE:
                raise SigningKeyError(f"{path}: mode {mode:04o} is too open; chmod it to 0600")
            key = load_pem_private_key(path.read_bytes(), password=None)
        except FileNotFoundError:
            raise SigningKeyError(
                f"{path}: not there; lend the key file to this machine, or rotate"
            ) from None
        except (OSError, ValueError, TypeError) as error:
            raise SigningKeyError(f"{path}: no usable key ({type(error).__name__})") from None
        if not isinstance(key, Ed25519PrivateKey) or key_id(public_bytes(key)) != expected:
            raise SigningKeyError(f"{path}: another key than its name says; restore it")
        return key


def open_store(*, at: datetime) -> KeyStore:
    """Return the store of this installation.

    With ``settings.SIGNING_KEYS_AUTOCREATE`` missing keys are made. Raises SigningKeyError when
    no folder is set, or there are no keys.
    """
    place = str(settings.SIGNING_KEY_DIR)
    if not place:
        raise SigningKeyError("SIGNING_KEY_DIR is not set, so nothing can be sealed or exported")
    store = KeyStore(Path(place))
    if not store.is_there():
        if not settings.SIGNING_KEYS_AUTOCREATE:
            store.keyring_bytes()
        store.make_keys(log=settings.LOG_NAME, root_file=None, at=at)
    return store


def _pem(key: Ed25519PrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _write_new(path: Path, data: bytes) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise SigningKeyError(f"{path}: a file is there already and was left as it is") from None
    except OSError as error:
        raise SigningKeyError(f"{path}: cannot be written ({type(error).__name__})") from None
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _replace(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    _write_new(beside, data)
    beside.replace(path)
