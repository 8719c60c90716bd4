"""A small call with an open row, the question it leads to, and replies of an endpoint."""

from __future__ import annotations

import json
from typing import Any

from review.core.cascade.adjudication import Question, questions_of
from review.core.cascade.pipeline import prefill, prepare
from review.core.masking import masker_of
from review.core.transcript import Call
from tests.unit.review.cascade.small import call, catalog, critical, item, load, phase, said

PID = phase(
    "PID",
    [said("verify", "agent")],
    [item("match", said("matches", "rep")), item("name", said("i am", "rep"))],
)
CSV = phase("CSV", [said("coverage", "agent")], [item("told", said("active", "rep"))])
CHILD = {**CSV, **critical("PID")}
TURNS = (
    ("agent", "May I verify the member?"),
    ("rep", "Go ahead, everything lines  up."),
    ("agent", "Good. And coverage?"),
    ("rep", "It cannot be said to be active. I\u2019m Rowan, my number is 212-555-0144."),
)


def ask(
    *turns: tuple[str, str], phases: Any = (PID, CSV), allowed: Any = ("PID", "CSV"), **more: Any
) -> tuple[Question, ...]:
    """Pre-fill a call by a small catalog and return what may be asked of it."""
    read = load(catalog(*phases))
    heard: Call = call(*(turns or TURNS), **more)
    filled = prefill(heard, prepare(read))
    flagged = {phase_id for phase_id, flags in filled.flags.items() if flags}
    masked = masker_of(heard).call(heard)
    return questions_of(masked, read, filled.rows, flagged, allowed)


def answered(*answers: tuple[Any, ...], **more: Any) -> dict[str, Any]:
    """Write an answer of (item, answer, turn, quote) rows."""
    names = ("item", "answer", "turn", "quote")
    return {"answers": [dict(zip(names, one, strict=True)) for one in answers], **more}


def reply(content: Any, *, finish: str = "stop", model: str = "m1-2026") -> bytes:
    """Write a reply as chat completions have it; content that is no text is written as JSON."""
    text = content if isinstance(content, str) else json.dumps(content)
    choice = {
        "index": 0,
        "finish_reason": finish,
        "message": {"role": "assistant", "content": text},
    }
    usage = {"prompt_tokens": 300, "completion_tokens": 40, "total_tokens": 340}
    body = {"object": "chat.completion", "model": model, "choices": [choice], "usage": usage}
    return json.dumps(body).encode()


__all__ = ["CHILD", "CSV", "PID", "TURNS", "answered", "ask", "reply"]
