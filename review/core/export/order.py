"""What an audit is made from: the order that somebody gave, and each call as it was signed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from oipsce_site.ledger.core.entry import Entry
from oipsce_site.ledger.core.heads import Head, HeadsProof
from review.core.audit.names import Profile, Why
from review.core.rows import Row
from review.core.signoff.content import EvidencePiece, Input
from review.core.signoff.passkey import Assertion


@dataclass(frozen=True, slots=True)
class Scope:
    """Which calls were asked for; None asks for all. Dates are ISO dates of calls, inclusive."""

    first_date: str | None = None
    last_date: str | None = None
    catalog: str | None = None
    verdict: str | None = None

    @property
    def is_whole(self) -> bool:
        """Whether every signed call of the site was asked for."""
        return self == Scope()


@dataclass(frozen=True, slots=True)
class UniverseLine:
    """One call of the site, and why it is in the audit or not."""

    call_id: str
    why: Why


@dataclass(frozen=True, slots=True)
class Sealed:
    """The checkpoint that the audit stands on, and the heads of all chains of the site in it.

    `consistency` are proofs from earlier checkpoints of the same log, by their size.
    """

    note: bytes
    log: str
    heads: tuple[Head, ...]
    proof: HeadsProof
    consistency: Mapping[int, tuple[bytes, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CatalogFile:
    """A catalog version: its content in canonical form, and its text as it was published."""

    digest: str
    slug: str
    version: str
    content: bytes
    source: bytes


@dataclass(frozen=True, slots=True)
class Order:
    """One export: who asked for what, for whom and why. Nothing in it comes from a clock.

    `secret` is 32 random bytes of the export: pseudonyms of the de-identified profile are made
    under it, and it never leaves. `approved_by` is the second person of a full audit, `roster` the
    site's one where the root key has signed one.
    """

    export_id: str
    site_id: str
    site_name: str
    profile: Profile
    scope: Scope
    recipient: str
    purpose: str
    created_at: datetime
    created_by: str
    created_by_role: str
    approved_by: str | None
    engine: str
    build: str
    secret: bytes
    keyring: bytes
    sealed: Sealed
    universe: tuple[UniverseLine, ...]
    catalogs: tuple[CatalogFile, ...]
    verifier: bytes
    roster: bytes | None = None
    erased: Mapping[str, tuple[Entry, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Opened:
    """A piece of evidence with the words and nonce that open its commitment; None where erased."""

    piece: EvidencePiece
    nonce: bytes | None
    text: str | None


@dataclass(frozen=True, slots=True)
class DecisionFile:
    """One decision of a person on a phase or a fact (the other is empty), with their reason."""

    number: int
    kind: str
    by: str
    role: str
    phase: str
    fact: str
    value: Mapping[str, Any]
    at: datetime
    revision: int
    reason: str | None = None
    reason_nonce: bytes | None = None


@dataclass(frozen=True, slots=True)
class SignOffFile:
    """A sign-off as it was stored: the record's exact bytes, and the passkey's assertion."""

    record: bytes
    assertion: Assertion | None


@dataclass(frozen=True, slots=True)
class CallFile:
    """One signed call, whole; profiles leave parts of it out.

    `transcript` are the canonical bytes that its digest is over. `about` names the call for people
    (external id, title, source, date).
    """

    call_id: str
    about: Mapping[str, str | None]
    catalog_digest: str
    ended: bool | None
    rows: Mapping[str, Row]
    inputs: tuple[Input, ...]
    evidence: tuple[Opened, ...]
    decisions: tuple[DecisionFile, ...]
    signoffs: tuple[SignOffFile, ...]
    evaluation: Mapping[str, Any]
    transcript: bytes
    chain: Sequence[Entry]
    coverage: str
    order_safe: str
    call_success: str
