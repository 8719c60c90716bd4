"""Which keys a catalog may have, which it must have, and what each holds. The published schema.json
says the same.

A shape is a table from key to `Field`. Keys are listed in the order in which an author meets them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum


class Kind(Enum):
    """What one value is."""

    TEXT = "a text"
    TRUTH = "true or false"
    COUNT = "a whole number"
    NUMBER = "a number"
    DATE = "a date (year-month-day)"
    SCALAR = "a single value"
    FREE = "anything"
    SHAPED = "keys and values"
    TEXTS = "a text or a list of texts"
    OUTCOME = "true, false or any"
    REQUIRED = "always, optional or {when: ...}"
    FOR_EACH = "call.NAME or {tool: ...}"


class Many(Enum):
    """Whether a field holds one value, a list of them, named ones, or named lists of them."""

    ONE = "one"
    LIST = "list"
    MAP = "map"
    LISTS = "lists"


@dataclass(frozen=True, slots=True)
class Field:
    """What a key holds. `code` is the finding for a wrong value where it is not E117 or E118,
    `absent` for none.

    `required` also means not empty, except where `may_be_empty`. `least` is the smallest number
    allowed.
    """

    kind: Kind
    many: Many = Many.ONE
    shape: str | None = None
    required: bool = False
    may_be_empty: bool = False
    nullable: bool = False
    choices: tuple[str, ...] = ()
    least: int | None = None
    code: str | None = None
    absent: str = "E102"


Shape = Mapping[str, Field]

_TEXT = Field(Kind.TEXT)
_TRUTH = Field(Kind.TRUTH)
_DATE = Field(Kind.DATE)
_SCALAR = Field(Kind.SCALAR)
_TEXTS = Field(Kind.TEXT, Many.LIST)
_NAMED_TEXTS = Field(Kind.TEXT, Many.MAP)
_NAME_LISTS = Field(Kind.TEXT, Many.LISTS)
_MATCHERS = Field(Kind.SHAPED, Many.LIST, "matcher")
_MATCHER_LISTS = Field(Kind.SHAPED, Many.LISTS, "matcher")


def _one_of(*choices: str) -> Field:
    return Field(Kind.TEXT, choices=choices)


def _shaped(shape: str, many: Many = Many.ONE) -> Field:
    return Field(Kind.SHAPED, many, shape)


def _must(kind: Field) -> Field:
    return replace(kind, required=True)


def _or_null(kind: Field) -> Field:
    return replace(kind, nullable=True)


_POLICY: Shape = {
    "required": Field(Kind.REQUIRED),
    "precedence": _one_of("<", "<="),
    "low_harm": _TRUTH,
    "ack_required": _TRUTH,
    "for_each": Field(Kind.FOR_EACH, nullable=True),
    "graded": _or_null(_shaped("graded")),
    "finish": replace(_one_of("all_accepted", "any_accepted"), code="E418"),
    "mode": _one_of("procedural", "informational", "either"),
    "starts_on": _one_of("ask", "answer", "either"),
    "volunteered": _or_null(_shaped("volunteered")),
}
"""What a phase may leave to `defaults`."""

_STATUS = _one_of("draft", "in_review", "approved", "published", "retired")

_HEAD: Shape = {
    "format": Field(Kind.TEXT, required=True, choices=("oip-catalog/1",), code="E106"),
    "catalog": _must(_TEXT),
    "version": _must(_SCALAR),
}
_INPUTS = Field(Kind.TEXT, Many.MAP, choices=("string", "number", "boolean", "date", "list"))
_CHANGELOG = replace(_must(_shaped("change", Many.LIST)), may_be_empty=True)

_TIGHTENED: Shape = {
    "name": _TEXT,
    "basis": _TEXTS,
    "intent": _TEXT,
    "parents": _TEXTS,
    "critical_parents": _shaped("critical_edge", Many.MAP),
    "starts": _MATCHERS,
    "accept": _shaped("accept_item", Many.LIST),
    "ack": _MATCHERS,
    "contradicts": _MATCHERS,
    "counterexamples": _TEXTS,
    "rubric": _shaped("rubric"),
    "facts": _TEXTS,
    "note": _or_null(_TEXT),
    **_POLICY,
}
"""What an overlay may write of a phase of its base; whether it tightens is E610's to say."""

