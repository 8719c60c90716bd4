"""What is asked: a body within its limit, under a key that makes asking again harmless."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.utils import timezone

from review.actions.answering_once import Answered, Asked, KeyUsedOtherwise, answer_once
from review.actions.running_rows import NoRunningCall, UnableToHear
from review.api.door import client_of
from review.api.problems import Problem, not_there
from review.core.transcript import RefusedInput, decode
from review.permissions import NotAllowed
from review.presenters.api_answers import show_findings

KEY_HEADER = "Idempotency-Key"
_KEY = re.compile(r"[!-~]{1,200}", re.ASCII)


def read_body(request: HttpRequest, most: int) -> bytes:
    """Return the body. Raises Problem for none and for one beyond the limit, which is not read."""
    stated = request.headers.get("Content-Length", "")
    too_large = Problem(
        413, "too_large", f"The body is larger than {most // 1_000_000} MB. Send less at a time."
    )
    if stated.isascii() and stated.isdigit() and int(stated[:20]) > most:
        raise too_large
    try:
        data = request.read(most + 1)
    except UnreadablePostError:
        raise Problem(400, "unreadable", "The body broke off. Send the request again.") from None
    if len(data) > most:
        raise too_large
    if not data:
        raise Problem(422, "empty", "The request has no body (a Content-Length is needed).")
    return data


def read_text(request: HttpRequest, most: int) -> str:
    """Return the body as text. Raises Problem as `read_body` does, and for what is no text."""
    try:
        return decode(read_body(request, most), name="the request").text
    except RefusedInput as refusal:
        raise refused_input(refusal) from None


def serve_once(request: HttpRequest, body: bytes, serve: Callable[[], Answered]) -> HttpResponse:
    """Serve a request once for its Idempotency-Key. Raises Problem."""
    key = request.headers.get(KEY_HEADER, "")
    if not _KEY.fullmatch(key):
        raise Problem(
            400,
            "idempotency_key",
            f"Send the header {KEY_HEADER}: 1 to 200 visible ASCII characters of your own that "
            "name this request, so that sending it again does nothing twice.",
        )
    asked = Asked(key, _digest(request, body))
    try:
        answered = answer_once(
            asked=asked, serve=serve, client=client_of(request), at=timezone.now()
        )
    except KeyUsedOtherwise as refusal:
        raise Problem(422, "idempotency_key_reused", str(refusal)) from None
    except RefusedInput as refusal:
        raise refused_input(refusal) from None
    except NoRunningCall:
        raise not_there() from None
    except UnableToHear as refusal:
        more = {"last_turn": refusal.last_turn}
        raise Problem(409, "conflict", str(refusal), more=more) from None
    except NotAllowed as refusal:
        raise Problem(403, "not_allowed", str(refusal)) from None
    return answer_json(answered.status, answered.body, repeated=answered.is_repeated)


def answer_json(status: int, body: Mapping[str, Any], *, repeated: bool = False) -> HttpResponse:
    """Write an answer; one given before says so in a header."""
    headers = {"Idempotency-Replayed": "true"} if repeated else {}
    return HttpResponse(
        json.dumps(body), status=status, content_type="application/json", headers=headers
    )


def refused_input(refusal: RefusedInput) -> Problem:
    """Return the refusal of what was sent, with its place."""
    more = {"findings": show_findings([refusal.finding])}
    return Problem(422, refusal.finding.code, refusal.finding.text, more=more)


def _digest(request: HttpRequest, body: bytes) -> str:
    whole = f"{request.method} {request.get_full_path()}\0".encode()
    return hashlib.sha256(whole + body).hexdigest()
