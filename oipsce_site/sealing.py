"""Seal the words of a call: AES-256-GCM per turn, one data key per call, keys from a file.

The lowest layer: only the standard library, `cryptography` and the settings.

- A *data key* (32 random bytes) belongs to one call and is stored wrapped, beside the call.
  Destroying the wrapped key erases the call's words wherever they were copied.
- A *key file* holds the wrapping keys by version: ``{"active": id, "keys": {id: base64}}``. New
  data keys are wrapped with the active one; `rotate_key` adds a version, `rewrap` moves a data key
  to it. Keep the file's backups apart from the database's, or erasure is void.
- The words of one *slot* (``turn:42``, ``event:ev01``) are bound to site, call and slot: a sealed
  text that is moved to another place does not open. An import batch seals its files so as well.

Layout of a sealed text: version 1 (1 byte), nonce (12), cipher text with its tag (n + 16).
Layout of a wrapped key: version 1 (1 byte), length of the key id (1), key id, nonce (12), 48 bytes.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
import secrets
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, NewType, TypeAlias
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

WrappedKey = NewType("WrappedKey", bytes)
# What a binary field of the ORM may hand over.
Stored: TypeAlias = bytes | memoryview

TURN_DOMAIN: Final = b"oip-sce/turn/v1\0"
KEY_DOMAIN: Final = b"oip-sce/data-key/v1\0"
VERSION: Final = b"\x01"
KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12
TAG_BYTES: Final = 16
# Group and others may not read or write; a group that reads (a mounted secret) is allowed.
FORBIDDEN_MODE: Final = 0o027
_SLOT: Final = re.compile(r"[a-z][a-z_]{0,31}:[^\x00-\x1f\x7f\ud800-\udfff]{1,200}")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class SealingKeyError(Exception):
    """The key file is missing, unsafe or unreadable, or lacks a key; the sentence says which."""


class SealBroken(Exception):
    """A sealed text or wrapped key does not open here: altered, moved, or made with another key."""


class Unsealable(ValueError):
    """A text or slot that cannot be sealed; the sentence names the place, never the text."""


@dataclass(frozen=True, slots=True, repr=False)
class KeyFile:
    """The wrapping keys by version, and which one wraps new data keys."""

    active: str
    keys: dict[str, bytes]


class CallSealer:
    """Seals and opens the words of one call; unwraps the data key once, when it is made."""

    __slots__ = ("_cipher", "_place", "call_id")

    def __init__(self, site_id: UUID, call_id: UUID, wrapped: Stored) -> None:
        """Unwrap the call's data key.

        Raises SealBroken when the wrapped key was altered, SealingKeyError when the key file is
        unusable or lacks the version that wrapped it.
        """
        self.call_id = call_id
        # Two ids of 16 bytes each, then the slot: no two places share one sequence of bytes.
        self._place = TURN_DOMAIN + site_id.bytes + call_id.bytes
        try:
            self._cipher = AESGCM(_unwrap(bytes(wrapped), load_key_file()))
        except SealBroken as error:
            raise SealBroken(f"call {call_id}: {error}") from None

    def seal(self, slot: str, text: str) -> bytes:
        """Return `text` sealed for `slot`; 29 bytes longer than its UTF-8 form.

        Raises Unsealable for a slot of another form, or a text with a lone surrogate.
        """
        return self.seal_bytes(slot, self._encoded(slot, text))

    def seal_all(self, texts: Sequence[tuple[str, str]]) -> list[bytes]:
        """Return each text sealed for its slot, in their order, as `seal` does one.

        The random bytes of all are drawn at once: asking the system for them for each turn of a
        call takes longer than sealing it.
        """
        drawn = secrets.token_bytes(NONCE_BYTES * len(texts))
        nonces = [drawn[at : at + NONCE_BYTES] for at in range(0, len(drawn), NONCE_BYTES)]
        return [
            self._sealed(nonce, slot, self._encoded(slot, text))
            for nonce, (slot, text) in zip(nonces, texts, strict=True)
        ]

    def seal_bytes(self, slot: str, data: bytes) -> bytes:
        """Return `data` sealed for `slot`, 29 bytes longer. Raises Unsealable for a bad slot."""
        return self._sealed(secrets.token_bytes(NONCE_BYTES), slot, data)

    def _sealed(self, nonce: bytes, slot: str, data: bytes) -> bytes:
        return VERSION + nonce + self._cipher.encrypt(nonce, data, self._aad(slot))

    def _encoded(self, slot: str, text: str) -> bytes:
        found = None if text.isascii() else _SURROGATE.search(text)
        # Looked for, not caught: a UnicodeEncodeError would carry the whole text into a report.
        if found is not None:
            raise Unsealable(
                f"call {self.call_id}, slot {slot}: a lone surrogate at character {found.start()}; "
                "the text has no UTF-8 form, repair it at import"
            )
        return text.encode("utf-8")

    def open(self, slot: str, sealed: Stored) -> str:
        """Return the text that was sealed for `slot`. Raises SealBroken as `open_bytes` does."""
        return self.open_bytes(slot, sealed).decode("utf-8")

    def open_bytes(self, slot: str, sealed: Stored) -> bytes:
        """Return what was sealed for `slot`.

        Raises SealBroken when it was altered, or sealed for another slot, call, site or key.
        """
        aad = self._aad(slot)
        data = bytes(sealed)
        if data[:1] == VERSION and len(data) > NONCE_BYTES + TAG_BYTES:
            nonce, cipher_text = data[1 : 1 + NONCE_BYTES], data[1 + NONCE_BYTES :]
            try:
                return self._cipher.decrypt(nonce, cipher_text, aad)
            except InvalidTag:
                pass
        raise SealBroken(
            f"call {self.call_id}, slot {slot}: the sealed text does not open; it was altered or "
            "belongs to another place. Restore it from a backup or import the call again"
        )

    def _aad(self, slot: str) -> bytes:
        if not _is_slot(slot):
            raise Unsealable(
                f"call {self.call_id}: a slot is a kind and a name, like turn:42 or event:ev01"
            )
        return self._place + slot.encode("utf-8")


# The slots of one call are those of the next.
@lru_cache(maxsize=4096)
def _is_slot(slot: str) -> bool:
    return _SLOT.fullmatch(slot) is not None


def new_data_key() -> WrappedKey:
    """Return a new random data key for one call, wrapped with the active key of the key file.

    Raises SealingKeyError when the key file is unusable.
    """
    return _wrap(AESGCM.generate_key(KEY_BYTES * 8), load_key_file())


def rewrap(wrapped: Stored) -> WrappedKey:
    """Return the same data key wrapped with the active key; sealed texts stay as they are.

    Raises SealBroken when the wrapped key was altered, SealingKeyError when its version is gone.
    """
    keys = load_key_file()
    return _wrap(_unwrap(bytes(wrapped), keys), keys)


def rotate_key() -> str:
    """Add a new wrapping key to the key file, make it the active one, and return its id.

    Older keys stay, so what they wrapped still opens. Raises SealingKeyError as `load_key_file`.
    """
    keys = load_key_file()
    number = 1 + max((int(key[1:]) for key in keys.keys if re.fullmatch(r"k\d+", key)), default=0)
    active = f"k{number}"
    grown = KeyFile(active, {**keys.keys, active: secrets.token_bytes(KEY_BYTES)})
    path = Path(settings.SEALING_KEY_FILE)
    _write_beside(path, grown).replace(path)
    return active


def create_key_file() -> Path:
    """Make the key file of a new installation, readable by its owner only, and return its place.

    Raises SealingKeyError when there is one: another key would open no call sealed before.
    """
    path = Path(settings.SEALING_KEY_FILE)
    if path.exists():
        raise SealingKeyError(f"key file {path}: it is there already and was left as it is")
    _create_key_file(path)
    return path


def load_key_file() -> KeyFile:
    """Return the wrapping keys of ``settings.SEALING_KEY_FILE``.

    With ``settings.SEALING_KEY_AUTOCREATE`` a missing file is made, readable by its owner only.
    Raises SealingKeyError when it is missing otherwise, open to others, or not of its form.
    """
    path = Path(settings.SEALING_KEY_FILE)
    try:
        return _read_key_file(path)
    except FileNotFoundError:
        if not settings.SEALING_KEY_AUTOCREATE:
            raise SealingKeyError(
                f"key file {path}: not there, so calls cannot be sealed or read; "
                "restore it from its backup, or create one (manage.py create_key_file)"
            ) from None
    _create_key_file(path)
    return _read_key_file(path)


def _read_key_file(path: Path) -> KeyFile:
    found = path.stat()
    mode = stat.S_IMODE(found.st_mode)
    if mode & FORBIDDEN_MODE:
        raise SealingKeyError(f"key file {path}: mode {mode:04o} is too open; chmod it to 0600")
    return _read_once(path, (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns))


# A worker asks for it several times a call. What replaces the file has another inode or time.
@lru_cache(maxsize=1)
def _read_once(path: Path, _version: tuple[int, ...]) -> KeyFile:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        keys = {key: base64.b64decode(text, validate=True) for key, text in data["keys"].items()}
        file = KeyFile(data["active"], keys)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, binascii.Error) as error:
        # The cause is not chained: a JSON error carries the file's text, which holds the keys.
        raise SealingKeyError(
            f"key file {path}: not readable as a key file ({type(error).__name__}); restore it"
        ) from None
    if file.active not in keys or any(len(key) != KEY_BYTES for key in keys.values()):
        raise SealingKeyError(
            f"key file {path}: the active key is missing or a key is not 32 bytes"
        )
    return file


def _create_key_file(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = _write_beside(path, KeyFile("k1", {"k1": secrets.token_bytes(KEY_BYTES)}))
    try:
        # A link appears whole or not at all; who comes second keeps the first one's key.
        os.link(made, path)
    except FileExistsError:
        pass
    finally:
        made.unlink()


def _write_beside(path: Path, keys: KeyFile) -> Path:
    text = json.dumps(
        {
            "active": keys.active,
            "keys": {key: base64.b64encode(value).decode() for key, value in keys.keys.items()},
        }
    )
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    return beside


def _wrap(data_key: bytes, keys: KeyFile) -> WrappedKey:
    name = keys.active.encode()
    header = VERSION + bytes([len(name)]) + name
    nonce = secrets.token_bytes(NONCE_BYTES)
    sealed = AESGCM(keys.keys[keys.active]).encrypt(nonce, data_key, KEY_DOMAIN + header)
    return WrappedKey(header + nonce + sealed)


def _unwrap(wrapped: bytes, keys: KeyFile) -> bytes:
    header = wrapped[: 2 + wrapped[1]] if wrapped[:1] == VERSION and len(wrapped) > 1 else b""
    rest = wrapped[len(header) :]
    if not header or len(rest) != NONCE_BYTES + KEY_BYTES + TAG_BYTES:
        raise SealBroken("the wrapped data key has not the known form; restore it from a backup")
    name = header[2:].decode("utf-8", errors="replace")
    if name not in keys.keys:
        raise SealingKeyError(
            f"key file: no key {name!r}, which wrapped this call's data key; restore that version"
        )
    try:
        return AESGCM(keys.keys[name]).decrypt(
            rest[:NONCE_BYTES], rest[NONCE_BYTES:], KEY_DOMAIN + header
        )
    except InvalidTag:
        raise SealBroken("the wrapped data key was altered; restore it from a backup") from None
