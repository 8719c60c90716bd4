"""Signed calls for tests, until there are pages that sign: stored as the signing action will."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.db import transaction

from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import new_nonce, record
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.decisions import decide
from review.actions.signed_content import seal_inputs, signing_content
from review.actions.signed_lines import keep_signed_line
from review.core.decisions import Ask, Kind
from review.core.signoff.passkey import assertion_to_json
from review.core.signoff.record import (
    SIGN,
    Signer,
    encode_signoff,
    sign_facts,
    signoff_digest,
)
from review.models import Call, PhaseRow, SignOff, State
from review.queries.folded import load_folded
from tests.unit.review.audit.signing import PASSKEY, assert_with, signoff


def confirm_rows(call_id: UUID, by: User) -> None:
    """Confirm the first row of a call, with words."""
    row = PhaseRow.objects.filter(call=call_id).order_by("position")[0]
    decide(
        call_id=call_id,
        decision=Ask(Kind.CONFIRM, row.phase, reason="as it was said"),
        expected_revision=row.revision,
        key=UUID(int=call_id.int ^ 1),
        by=by,
        at=datetime.now(UTC),
    )


def sign_stored(call_id: UUID, by: User, role: Role = Role.SENIOR_REVIEWER) -> SignOff:
    """Sign a call as it stands, by the software passkey."""
    at = datetime.now(UTC)
    with transaction.atomic():
        stored = (
            Call.objects.select_for_update(of=("self",))
            .select_related("catalog_version", "site")
            .get(pk=call_id)
        )
        folded = load_folded(stored)
        assert folded is not None
        content, inputs, evaluation = signing_content(stored, folded)
        made = signoff(
            content=content,
            signer=Signer(str(by.pk), by.printed_name, role.value),
            at=at,
            authenticated_at=at - timedelta(seconds=5),
            nonce=new_nonce(),
        )
        data = encode_signoff(made)
        number = SignOff.objects.filter(call=stored).count() + 1
        entry = record(
            chain_id=stored.pk,
            about=About.CALL,
            kind=SIGN,
            by=person(by, role),
            at=at,
            facts=sign_facts(data, made),
        )
        stored.state = State.SIGNED
        stored.save(update_fields=["state"])
        signed = SignOff.objects.create(
            call=stored,
            number=number,
            review=stored.revision,
            evaluation=evaluation,
            record=data,
            digest=signoff_digest(data).hex(),
            assertion=assertion_to_json(assert_with(PASSKEY, signoff_digest(data))),
            sealed_inputs=seal_inputs(stored, number, inputs),
            seq=entry.seq,
            by=by,
            at=at,
        )
        keep_signed_line(stored, signed)
        return signed
