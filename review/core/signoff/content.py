"""What a sign-off is about: digests and commitments over everything that decided the call.

Nothing here can be turned back into words of the call. Facts and attributes are committed to one by
one, each under a random nonce of its own, so that an audit may open some of them and not others,
and so that erasing the nonces makes all of them mute.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any, Final

from catalogs.core.requirements.expression import Scalar
from oipsce_site.signing.core.plain import write_json
from review.core.row_values import row_to_json
from review.core.rows import Row

ROWS_DOMAIN: Final = b"oip-sce/signed-rows/v1\0"
INPUT_DOMAIN: Final = b"oip-sce/input/v1\0"
INPUTS_DOMAIN: Final = b"oip-sce/inputs/v1\0"
EVIDENCE_DOMAIN: Final = b"oip-sce/evidence/v1\0"
NONCE_BYTES: Final = 32


class InputKind(Enum):
    """What a requirement may read beside rows: facts of the call, and attributes it came with."""

    FACT = "fact"
    ATTRIBUTE = "attribute"


@dataclass(frozen=True, slots=True)
class Input:
    """One fact or attribute as it stood: its value, and the nonce that its commitment is under."""

    kind: InputKind
    name: str
    value: Scalar
    nonce: bytes

    @property
    def commitment(self) -> str:
        """The commitment to this value, in hexadecimal."""
        return commit_input(self.kind.value, self.name, scalar_to_json(self.value), self.nonce)


@dataclass(frozen=True, slots=True)
class EvidencePiece:
    """A span that shows an item, with the commitment to its words that was stored with it."""

    phase: str
    item: str
    turn: int
    start: int
    end: int
    commitment: str


@dataclass(frozen=True, slots=True)
class SignedContent:
    """One review of one call as it stood on the screen of the person who signs it.

    `decisions` is the number of the last decision folded in, 0 without any. Outcomes are ``pass``,
    ``fail`` or ``undetermined``.
    """

    call_id: str
    site_id: str
    review: int
    transcript_revision: int
    transcript_digest: str
    catalog_slug: str
    catalog_version: str
    catalog_digest: str
    engine: str
    decisions: int
    evaluation_id: str
    evaluation_digest: str
    rows_digest: str
    inputs_digest: str
    evidence_digest: str
    ended: bool | None
    coverage: str
    order_safe: str
    call_success: str


def rows_digest(rows: Mapping[str, Row]) -> str:
    """Return the digest over all rows, whole: what the predicates read of them and what they rest
    on.
    """
    plain = [row_to_json(rows[phase]) for phase in sorted(rows)]
    return digest_of_plain_rows(plain)


def digest_of_plain_rows(plain: Sequence[Mapping[str, Any]]) -> str:
    """Return the same digest over rows as plain values, sorted by phase."""
    return _digest(ROWS_DOMAIN, list(plain))


def inputs_digest(commitments: Iterable[tuple[str, str, str]]) -> str:
    """Return the digest over the commitments to all inputs: kind, name, commitment."""
    return _digest(INPUTS_DOMAIN, sorted(list(one) for one in commitments))


def evidence_digest(pieces: Iterable[EvidencePiece]) -> str:
    """Return the digest over all evidence and its commitments."""
    plain = [[p.phase, p.item, p.turn, p.start, p.end, p.commitment] for p in pieces]
    return _digest(EVIDENCE_DOMAIN, sorted(plain))


def commit_input(kind: str, name: str, plain: object, nonce: bytes) -> str:
    """Return the commitment to one input: HMAC-SHA256 under its nonce, in hexadecimal.

    Raises ValueError for a nonce of another length.
    """
    if len(nonce) != NONCE_BYTES:
        raise ValueError(f"nonce: {len(nonce)} bytes, {NONCE_BYTES} needed; draw a new one")
    words = INPUT_DOMAIN + write_json([kind, name, plain])
    return hmac.new(nonce, words, hashlib.sha256).hexdigest()


def scalar_to_json(value: Scalar) -> object:
    """Write a single value as JSON without loss: a number and a date say what they are."""
    if isinstance(value, Decimal):
        return {"decimal": format(value, "f")}
    return {"date": value.isoformat()} if isinstance(value, date) else value


def scalar_from_json(plain: Any) -> Scalar:
    """Read a single value back. Raises TypeError or ValueError for what was not written so."""
    match plain:
        case {"decimal": str(text)}:
            return Decimal(text)
        case {"date": str(text)}:
            return date.fromisoformat(text)
        case None | bool() | int() | str():
            return plain
        case _:
            raise TypeError(f"a single value is written as {type(plain).__name__}")


def _digest(domain: bytes, value: object) -> str:
    return hashlib.sha256(domain + write_json(value)).hexdigest()
