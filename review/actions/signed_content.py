"""What a sign-off of a stored call is about: its content, and the inputs that it commits to.

Parts of the action that signs, inside its transaction and under its lock on the call.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from uuid import UUID

from django.db.models import F

from catalogs.core.document import Scalar
from oipsce_site.ledger.record import new_nonce
from review.actions.sealed import sealer_of
from review.core.signoff.content import (
    EvidencePiece,
    Input,
    InputKind,
    SignedContent,
    evidence_digest,
    inputs_digest,
    rows_digest,
    scalar_from_json,
    scalar_to_json,
)
from review.core.transcript.storing import attributes_from_plain
from review.models import Call, Evaluation, EvidenceCommitment, SignOff
from review.queries.folded import Folded


class NothingToSign(Exception):
    """The call has no evaluation that a person could sign; the sentence says why."""


def signing_content(
    stored: Call, folded: Folded
) -> tuple[SignedContent, tuple[Input, ...], Evaluation]:
    """Return what a signature of these rows of the call would be over, the inputs with new nonces,
    and the evaluation.
    """
    evaluation = current_evaluation(folded)
    inputs = _inputs(stored, folded)
    document = folded.document
    content = SignedContent(
        call_id=str(stored.pk),
        site_id=str(stored.site_id),
        review=stored.revision,
        transcript_revision=stored.transcript_revision,
        transcript_digest=evaluation.transcript_digest,
        catalog_slug=document.slug,
        catalog_version=document.version,
        catalog_digest=evaluation.catalog_digest,
        engine=evaluation.engine,
        decisions=folded.made[-1].decision.number if folded.made else 0,
        evaluation_id=str(evaluation.pk),
        evaluation_digest=evaluation.digest,
        rows_digest=rows_digest({phase: one.row for phase, one in folded.shown.rows.items()}),
        inputs_digest=inputs_digest((one.kind.value, one.name, one.commitment) for one in inputs),
        evidence_digest=evidence_digest(evidence_of(evaluation)),
        ended=folded.proposed.ended,
        coverage=evaluation.coverage.lower(),
        order_safe=evaluation.order_safe.lower(),
        call_success=evaluation.call_success.lower(),
    )
    return content, inputs, evaluation


def current_evaluation(folded: Folded) -> Evaluation:
    """Return the evaluation of the rows as they are: of the latest decision that made one."""
    latest_first = F("decision__number").desc(nulls_last=True)
    return Evaluation.objects.filter(run=folded.run).order_by(latest_first)[:1].get()


def evidence_of(evaluation: Evaluation) -> list[EvidencePiece]:
    """Return the evidence of an evaluation with its commitments, in the order it was stored."""
    return evidence_of_all([evaluation])[evaluation.pk]


def evidence_of_all(evaluations: Iterable[Evaluation]) -> dict[UUID, list[EvidencePiece]]:
    """Return by evaluation what `evidence_of` does for one, in one query."""
    pieces: dict[UUID, list[EvidencePiece]] = {one.pk: [] for one in evaluations}
    names = ("evaluation_id", "phase", "item", "turn", "start", "end", "commitment")
    found = EvidenceCommitment.objects.filter(evaluation__in=list(pieces)).order_by("id")
    for evaluation_id, *piece in found.values_list(*names):
        pieces[evaluation_id].append(EvidencePiece(*piece))
    return pieces


def seal_inputs(stored: Call, number: int, inputs: tuple[Input, ...]) -> bytes:
    """Seal the inputs of a sign-off, values and nonces, for `SignOff.sealed_inputs`."""
    plain = [
        [one.kind.value, one.name, scalar_to_json(one.value), one.nonce.hex()] for one in inputs
    ]
    return sealer_of(stored).seal(f"signoff:{number}", json.dumps(plain))


def unseal_inputs(stored: Call, signoff: SignOff) -> tuple[Input, ...]:
    """Return the inputs of a sign-off. Raises SealBroken or SealingKeyError."""
    text = sealer_of(stored).open(f"signoff:{signoff.number}", signoff.sealed_inputs)
    return tuple(
        Input(InputKind(kind), name, scalar_from_json(value), bytes.fromhex(nonce))
        for kind, name, value, nonce in json.loads(text)
    )


def unseal_input_values(
    stored: Call, number: int, sealed: bytes
) -> dict[tuple[InputKind, str], Scalar]:
    """Return the values of inputs that `seal_inputs` sealed, without their nonces.

    Raises SealBroken or SealingKeyError.
    """
    text = sealer_of(stored).open(f"signoff:{number}", sealed)
    return {
        (InputKind(kind), name): scalar_from_json(value)
        for kind, name, value, _ in json.loads(text)
    }


def _inputs(stored: Call, folded: Folded) -> tuple[Input, ...]:
    attributes = attributes_from_plain(stored.attributes)
    facts = [(InputKind.FACT, *one) for one in folded.shown.facts.items()]
    plain = [
        (InputKind.ATTRIBUTE, name, value)
        for name, value in attributes.items()
        if not isinstance(value, tuple)
    ]
    return tuple(Input(*one, new_nonce()) for one in [*facts, *plain])
