"""Addresses of the API: every operation, its schema, its reference, and a refusal for the rest."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from review.api.problems import Problem, for_programs
from review.api.reference import api_reference, openapi
from review.api.service import api

app_name = "api"


@for_programs
def nothing_here(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Refuse an address that the API does not have."""
    raise Problem(404, "no_address", "The API has no such address; /api/v1/docs lists them.")


def _operations() -> Iterator[URLPattern]:
    for pattern in api.urls[0]:
        if isinstance(pattern, URLPattern) and pattern.name != "api-root":
            pattern.callback = for_programs(pattern.callback)
            yield pattern


urlpatterns = [
    *_operations(),
    path("openapi.json", openapi, name="openapi"),
    path("docs", api_reference, name="reference"),
    path("", nothing_here, name="root"),
    path("<path:rest>", nothing_here, name="nothing"),
]
