"""Signatures as lines: who, as what, in which meaning, when, by which key; and what ended it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from oipsce_site.people.roles import Role
from review.core.signoff.record import Assurance
from review.queries.signatures import Signature

_VOIDED = {
    "CHANGED": "ended when something was changed",
    "REOPENED": "renewed after the call was reopened",
    "WITHDRAWN": "ended when the call was withdrawn",
}
_ASSURANCES = {
    Assurance.SIGNER_KEY: "signed with the signer's own key",
    Assurance.SERVER_ATTESTED: "server-attested",
}


@dataclass(frozen=True, slots=True)
class SignatureLine:
    """One signature; `ended` is empty for one that stands."""

    number: int
    text: str
    assurance: str
    verdict: str
    digest: str
    stands: bool
    ended: str


def show_signatures(signatures: Iterable[Signature]) -> tuple[SignatureLine, ...]:
    """Draw all signatures of a call, live and void, in their order (21 CFR 11.50)."""
    return tuple(_line(one) for one in signatures)


def _line(one: Signature) -> SignatureLine:
    signed = one.signed
    key = f" - key {signed.key_digest[:8]}" if signed.key_digest else ""
    ended = ""
    if one.void_at is not None:
        why = _VOIDED.get(one.void_why, "ended")
        ended = f"{why}, by {one.void_by}, {one.void_at:%Y-%m-%dT%H:%M:%SZ}"
    return SignatureLine(
        number=one.number,
        text=(
            f"Signed by {signed.signer.printed_name}, {Role(signed.signer.role).label} - "
            f"{signed.meaning.value} - {one.made_at:%Y-%m-%dT%H:%M:%SZ} (UTC){key} - "
            f"review {signed.content.review}"
        ),
        assurance=_ASSURANCES[signed.assurance],
        verdict=signed.content.call_success,
        digest=one.digest,
        stands=one.void_at is None,
        ended=ended,
    )
