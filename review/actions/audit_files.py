"""From stored calls to the values that a signed audit is built from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from catalogs.core.canonical import canonical_bytes
from catalogs.models import CatalogVersion
from catalogs.queries import document_of
from oipsce_site.ledger.core.chain import read_body, verify_chain
from oipsce_site.ledger.core.entry import Entry
from oipsce_site.ledger.queries import entries_up_to
from review.actions.sealed import nonces_of_calls, sealer_of, unseal_calls, unseal_words
from review.actions.signed_content import evidence_of_all, unseal_inputs
from review.core.audit.names import ERASE
from review.core.evaluation import quotes_of
from review.core.export.order import (
    CallFile,
    CatalogFile,
    DecisionFile,
    Opened,
    SignOffFile,
)
from review.core.signoff.content import EvidencePiece
from review.core.signoff.passkey import assertion_from_json
from review.core.transcript import Call as CallValue
from review.core.transcript.storing import transcript_bytes
from review.models import Call, Decision, SignOff
from review.queries.folded import Folded, load_folded_calls

_CHAINS_AT_ONCE = 100
_NOT_CONTENT = ("status", "approvers")


class NotSigned(Exception):
    """The call has no signature that stands, or rows no more; it cannot be exported."""


class ChainBroken(Exception):
    """The log of a call was altered; the sentence names the first entry that is wrong."""


class NotErased(Exception):
    """The log up to the checkpoint does not tell that a call was erased."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of calls, by their ids; evidence by the id of its evaluation."""

    folded: Mapping[UUID, Folded]
    signoffs: Mapping[UUID, list[SignOff]]
    decisions: Mapping[UUID, list[Decision]]
    evidence: Mapping[UUID, list[EvidencePiece]]
    nonces: Mapping[UUID, Mapping[int, bytes]]
    chains: Mapping[UUID, list[Entry]]


def call_files(wanted: Mapping[UUID, int]) -> list[CallFile]:
    """Return signed calls for an audit in this order, each one's chain up to the entry named.

    Reads all of them by one query for each table: ask for so many as may be in memory together.
    The caller has recorded that it reads them. Raises NotSigned, ChainBroken, SealBroken, or
    SealingKeyError.
    """
    found = Call.objects.select_related("catalog_version").in_bulk(list(wanted))
    calls = [found[call_id] for call_id in wanted]
    read = _read(calls, wanted)
    words = unseal_calls(calls)
    return [_call_file(*one, read) for one in zip(calls, words, strict=True)]


def _read(calls: list[Call], last: Mapping[UUID, int]) -> _Read:
    signoffs: dict[UUID, list[SignOff]] = {call.pk: [] for call in calls}
    signed = SignOff.objects.filter(call__in=calls).select_related("evaluation")
    for one in signed.order_by("number"):
        signoffs[one.call_id].append(one)
    decisions: dict[UUID, list[Decision]] = {call.pk: [] for call in calls}
    for made in Decision.objects.filter(call__in=calls).order_by("number"):
        decisions[made.call_id].append(made)
    standing = {call.pk: _standing(call.pk, signoffs[call.pk]).evaluation for call in calls}
    evidence = evidence_of_all(standing.values())
    turns = [(one, {piece.turn for piece in evidence[standing[one.pk].pk]}) for one in calls]
    return _Read(
        folded=load_folded_calls(calls),
        signoffs=signoffs,
        decisions=decisions,
        evidence=evidence,
        nonces=nonces_of_calls(turns),
        chains=entries_up_to(last),
    )


def _standing(call_id: UUID, signoffs: Iterable[SignOff]) -> SignOff:
    standing = [one for one in signoffs if one.void_at is None]
    if not standing:
        raise NotSigned(f"call {call_id} has no signature that stands")
    return standing[-1]


def _call_file(stored: Call, call: CallValue, read: _Read) -> CallFile:
    folded = read.folded.get(stored.pk)
    if folded is None:
        raise NotSigned(f"call {stored.pk} has no rows any more")
    _check_chain(stored.pk, read.chains[stored.pk])
    signoffs = read.signoffs[stored.pk]
    signed = _standing(stored.pk, signoffs)
    evaluation = signed.evaluation
    report = json.loads(evaluation.report)
    opened = _evidence(read.evidence[evaluation.pk], read.nonces[stored.pk], report, call)
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
        evidence=opened,
        decisions=_decisions(stored, read.decisions[stored.pk]),
        signoffs=tuple(_signoff(one) for one in signoffs),
        evaluation=report,
        transcript=transcript_bytes(call),
        chain=tuple(read.chains[stored.pk]),
        coverage=evaluation.coverage.lower(),
        order_safe=evaluation.order_safe.lower(),
        call_success=evaluation.call_success.lower(),
    )


def _check_chain(call_id: UUID, chain: Iterable[Entry]) -> None:
    found = verify_chain(call_id, chain)
    if found:
        raise ChainBroken(
            f"The log of call {call_id} does not verify ({found[0].code} at entry {found[0].seq}), "
            "so no audit that holds it is built. Run verify_chains, and look who changed it."
        )


def erased_ends(last: Mapping[UUID, int]) -> dict[str, tuple[Entry, ...]]:
    """Return the end of each erased call's chain: from `call.erase` up to the entry named.

    Raises NotErased for a chain that does not tell of it up to there.
    """
    found: dict[str, tuple[Entry, ...]] = {}
    ids = sorted(last, key=str)
    for at in range(0, len(ids), _CHAINS_AT_ONCE):
        chains = entries_up_to({one: last[one] for one in ids[at : at + _CHAINS_AT_ONCE]})
        for call_id, entries in chains.items():
            kinds = [read_body(entry.body)["type"] for entry in entries]
            if ERASE not in kinds:
                raise NotErased(f"call {call_id} is erased, and the sealed log does not say so yet")
            found[str(call_id)] = tuple(entries[kinds.index(ERASE) :])
    return found


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


def _evidence(
    pieces: Iterable[EvidencePiece],
    nonces: Mapping[int, bytes],
    report: Mapping[str, Any],
    call: CallValue,
) -> tuple[Opened, ...]:
    events = _events(report)
    quote = quotes_of(call)
    opened = []
    for piece in pieces:
        place = (piece.phase, piece.item, piece.turn, piece.start, piece.end)
        words = quote(piece.turn, piece.start, piece.end, events.get(place))
        opened.append(Opened(piece, nonces[piece.turn], words))
    return tuple(opened)


def _events(report: Mapping[str, Any]) -> dict[tuple[object, ...], str | None]:
    """Return the event behind each piece of evidence that is one, by its place."""
    return {
        (row["phase"], piece["item"], piece["turn"], piece["start"], piece["end"]): piece["event"]
        for row in report["rows"]
        for piece in row["evidence"]
    }


def _decisions(stored: Call, decisions: list[Decision]) -> tuple[DecisionFile, ...]:
    if not decisions:
        return ()
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
