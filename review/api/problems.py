"""Refusals of the API, as problem details (RFC 9457): a status, a code, a sentence."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from oipsce_site import logs

MEDIA_TYPE = "application/problem+json"
_RETRY_SECONDS = "5"

View = Callable[..., HttpResponseBase]
logger = logging.getLogger(__name__)


class Problem(Exception):
    """A request is refused: the sentence says why and what to do."""

    def __init__(
        self,
        status: int,
        code: str,
        sentence: str,
        *,
        more: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code
        self.more = more or {}
        self.headers = headers or {}


def not_there() -> Problem:
    """Return the refusal for what is not there, or not of the client's site."""
    return Problem(404, "not_there", "There is no such call at this client's site.")


def answer_problem(problem: Problem) -> HttpResponse:
    """Write a refusal."""
    body = {
        "type": f"/api/v1/docs#{problem.code}",
        "title": HTTPStatus(problem.status).phrase,
        "status": problem.status,
        "code": problem.code,
        "detail": str(problem),
        **problem.more,
    }
    return HttpResponse(
        json.dumps(body),
        status=problem.status,
        content_type=MEDIA_TYPE,
        headers=dict(problem.headers),
    )


def for_programs(view: View) -> View:
    """Make a view one for programs: no session asked, no form's token, and problems in JSON only.

    What was not expected is logged by its class: its message may carry the words of a call.
    """

    @wraps(view)
    def served(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            answer = view(request, *args, **kwargs)
        except Problem as problem:
            return answer_problem(problem)
        except (OperationalError, InterfaceError):
            away = "The database is away for a moment. Ask again under the same Idempotency-Key."
            wait = {"Retry-After": _RETRY_SECONDS}
            return answer_problem(Problem(503, "away", away, headers=wait))
        except Exception as error:
            logger.error("a request of a program failed: %s", type(error).__name__)
            sentence = f"Something went wrong here. Name the request {logs.request_id.get()}."
            return answer_problem(Problem(500, "failed", sentence))
        if answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            taken = answer.headers.get("Allow", "")
            sentence = f"This address takes {taken or 'another method'}."
            headers = {"Allow": taken}
            return answer_problem(Problem(405, "method", sentence, headers=headers))
        return answer

    served.login_required = False  # type: ignore[attr-defined]  # as the sign-in middleware reads it
    return csrf_exempt(served)
