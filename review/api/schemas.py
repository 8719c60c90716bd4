"""The shapes of the API's answers, and of what it takes (docs/api.md)."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Schema

Point = int | Literal["never"] | None
Outcome = Literal["pass", "fail", "undetermined"]


class FindingOut(Schema):
    """Something to say of what was handed in."""

    code: str
    severity: Literal["error", "warning", "note"]
    where: str
    text: str


class ProblemOut(Schema):
    """Why a request is refused, and what to do."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    last_turn: int | None = None
    findings: list[FindingOut] = []
    calls: list[CallOut] = []


class CallOut(Schema):
    """What became of one call of a body."""

    id: str | None
    external_id: str
    outcome: Literal["created", "unchanged", "changed", "refused"]
    state: str | None
    sentence: str


class HandedInOut(Schema):
    """What became of the calls of a body."""

    format: str
    calls: list[CallOut]
    findings: list[FindingOut]


class CatalogOut(Schema):
    """The version that judges a call."""

    slug: str
    version: str
    digest: str


class ItemOut(Schema):
    """One acceptance item of a row."""

    id: str
    met: bool | None
    turn: int | None


class FlagOut(Schema):
    """Why a person must look."""

    code: str
    text: str


class EvidenceOut(Schema):
    """A span of code points in a turn; the words stay here."""

    item: str
    turn: int
    start: int
    end: int


class RowOut(Schema):
    """One phase of the call."""

    phase: str
    required: bool | None
    reason: str
    code: str
    blocked_by: str | None
    start: Point
    finish: Point
    verdict: Literal["pass", "fail", "unknown"]
    volunteered: bool
    items: list[ItemOut]
    flags: list[FlagOut]
    evidence: list[EvidenceOut]


class EdgeOut(Schema):
    """One critical edge: did the child start only after its parent had finished?"""

    parent: str
    child: str
    item: str | None
    ok: bool | None
    code: str
    why: str
    would_pass: str | None


class VerdictOut(Schema):
    """What was decided."""

    catalog: CatalogOut
    engine: str
    coverage: Outcome
    order_safe: Outcome
    call_success: Outcome
    summary: str
    rows: list[RowOut]
    edges: list[EdgeOut]


class ReasonOut(Schema):
    """Why a running call is in its state: what is violated first, then what is open."""

    code: str
    about: str
    text: str


class RunningOut(Schema):
    """A running call: VIOLATED is for ever; OPEN owes a phase; HOLDS SO FAR could still be
    violated; DONE owes nothing more; null is judged by no catalog, the sentence says why.
    """

    id: str
    external_id: str
    ended: bool
    turns: int
    last_turn: int | None
    state: Literal["violated", "open", "holds_so_far", "done"] | None
    sentence: str
    reasons: list[ReasonOut]
    verdict: VerdictOut | None
    findings: list[FindingOut]


class StandingOut(Schema):
    """A stored call: where it stands, its rows and verdict (provisional until it is signed)."""

    id: str
    external_id: str
    source: str
    state: str
    sentence: str
    erased: bool
    provisional: bool
    verdict: VerdictOut | None


ProblemOut.model_rebuild()

_TURN: dict[str, Any] = {
    "type": "object",
    "required": ["n", "text"],
    "properties": {
        "n": {"type": "integer", "minimum": 0, "description": "the turn's own number, rising"},
        "speaker": {"type": "string"},
        "kind": {
            "enum": ["speech", "ivr", "hold", "tool_call", "tool_result", "other"],
            "default": "speech",
        },
        "text": {"type": "string", "maxLength": 200_000},
        "t0": {"type": ["number", "null"], "description": "seconds from the start of the call"},
        "t1": {"type": ["number", "null"]},
        "name": {"type": "string", "description": "of a tool call"},
        "args": {"type": "object"},
        "call_id": {"type": ["string", "null"]},
        "ok": {"type": ["boolean", "null"]},
        "result": {},
    },
}
_EVENT: dict[str, Any] = {
    "type": "object",
    "required": ["source", "name"],
    "properties": {
        "id": {"type": "string"},
        "source": {"enum": ["tool", "ui"]},
        "name": {"type": "string", "minLength": 1},
        "turn": {"type": ["integer", "null"], "description": "a turn of the call; or give t"},
        "t": {"type": ["number", "null"]},
        "args": {"type": "object"},
        "result": {},
        "ok": {"type": ["boolean", "null"]},
        "call_id": {"type": ["string", "null"]},
    },
}
HEAD: dict[str, Any] = {
    "type": "object",
    "required": ["id"],
    "properties": {
        "format": {"const": "oip-call/1"},
        "id": {"type": "string", "minLength": 1, "maxLength": 500},
        "title": {"type": ["string", "null"]},
        "call": {"type": "object", "description": "the call's own facts: type, date, …"},
        "speakers": {"type": "object"},
        "started_at": {"type": ["string", "null"]},
        "language": {"type": ["string", "null"]},
        "turns": {"type": "array", "items": _TURN},
        "events": {"type": "array", "items": _EVENT},
    },
}
PART: dict[str, Any] = {
    "type": "object",
    "properties": {
        "after": {
            "type": ["integer", "null"],
            "description": "the last turn that you told before; null for none",
        },
        "turns": {"type": "array", "items": _TURN},
        "events": {"type": "array", "items": _EVENT},
    },
}
EVENTS: dict[str, Any] = {
    "type": "object",
    "required": ["events"],
    "properties": {"events": {"type": "array", "items": _EVENT, "minItems": 1}},
}
END: dict[str, Any] = {
    "type": "object",
    "properties": {
        "ended": {"enum": [True, None], "description": "null says that the call was cut off"}
    },
}


def takes(schema: dict[str, Any], *media: str) -> dict[str, Any]:
    """Return what an operation takes, for the schema of the API: a body, under a key of its own."""
    content = {one: {"schema": schema} for one in media or ("application/json",)}
    return {
        "requestBody": {"required": True, "content": content},
        "parameters": [
            {
                "in": "header",
                "name": "Idempotency-Key",
                "required": True,
                "description": "your own name for this request; sent again, it does nothing twice",
                "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
            }
        ],
    }
