"""Who opened the words of which call, and when: the entries ``call.open`` of the decision log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.core.entry import microseconds

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

# Word for word the conditions of migration 0003, so that its indexes serve.
_OPENINGS: Final = """
select e.chain_id, e.seq, e.at_us, e.body from audit.entry e
where substr(e.body, octet_length(e.body) - 25) = ',"type":"call.open","v":1}'::bytea
"""
_ORDER: Final = " order by e.at_us desc, e.chain_id desc, e.seq desc limit %s"
_ORDER_BACK: Final = " order by e.at_us, e.chain_id, e.seq limit %s"


@dataclass(frozen=True, slots=True)
class OpeningPlace:
    """A place among openings, the latest first: by time, chain and number. `forward`: to older."""

    at_us: int
    chain_id: UUID
    seq: int
    forward: bool = True


@dataclass(frozen=True, slots=True)
class Opening:
    """One opening: of which call and review, by whom in which role, at what time, under which
    request.
    """

    place: OpeningPlace
    call_id: UUID
    by: str
    role: str
    at: datetime
    review: int | None
    request: str


@dataclass(frozen=True, slots=True)
class OpeningsAsked:
    """What is asked: by one person's id, from a time on, before a time, of one call."""

    by: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None
    call_id: UUID | None = None


def list_openings(
    calls: QuerySet[Any], asked: OpeningsAsked, *, limit: int, place: OpeningPlace | None = None
) -> list[Opening]:
    """Return openings of these calls (a query of their ids), the latest first, from a place on."""
    forward = place is None or place.forward
    plain, given = calls.order_by().query.sql_with_params()
    parts, words = [_OPENINGS, f" and e.chain_id in ({plain})"], [*given]
    for condition, word in _conditions(asked):
        parts.append(condition)
        words.append(word)
    if place is not None:
        sign = "<" if forward else ">"
        parts.append(f" and (e.at_us, e.chain_id, e.seq) {sign} (%s, %s, %s)")
        words += [place.at_us, place.chain_id, place.seq]
    with connection.cursor() as cursor:
        ending = _ORDER if forward else _ORDER_BACK
        cursor.execute("".join([*parts, ending]), [*words, limit])
        found = [_opening(*row) for row in cursor.fetchall()]
    return found if forward else found[::-1]


def _conditions(asked: OpeningsAsked) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    if asked.by is not None:
        # The actor's id is the first of a body.
        found.append((" and substr(e.body, 17, 36) = %s", str(asked.by).encode()))
    if asked.since is not None:
        found.append((" and e.at_us >= %s", microseconds(asked.since)))
    if asked.until is not None:
        found.append((" and e.at_us < %s", microseconds(asked.until)))
    if asked.call_id is not None:
        found.append((" and e.chain_id = %s", asked.call_id))
    return found


def _opening(chain_id: UUID, seq: int, at_us: int, data: bytes) -> Opening:
    body: Mapping[str, Any] = read_body(bytes(data))
    actor = body["actor"]
    return Opening(
        place=OpeningPlace(at_us, chain_id, seq),
        call_id=chain_id,
        by=actor["id"],
        role=actor["role"],
        at=_EPOCH + timedelta(microseconds=at_us),
        review=body["facts"].get("revision"),
        request=body["request"],
    )
