"""Calls that are found by their words.

How many calls a word is of, PostgreSQL cannot guess for the beginning of a word, and plans badly
for the guess. So the index is asked first: few calls are then named one by one, and of many the
list is read in its order until a page is full.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import BooleanField, Case, F, Func, QuerySet, Value, When

from review.models import Call
from review.queries.search_words import asked_words


class _Words(Func):
    template, output_field = "%(expressions)s::tsquery", BooleanField()


class _Has(Func):
    template, arg_joiner, output_field = "%(expressions)s", " @@ ", BooleanField()


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: `few` calls by arrival and id, or None and the list of many to be read
    in its order.
    """

    many: QuerySet[Call]
    few: tuple[tuple[datetime, UUID], ...] | None


def search(calls: QuerySet[Call], text: str, most: int) -> Found:
    """Find those of the calls that have all words of a text, or have it as their id; up to `most`
    are few. One query at most.
    """
    try:
        return Found(calls, _few(calls.filter(pk=UUID(text.strip())), 1))
    except ValueError:
        words = asked_words(text)
    if not words:
        return Found(calls, ())
    has = _Has(F("search"), _Words(Value(words)))
    # No index serves a case, and the planner takes it to hold for every other call.
    is_so = Case(
        When(has, then=Value(True)),  # noqa: FBT003 - a value of the database
        default=Value(False),  # noqa: FBT003 - the same
        output_field=BooleanField(),
    )
    return Found(calls.filter(is_so), _few(calls.filter(has), most))


def with_words(calls: QuerySet[Call], text: str, most: int) -> QuerySet[Call]:
    """Return those of the calls that `search` finds. One query at most."""
    found = search(calls, text, most)
    return found.many if found.few is None else calls.filter(pk__in=[pk for _, pk in found.few])


def _few(calls: QuerySet[Call], most: int) -> tuple[tuple[datetime, UUID], ...] | None:
    found = tuple(calls.order_by().values_list("received_at", "pk")[: most + 1])
    return None if len(found) > most else found
