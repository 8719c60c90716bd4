"""The page of keys: what each does, and in the browser which one it is."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from review.presenters.keys import FINISH, KEYS

_TABLE = {"keys": KEYS, "finish": FINISH}


@require_GET
def keys(request: HttpRequest) -> HttpResponse:
    """Show the keys of the call page."""
    return render(request, "review/keys.html", _TABLE)


@require_GET
def key_sheet(request: HttpRequest) -> HttpResponse:
    """Show the table of keys alone."""
    return render(request, "review/keys.html#sheet", _TABLE)
