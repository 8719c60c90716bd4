"""Every act of programs: the kinds of its entries, and a state in which it can be done."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from uuid import UUID, uuid4

from oipsce_site.people.models import ApiClient
from review.actions.attaching import attach_events_to_call
from review.actions.delivering import claim_deliveries, finish_delivery
from review.actions.intake import Offer
from review.actions.receipts import hand_in_calls
from review.actions.running import append_to_running_call, open_running_call
from review.actions.running_ends import IDLE, end_idle_calls, end_running_call
from tests.factories import NOON, case, catalog_source, fill_all, make_site, publish
from tests.integration.api.sending import webhook_at
from tests.programs import client_behind, head, program, turns

Act = Callable[[], object]


def _client() -> ApiClient:
    publish(catalog_source("micro"))
    return client_behind(program())


def _opened(client: ApiClient) -> UUID:
    call_id = uuid4()
    open_running_call(call_id=call_id, head=json.dumps(head()), by=client, at=NOON)
    return call_id


def _told(client: ApiClient, number: int) -> UUID:
    """Open a call and tell so many turns of it."""
    call_id = _opened(client)
    part = json.dumps({"turns": turns()[:number]})
    append_to_running_call(call_id=call_id, part=part, by=client, at=NOON)
    return call_id


def _hand_in() -> Act:
    by, offer = _client(), Offer(uuid4(), uuid4(), case())
    return lambda: hand_in_calls(offers=[offer], by=by, at=NOON)


def _attach() -> Act:
    by, offer = _client(), Offer(uuid4(), uuid4(), case())
    hand_in_calls(offers=[offer], by=by, at=NOON)
    fill_all()
    part = json.dumps({"events": [{"source": "tool", "name": "open_record", "turn": 2}]})
    return lambda: attach_events_to_call(
        call_id=offer.call_id, run_id=uuid4(), part=part, by=by, at=NOON
    )


def _open() -> Act:
    by = _client()
    return lambda: _opened(by)


def _append() -> Act:
    by = _client()
    call_id, part = _opened(by), json.dumps({"turns": turns()[:1]})
    return lambda: append_to_running_call(call_id=call_id, part=part, by=by, at=NOON)


def _end() -> Act:
    by = _client()
    call_id = _told(by, 1)
    return lambda: end_running_call(call_id=call_id, run_id=uuid4(), ended=True, by=by, at=NOON)


def _end_idle() -> Act:
    _told(_client(), 1)
    later = NOON + IDLE + timedelta(seconds=1)
    return lambda: end_idle_calls(by="running_calls", at=later)


def _finish() -> Act:
    webhook_at("https://alerts.example.org/", make_site())
    _told(_client(), len(turns()))
    started = claim_deliveries(most=1, at=NOON)[0]
    return lambda: finish_delivery(started=started, failure="", by="webhooks", at=NOON)


API: dict[str, tuple[str, Callable[[], Act]]] = {
    "hand_in_calls": ("call.ingest prefill.queue", _hand_in),
    "attach_events_to_call": ("prefill.queue transcript.revise", _attach),
    "open_running_call": ("running.open", _open),
    "append_to_running_call": ("running.append", _append),
    "end_running_call": ("call.ingest prefill.queue running.end", _end),
    "end_idle_calls": ("call.ingest prefill.queue running.end", _end_idle),
    "finish_delivery": ("alert.send", _finish),
}

PARTS_OF_API = {
    # What is answered twice is done once, and has the entries of what was done.
    "answer_once": "hand_in_calls",
    "forget_answers": "hand_in_calls",
    "keep_receipt": "hand_in_calls",
    "check_can_revise": "import_revision",
    "look_at_running_call": "append_to_running_call",
    "lock_running": "append_to_running_call",
    "sealer_of_running": "append_to_running_call",
    "read_object": "append_to_running_call",
    # What a process has heard, in its memory.
    "take_kept": "append_to_running_call",
    "keep": "append_to_running_call",
    "claim_deliveries": "finish_delivery",
    "raise_alerts": "append_to_running_call",
    "tell_violations": "store_prefill",
    "record_running": "append_to_running_call",
}
