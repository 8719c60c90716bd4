"""The API as one value: its operations, how it refuses, and its schema."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import ValidationError

from review.api import calls, running_calls
from review.api.problems import MEDIA_TYPE, Problem, answer_problem

api = NinjaAPI(
    title="OIP-SCE Review",
    version="1",
    description="Hand calls in, tell a running call turn by turn, and ask for rows and verdicts.",
    urls_namespace="api",
    docs_url=None,
    openapi_url=None,
)
api.add_router("/calls", calls.router)
api.add_router("/running-calls", running_calls.router)


def _refuse(request: HttpRequest, problem: Exception | type[Exception]) -> HttpResponse:
    assert isinstance(problem, Problem)  # noqa: S101 - says the type, checks nothing
    return answer_problem(problem)


def _refuse_parameters(request: HttpRequest, bad: Exception | type[Exception]) -> HttpResponse:
    assert isinstance(bad, ValidationError)  # noqa: S101 - says the type, checks nothing
    first = bad.errors[0]
    where = ".".join(map(str, first.get("loc", ())))
    return answer_problem(Problem(422, "parameter", f"{where}: {first.get('msg', 'not read')}."))


def _hand_on(request: HttpRequest, error: Exception | type[Exception]) -> HttpResponse:
    """Leave what was not expected to `for_programs`, which says nothing of it but its class."""
    raise error


api.add_exception_handler(Problem, _refuse)
api.add_exception_handler(ValidationError, _refuse_parameters)
api.add_exception_handler(Exception, _hand_on)


@cache
def schema() -> dict[str, Any]:
    """Return the OpenAPI schema; refusals are problem details."""
    plain: dict[str, Any] = deepcopy(dict(api.get_openapi_schema(path_prefix="/api/v1/")))
    for operations in plain["paths"].values():
        for operation in operations.values():
            for status, answer in operation["responses"].items():
                if int(status) >= 400 and "content" in answer:
                    answer["content"] = {MEDIA_TYPE: answer["content"].popitem()[1]}
    return plain
