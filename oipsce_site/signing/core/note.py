"""Signed notes and checkpoints of a log, as C2SP writes them (signed-note, tlog-checkpoint).

A note is text that ends with a line break, an empty line, and signature lines::

    ORIGIN
    SIZE
    BASE64 OF THE ROOT

    — NAME BASE64(4 bytes of key id, then the signature)

Lines by unknown keys are ignored, as the format asks; a line by a known key that does not verify
refuses the whole note. A witness's line is a cosignature with its time (tlog-cosignature, v1).

| code | what is refused |
| --- | --- |
| E-NOTE | not the form of a note or checkpoint |
| E-NOTE-SIG | no signature of the log, or a line by a known key that does not verify |
| E-WITNESS | no cosignature of the witness that was asked for |
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from oipsce_site.signing.core.keys import is_signed_by, public_bytes
from oipsce_site.signing.core.plain import read_base64, write_base64
from oipsce_site.signing.core.refusals import Refused, require

LOG_LINE: Final = b"\x01"
WITNESS_LINE: Final = b"\x04"
ROOT_BYTES: Final = 32
MOST_BYTES: Final = 100_000
_NAME: Final = re.compile(r"[!-*,-~]{1,200}")
_LINE: Final = re.compile("\u2014 ([!-*,-~]{1,200}) ([A-Za-z0-9+/=]{8,})")
_SIZE: Final = re.compile(r"[1-9][0-9]{0,15}")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a log commits to: under which name, how many leaves, and the root over them."""

    origin: str
    size: int
    root: bytes


def checkpoint_text(checkpoint: Checkpoint) -> str:
    """Return the text that is signed. Raises ValueError for a name with blanks or a plus sign."""
    if not _NAME.fullmatch(checkpoint.origin):
        raise ValueError("origin: visible ASCII without blanks and plus signs")
    return f"{checkpoint.origin}\n{checkpoint.size}\n{write_base64(checkpoint.root)}\n"


def sign_checkpoint(checkpoint: Checkpoint, key: Ed25519PrivateKey) -> bytes:
    """Return the note that the log signs."""
    text = checkpoint_text(checkpoint)
    signature = key.sign(text.encode("utf-8"))
    line = _line(checkpoint.origin, LOG_LINE, public_bytes(key), signature)
    return f"{text}\n{line}".encode()


def add_cosignature(note: bytes, name: str, key: Ed25519PrivateKey, seconds: int) -> bytes:
    """Return the note with one line more: this witness saw it at `seconds` since 1970."""
    text, _ = _split(note)
    signature = key.sign(_cosigned(text, seconds))
    stamped = seconds.to_bytes(8, "big") + signature
    return note + _line(name, WITNESS_LINE, public_bytes(key), stamped).encode()


def open_checkpoint(note: bytes, origin: str, public: bytes, what: str) -> Checkpoint:
    """Return the checkpoint that the log with this name and key has signed. Raises Refused."""
    text, lines = _split(note)
    own = [sig for name, sig in lines if name == origin and _is_of(sig, name, LOG_LINE, public)]
    signed = bool(own) and all(is_signed_by(public, sig[4:], text.encode()) for sig in own)
    require(signed, "E-NOTE-SIG", f"{what} is not signed by the key of the log")
    parts = text.split("\n")
    # No extension lines: the format advises against them, and ours has none.
    is_plain = len(parts) == 4 and parts[0] == origin and bool(_SIZE.fullmatch(parts[1]))
    require(is_plain, "E-NOTE", f"{what} is no checkpoint of this log")
    root = read_base64(parts[2], f"the root of {what}")
    require(len(root) == ROOT_BYTES, "E-NOTE", f"{what} has a root of another length")
    return Checkpoint(origin, int(parts[1]), root)


def cosigned_at(note: bytes, name: str, public: bytes) -> int:
    """Return when this witness saw the note, in seconds since 1970. Raises Refused (E-WITNESS)."""
    text, lines = _split(note)
    for found, stamped in lines:
        if found != name or not _is_of(stamped, name, WITNESS_LINE, public):
            continue
        seconds = int.from_bytes(stamped[4:12], "big")
        if is_signed_by(public, stamped[12:], _cosigned(text, seconds)):
            return seconds
    raise Refused("E-WITNESS", "the checkpoint has no cosignature of this witness")


def _cosigned(text: str, seconds: int) -> bytes:
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def _line(name: str, kind: bytes, public: bytes, signature: bytes) -> str:
    return f"\u2014 {name} {write_base64(_short_id(name, kind, public) + signature)}\n"


def _short_id(name: str, kind: bytes, public: bytes) -> bytes:
    return hashlib.sha256(name.encode("utf-8") + b"\n" + kind + public).digest()[:4]


def _is_of(signature: bytes, name: str, kind: bytes, public: bytes) -> bool:
    return signature[:4] == _short_id(name, kind, public)


def _split(note: bytes) -> tuple[str, list[tuple[str, bytes]]]:
    require(len(note) <= MOST_BYTES, "E-NOTE", "the note is too long")
    try:
        whole = note.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("E-NOTE", "the note is not UTF-8") from None
    text, gap, rest = whole.rpartition("\n\n")
    lines = rest.split("\n")
    require(bool(gap) and len(lines) > 1 and not lines[-1], "E-NOTE", "the note has no signatures")
    found = [_LINE.fullmatch(line) for line in lines[:-1]]
    require(None not in found, "E-NOTE", "a signature line of the note has another form")
    return f"{text}\n", [
        (hit[1], read_base64(hit[2], "a line of the note")) for hit in found if hit
    ]