SHAPES: Mapping[str, Shape] = {
    "catalog": {
        **_HEAD,
        "title": _must(_TEXT),
        "status": _must(_STATUS),
        "effective": _must(_shaped("effective")),
        "review_by": _or_null(_DATE),
        "owner": _must(_shaped("owner")),
        "approvers": _shaped("approver", Many.LIST),
        "applies_to": _TEXT,
        "languages": _TEXTS,
        "clock": _one_of("exact", "coarse"),
        "turn_base": Field(Kind.COUNT, least=0),
        "inputs": _INPUTS,
        "speakers": _must(_NAMED_TEXTS),
        "labels": _NAMED_TEXTS,
        "events": _shaped("event", Many.MAP),
        "sources": _shaped("source", Many.MAP),
        "defaults": _shaped("defaults"),
        "facts": _shaped("fact", Many.MAP),
        "waivers": _shaped("waiver", Many.LIST),
        "extends": _or_null(_TEXT),
        "overlay": _shaped("merged"),
        "phases": _must(_shaped("phase", Many.LIST)),
        "tests": _shaped("test", Many.LIST),
        "changelog": _CHANGELOG,
    },
    "effective": {"from": _must(_DATE), "to": _or_null(_DATE), "by": _one_of("call.date")},
    "owner": {"name": _TEXT, "contact": _TEXT},
    "approver": {"name": _TEXT, "role": _TEXT, "meaning": _TEXT, "at": _SCALAR, "digest": _TEXT},
    "event": {
        "source": _must(_one_of("tool", "ui")),
        "fields": replace(_must(_TEXTS), may_be_empty=True),
        "self_reported": _TRUTH,
    },
    "source": {
        "kind": _must(_one_of("regulation", "guidance", "payer_rule", "site_policy", "inference")),
        "cite": _must(_TEXT),
        "says": _must(_TEXT),
    },
    "defaults": _POLICY,
    "fact": {
        "type": _must(_one_of("boolean", "number", "string", "date")),
        "from": _must(_TEXT),
        "meaning": _must(_TEXT),
        "true_if": _MATCHERS,
        "value": _shaped("matcher"),
        "otherwise": _or_null(_SCALAR),
        "unknown": _one_of("review", "allow"),
    },
    "waiver": {"rule": _must(_TEXT), "reason": _TEXT, "by": _TEXT, "until": _or_null(_DATE)},
    "phase": {
        "id": _must(_TEXT),
        "name": _must(_TEXT),
        "basis": _TEXTS,
        "intent": _must(_TEXT),
        "parents": _TEXTS,
        "critical_parents": _shaped("critical_edge", Many.MAP),
        "starts": _MATCHERS,
        "accept": _must(_shaped("accept_item", Many.LIST)),
        "ack": _MATCHERS,
        "contradicts": _MATCHERS,
        "counterexamples": _TEXTS,
        "rubric": _must(_shaped("rubric")),
        "facts": _TEXTS,
        "replaces": _or_null(_TEXT),
        "note": _or_null(_TEXT),
        **_POLICY,
    },
    "critical_edge": {
        "rationale": _TEXT,
        "sources": _TEXTS,
        "when": _TEXT,
        "scope": _one_of("item", "call"),
    },
    "accept_item": {
        "id": Field(Kind.TEXT, required=True, code="E109", absent="E109"),
        "text": Field(Kind.TEXT, required=True, code="E109", absent="E109"),
        "match": _must(_MATCHERS),
        "ack": _MATCHERS,
        "when": _TEXT,
    },
    "matcher": {
        "re": _TEXT,
        "ask": _TEXT,
        "by": _TEXTS,
        "answer_by": _TEXTS,
        "within": Field(Kind.COUNT, least=1),
        "unless": _TEXT,
        "answer_unless": _TEXT,
        "tool": _TEXT,
        "ui": _TEXT,
        "where": Field(Kind.SCALAR, Many.MAP),
        "ok": Field(Kind.OUTCOME),
        "within_seconds": Field(Kind.COUNT, least=1),
        "lang": _TEXT,
    },
    "required_when": {"when": _must(_TEXT)},
    "for_each_call": {
        "tool": _must(Field(Kind.TEXTS)),
        "ok": Field(Kind.OUTCOME),
        "key": _one_of("call_id"),
    },
    "graded": {"tau": Field(Kind.NUMBER), "decisional": _TRUTH},
    "volunteered": {"accept": _must(_TRUTH), "rationale": _must(_TEXT)},
    "rubric": {"pass": _TEXTS, "fail": _TEXTS},
    "test": {
        "call": _must(_TEXT),
        "id": Field(Kind.TEXTS),
        "expect": Field(Kind.FREE, Many.MAP),
        "variants": _one_of("all"),
    },
    "change": {
        "version": _must(_SCALAR),
        "date": _DATE,
        "by": _TEXT,
        "change": _TEXT,
        "bump": _one_of("major", "minor", "patch"),
    },
    "merged": {
        "base": _must(_shaped("merged_base")),
        "digest": _must(_TEXT),
        "sites": _must(_TEXTS),
        "phases": _TEXTS,
        "items": _NAME_LISTS,
        "edges": _NAME_LISTS,
    },
    "merged_base": {"catalog": _must(_TEXT), "version": _must(_TEXT), "digest": _must(_TEXT)},
    "overlay": {
        **_HEAD,
        "extends": _must(_TEXT),
        "sites": _must(_TEXTS),
        "title": _TEXT,
        "status": _STATUS,
        "effective": _must(_shaped("effective")),
        "review_by": _or_null(_DATE),
        "owner": _shaped("owner"),
        "inputs": _INPUTS,
        "speakers": _NAMED_TEXTS,
        "labels": _NAMED_TEXTS,
        "events": _shaped("event", Many.MAP),
        "sources": _shaped("source", Many.MAP),
        "facts": _shaped("fact", Many.MAP),
        "add_phases": _shaped("phase", Many.LIST),
        "tighten": _shaped("tightening", Many.MAP),
        "translate": _shaped("translation"),
        "waivers": _shaped("waiver", Many.LIST),
        "tests": _shaped("test", Many.LIST),
        "changelog": _CHANGELOG,
    },
    "tightening": _TIGHTENED,
    "translation": {
        "lang": _must(_TEXT),
        "starts": _MATCHER_LISTS,
        "accept": _MATCHER_LISTS,
        "ack": _MATCHER_LISTS,
        "true_if": _MATCHER_LISTS,
    },
}

MATCHER_KINDS: Mapping[str, frozenset[str]] = {
    "re": frozenset({"by", "unless", "within_seconds", "lang"}),
    "ask": frozenset(
        {"by", "answer_by", "within", "unless", "answer_unless", "within_seconds", "lang"}
    ),
    "tool": frozenset({"where", "ok", "within_seconds"}),
    "ui": frozenset({"where", "within_seconds"}),
}
"""The four kinds of matcher, named by their own key, and the keys that may stand beside it (else
E119).
"""
