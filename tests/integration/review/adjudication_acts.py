"""Every act around a model's answer: the kind of its entry, and a state in which it can be done."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from uuid import uuid4

from review.actions.askings import StartedAsking, Suggested, add_suggestion, claim_asking
from review.actions.model_requests import Sending, Wanted, end_request, reserve_request
from review.core.cascade.adjudication import Answer, Reason, write_request
from tests.adjudicated import CATALOG, heard_call, turn_on
from tests.factories import publish
from tests.scripted_model import MODEL
from tests.unit.review.cascade.adjudication.asking import ask

Act = Callable[[], object]


def _claimed() -> StartedAsking:
    publish(CATALOG)
    turn_on("https://models.example.org/v1")
    heard_call()
    started = claim_asking(at=datetime.now(UTC))
    assert started is not None
    return started


def _reserving() -> Act:
    started, question = _claimed(), ask()[0]
    asked = write_request(question, model=MODEL, nonce="n")
    wanted = Wanted(
        started.site_id, started.call_id, started.catalog_digest, question, asked, MODEL
    )
    now = datetime.now(UTC)
    return lambda: reserve_request(request_id=uuid4(), wanted=wanted, by="w", at=now)


def _ending() -> Act:
    sending = _reserving()()
    assert isinstance(sending, Sending)
    answer, now = Answer(Reason.NO_SPAN), datetime.now(UTC)
    return lambda: end_request(
        sending=sending, answer=answer, body=b"{}", retries=0, by="w", at=now
    )


def _suggesting() -> Act:
    started = _claimed()
    found = Suggested("DCC", Answer(Reason.NO_SPAN), MODEL)
    now = datetime.now(UTC)
    return lambda: add_suggestion(started=started, found=found, by="w", at=now)


ADJUDICATION: dict[str, tuple[str, Callable[[], Act]]] = {
    "reserve_request": ("adjudicator.ask", _reserving),
    "end_request": ("adjudicator.answer", _ending),
    "add_suggestion": ("adjudicator.suggest", _suggesting),
}

PARTS_OF_ADJUDICATION = {
    # Who works at it, and that nothing is left: what is asked and suggested has its entries.
    "claim_asking": "add_suggestion",
    "end_asking": "add_suggestion",
    "give_up_askings": "add_suggestion",
    "endpoint_of": "reserve_request",
}
