"""Rows of running calls: locked for one client, sealed, told of in the log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from catalogs.core.findings import error
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import ApiClient
from oipsce_site.rows import load_row
from oipsce_site.sealing import CallSealer
from review.core.transcript import RefusedInput, parse_json
from review.models import RunningCall


class NoRunningCall(Exception):
    """The client's site has no running call of this id."""


class UnableToHear(Exception):
    """The part or the end is not taken as the call stands; the sentence says why."""

    def __init__(self, sentence: str, *, last_turn: int | None = None) -> None:
        super().__init__(sentence)
        self.last_turn = last_turn


def lock_running(call_id: UUID, client: ApiClient) -> RunningCall:
    """Return a running call of the client's site under its row lock. Raises NoRunningCall."""
    row = load_row(RunningCall, call_id, for_update=True)
    if row is None or row.site_id != client.site_id:
        raise NoRunningCall
    return row


def sealer_of_running(row: RunningCall) -> CallSealer:
    """Return the sealer of a running call. Raises SealBroken or SealingKeyError."""
    return CallSealer(row.site_id, row.pk, row.wrapped_key)


def read_object(text: str) -> Mapping[str, object]:
    """Read a JSON object. Raises RefusedInput for anything else."""
    value, _ = parse_json(text, where="the request")
    if not isinstance(value, dict):
        sentence = "The request must be a JSON object."
        raise RefusedInput(error("not_an_object", "the request", sentence))
    return value


def record_running(
    row: RunningCall, kind: str, actor: Actor, at: datetime, facts: Mapping[str, Value]
) -> None:
    """Leave an entry in the chain of the call, which is the same when it has ended."""
    told: dict[str, Value] = {"site_id": str(row.site_id), **facts}
    record(chain_id=row.pk, about=About.CALL, kind=kind, by=actor, at=at, facts=told)
