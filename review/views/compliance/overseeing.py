"""What every page of compliance officers begins with: who may see it, and its frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render

from oipsce_site.people.models import User
from review.oversight_permissions import Overseeing, overseeing_at
from review.presenters.compliance.tabs import show_tabs
from review.presenters.csv_text import csv_text


def overseer(request: HttpRequest) -> tuple[User, Overseeing]:
    """Return who asks and where they oversee. Raises Http404 for others: not theirs, not there."""
    person = request.user
    seen = overseeing_at(person)
    if not isinstance(person, User) or not seen.sites:
        raise Http404
    return person, seen


def show(
    request: HttpRequest,
    name: str,
    context: dict[str, Any],
    *,
    status: int = 200,
    tab: str = "",
    tabs: bool = True,
) -> HttpResponse:
    """Return the page `name` within the frame of compliance pages, below the tab of that name.

    Without `tabs` for who finds no other page there.
    """
    framed = {
        **context,
        "section": "compliance",
        "tabs": show_tabs(tab or name) if tabs else (),
    }
    return render(request, f"review/compliance/{name}.html", framed, status=status)


def send_rows(
    name: str, head: Sequence[str], rows: Iterable[Sequence[object]]
) -> StreamingHttpResponse:
    """Return rows as a file for spreadsheets, no cell of which is a formula."""
    answer = StreamingHttpResponse(csv_text(head, rows), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer
