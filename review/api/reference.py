"""The API's schema, and a page made from it: served from here, without anything from elsewhere."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from review.api.service import schema
from review.presenters.api_reference import show_reference


@login_not_required
@require_GET
def openapi(request: HttpRequest) -> JsonResponse:
    """Answer the OpenAPI schema. It holds no data, so it is there for everybody."""
    return JsonResponse(schema())


@login_not_required
@require_GET
def api_reference(request: HttpRequest) -> HttpResponse:
    """Show every operation with what it takes and answers."""
    context = {"page": show_reference(schema()), "section": "clients"}
    return render(request, "review/api_reference.html", context)
