"""What a model answered, checked: only what stands in the transcript comes through, and only as
places to look at. Whatever is wrong with an answer, nothing of it is used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import jsonschema

from review.core.cascade.adjudication.questions import Question
from review.core.cascade.adjudication.quotes import find_quote
from review.core.cascade.adjudication.reasons import Reason
from review.core.cascade.adjudication.wording import answer_schema
from review.core.cascade.open_items import OpenItem

_MOST_NAMED: Final = 200


class Proposal(NamedTuple):
    """A place that a model proposes for an open item: code points [start, end) of a turn.

    It has no verdict, no start and no finish of a row, so that none can be taken from it.
    """

    item: str
    turn: int
    start: int
    end: int
    repaired: bool = False


class Answer(NamedTuple):
    """What came of a request. `model` and the tokens are as the endpoint says, "" and None where it
    does not.
    """

    reason: Reason
    proposals: tuple[Proposal, ...] = ()
    model: str = ""
    tokens: int | None = None


class _Unusable(Exception):
    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


def read_reply(body: bytes, question: Question, *, model: str) -> Answer:
    """Return what an answered body (status 200) proposes, or why it proposes nothing."""
    named, tokens = "", None
    try:
        envelope = _mapping(_plain(body))
        named, tokens = _named(envelope), _tokens(envelope)
        if named and not named.startswith(model):
            raise _Unusable(Reason.WRONG_MODEL)
        answers = _answers(_content(envelope), question)
        found = [
            proposal
            for item, answer in zip(question.items, answers, strict=True)
            if (proposal := _proposal(item, answer, question)) is not None
        ]
    except _Unusable as refusal:
        return Answer(refusal.reason, (), named, tokens)
    said = {answer["answer"] for answer in answers}
    empty = Reason.NO_SPAN if said == {"absent"} else Reason.CANNOT_TELL
    return Answer(Reason.PROPOSED if found else empty, tuple(found), named, tokens)


def agree(first: Answer, second: Answer) -> Answer:
    """Return the first of two models' answers where both point at the same turns, else that they
    do not agree: never a vote. What failed in either stays what it is.
    """
    usable = {Reason.PROPOSED, Reason.NO_SPAN, Reason.CANNOT_TELL}
    for one in (first, second):
        if one.reason not in usable:
            return one._replace(proposals=())
    if first.reason is second.reason is not Reason.PROPOSED:
        return first
    places = [{(one.item, one.turn) for one in answer.proposals} for answer in (first, second)]
    if places[0] != places[1]:
        return first._replace(reason=Reason.DISAGREED, proposals=())
    return first


def _content(envelope: Mapping[str, Any]) -> str:
    choices = envelope.get("choices")
    if not isinstance(choices, list) or len(choices) != 1:
        raise _Unusable(Reason.COUNT if isinstance(choices, list) else Reason.SCHEMA)
    choice = _mapping(choices[0])
    if choice.get("finish_reason") == "length":
        raise _Unusable(Reason.CUT_SHORT)
    content = _mapping(choice.get("message")).get("content")
    if not isinstance(content, str):
        raise _Unusable(Reason.SCHEMA)
    return content


def _answers(content: str, question: Question) -> list[dict[str, Any]]:
    found = _plain(content.encode("utf-8", "replace"))
    try:
        jsonschema.Draft202012Validator(answer_schema(question)).validate(found)
    except jsonschema.ValidationError:
        raise _Unusable(Reason.SCHEMA) from None
    answers: list[dict[str, Any]] = _mapping(found)["answers"]
    if [one["item"] for one in answers] != [one.id for one in question.items]:
        raise _Unusable(Reason.COUNT)
    return answers


def _proposal(item: OpenItem, answer: Mapping[str, Any], question: Question) -> Proposal | None:
    turn, quote = answer["turn"], answer["quote"]
    if answer["answer"] != "present":
        if turn is not None or quote is not None:
            raise _Unusable(Reason.SCHEMA)
        return None
    if isinstance(turn, bool) or not isinstance(turn, int) or not isinstance(quote, str):
        raise _Unusable(Reason.SCHEMA)
    shown = next((one for one in question.turns if one.number == turn), None)
    if shown is None:
        raise _Unusable(Reason.WRONG_TURN)
    if shown.role not in item.roles:
        raise _Unusable(Reason.WRONG_SPEAKER)
    place = find_quote(quote, shown.text)
    if place is None:
        raise _Unusable(Reason.QUOTE)
    return Proposal(item.id, turn, place.start, place.end, place.repaired)


def _plain(data: bytes) -> object:
    """Read JSON strictly: no name twice, no NaN, nothing before or after."""
    try:
        return json.loads(data, object_pairs_hook=_once, parse_constant=_refused)
    except (ValueError, RecursionError):
        raise _Unusable(Reason.NOT_JSON) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _mapping(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _Unusable(Reason.SCHEMA)
    return value


def _named(envelope: Mapping[str, Any]) -> str:
    named = envelope.get("model", "")
    return named[:_MOST_NAMED] if isinstance(named, str) else ""


def _tokens(envelope: Mapping[str, Any]) -> int | None:
    usage = envelope.get("usage")
    total = usage.get("total_tokens") if isinstance(usage, dict) else None
    return total if isinstance(total, int) and 0 <= total < 2**31 else None
