"""Asked twice under one key, a client is answered twice and served once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from oipsce_site.people.models import ApiClient
from oipsce_site.rows import insert_rows
from review.models import ApiAnswer

KEPT = timedelta(days=1)


class KeyUsedOtherwise(Exception):
    """The idempotency key was used for another request."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it is known again: the client's own key for it, and the digest of it."""

    key: str
    digest: str


@dataclass(frozen=True, slots=True)
class Answered:
    """What a client is answered: a status, and a body of JSON values without words of a call."""

    status: int
    body: Mapping[str, Any]
    is_repeated: bool = False


def answer_once(
    *, asked: Asked, serve: Callable[[], Answered], client: ApiClient, at: datetime
) -> Answered:
    """Serve a request, or answer again what it was answered before.

    Who asks again while the first is being served waits for it. What `serve` raises is kept
    nowhere, and what it stored is undone: the key is free again. Raises KeyUsedOtherwise.
    """
    with transaction.atomic():
        row = {"client_id": client.pk, "key": asked.key, "digest": asked.digest, "answer": ""}
        added = insert_rows(
            ApiAnswer._meta.db_table,
            [{**row, "at": at}],
            ending="ON CONFLICT DO NOTHING RETURNING id",
        )
        if not added:
            return _again(asked, client)
        answer = serve()
        ApiAnswer.objects.filter(pk=added[0][0]).update(
            status=answer.status, answer=json.dumps(answer.body)
        )
    return answer


def forget_answers(*, at: datetime) -> None:
    """Take away the answers of more than a day ago."""
    ApiAnswer.objects.filter(at__lt=at - KEPT).delete()


def _again(asked: Asked, client: ApiClient) -> Answered:
    found = ApiAnswer.objects.get(client=client, key=asked.key)
    if found.digest != asked.digest:
        raise KeyUsedOtherwise(
            "This Idempotency-Key was used for another request. Send the same request again under "
            "it, or this one under a new key."
        )
    return Answered(found.status or 200, json.loads(found.answer), is_repeated=True)
