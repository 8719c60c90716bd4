"""What every page of compliance officers begins with: who may see it, and its frame."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render

from oipsce_site.people.models import User
from review.core.compliance.cells import plain_cell
from review.oversight_permissions import Overseeing, overseeing_at
from review.presenters.compliance.tabs import show_tabs


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
    answer = StreamingHttpResponse(_written(head, rows), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer


class _Echo:
    """A file for csv.writer that hands back what is written to it."""

    def write(self, text: str) -> str:
        """Return the text."""
        return text


def _written(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow(head)
    for row in rows:
        yield writer.writerow([plain_cell(str(cell)) for cell in row])
