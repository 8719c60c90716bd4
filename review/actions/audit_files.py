"""From stored calls to the values that a signed audit is built from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from uuid import UUID

from catalogs.core.canonical import canonical_bytes
from catalogs.models import CatalogVersion
from catalogs.queries import document_of
from oipsce_site.ledger.core.entry import Entry
from oipsce_site.ledger.queries import entries_of
from review.actions.sealed import nonces_of, sealer_of, unseal_call, unseal_words
from review.actions.signed_content import evidence_of, unseal_inputs
from review.core.evaluation import quotes_of
from review.core.export.order import (
    CallFile,
    CatalogFile,
    DecisionFile,
    Opened,
    SignOffFile,
)
from review.core.signoff.passkey import assertion_from_json
from review.core.transcript import Call as CallValue
from review.core.transcript.storing import transcript_bytes
from review.models import Call, Decision, Evaluation, SignOff
from review.queries.folded import load_folded

_NOT_CONTENT = ("status", "approvers")


class NotSigned(Exception):
    """The call has no signature that stands, or rows no more; it cannot be exported."""


def call_file(call_id: UUID, last: int) -> CallFile:
    """Return one signed call for an audit, its chain up to entry `last`.

    The caller has recorded that it reads the call. Raises NotSigned, SealBroken, SealingKeyError.
    """
    stored = Call.objects.select_related("catalog_version").get(pk=call_id)
    signoffs = list(
        SignOff.objects.filter(call=stored).select_related("evaluation").order_by("number")
    )
    standing = [one for one in signoffs if one.void_at is None]
    folded = load_folded(stored)
    if not standing or folded is None:
        raise NotSigned(f"call {call_id} has no signature that stands")
    signed = standing[-1]
    evaluation = signed.evaluation
    call = unseal_call(stored)
    return CallFile(
        call_id=str(stored.pk),
        about={
            "external_id": stored.external_id,
            "title": stored.title,
            "source": stored.source,
            "date": None if stored.call_date is None else stored.call_date.isoformat(),
        },
        catalog_digest=evaluation.catalog_digest,
        ended=folded.proposed.ended,
        rows={phase: one.row for phase, one in folded.shown.rows.items()},
        inputs=unseal_inputs(stored, signed),
        evidence=_evidence(stored, evaluation, call),
        decisions=_decisions(stored, len(folded.made)),
        signoffs=tuple(_signoff(one) for one in signoffs),
        evaluation=json.loads(evaluation.report),
        transcript=transcript_bytes(call),
        chain=_chain(stored.pk, last),
        coverage=evaluation.coverage.lower(),
        order_safe=evaluation.order_safe.lower(),
        call_success=evaluation.call_success.lower(),
    )


def catalog_files(digests: Iterable[str]) -> tuple[CatalogFile, ...]:
    """Return the catalog versions of these digests, in the order of their digests."""
    return tuple(_catalog(digest) for digest in sorted(set(digests)))


def _catalog(digest: str) -> CatalogFile:
    document = document_of(digest)
    source = CatalogVersion.objects.filter(digest=digest).values_list("source", flat=True).first()
    content: Mapping[str, object] = {
        key: value for key, value in document.data.items() if key not in _NOT_CONTENT
    }
    return CatalogFile(
        digest, document.slug, document.version, canonical_bytes(content), bytes(source or b"")
    )


def _chain(chain_id: UUID, last: int) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries_of(chain_id) if entry.seq <= last)


def _evidence(stored: Call, evaluation: Evaluation, call: CallValue) -> tuple[Opened, ...]:
    events = _events(evaluation)
    quote = quotes_of(call)
    pieces = evidence_of(evaluation)
    nonces = nonces_of(stored, {piece.turn for piece in pieces})
    opened = []
    for piece in pieces:
        place = (piece.phase, piece.item, piece.turn, piece.start, piece.end)
        words = quote(piece.turn, piece.start, piece.end, events.get(place))
        opened.append(Opened(piece, nonces[piece.turn], words))
    return tuple(opened)


def _events(evaluation: Evaluation) -> dict[tuple[object, ...], str | None]:
    """Return the event behind each piece of evidence that is one, by its place."""
    return {
        (row["phase"], piece["item"], piece["turn"], piece["start"], piece["end"]): piece["event"]
        for row in json.loads(evaluation.report)["rows"]
        for piece in row["evidence"]
    }


def _decisions(stored: Call, count: int) -> tuple[DecisionFile, ...]:
    if not count:
        return ()
    decisions = list(Decision.objects.filter(call=stored).order_by("number"))
    words = unseal_words(stored, decisions)
    sealer = sealer_of(stored)
    nonces = {
        one.number: bytes.fromhex(sealer.open(f"decision_nonce:{one.number}", one.sealed_nonce))
        for one in decisions
        if one.sealed_nonce is not None
    }
    return tuple(
        DecisionFile(
            number=one.number,
            kind=one.kind,
            by=str(one.by_id),
            role=one.role,
            phase=one.phase,
            fact=one.fact,
            value=one.value,
            at=one.at,
            revision=one.revision,
            reason=words.get(one.number),
            reason_nonce=nonces.get(one.number),
        )
        for one in decisions
    )


def _signoff(stored: SignOff) -> SignOffFile:
    given = stored.assertion
    return SignOffFile(bytes(stored.record), None if given is None else assertion_from_json(given))
