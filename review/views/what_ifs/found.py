"""One what-if: how far it is, what comes out, the same as a file, and calling it off."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from catalogs.permissions import can_author
from oipsce_site.people.models import User
from review.actions.what_ifs import UnableToAsk, call_off_what_if
from review.core.whatif.reach import WhatIfReach
from review.permissions import NotAllowed
from review.presenters.what_ifs import csv_rows, show_result, show_what_if
from review.queries import worker_life
from review.queries.what_ifs import (
    LineRow,
    WhatIfRow,
    examples_of,
    get_what_if_for,
    lines_of,
    what_ifs_at,
)

#: So many calls of each change are on the page (engine.md 7 asks for five); the file has all.
MOST_EXAMPLES = 10


@require_GET
def what_if(request: HttpRequest, what_if_id: UUID) -> HttpResponse:
    """Show one what-if, and what came out of it."""
    row, reach = _row(request, what_if_id)
    found = examples_of(row, reach, request.user, most=MOST_EXAMPLES)
    context = {
        **_progress(row, reach),
        "result": show_result(row, found, reads=row.site_id in reach.reads),
        "most": MOST_EXAMPLES,
        "test_of": row.draft_id if _writes(request) else None,
        "section": "catalogs",
    }
    return render(request, "review/what_if.html", context)


def _writes(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and can_author(request.user)


@require_GET
def what_if_progress(request: HttpRequest, what_if_id: UUID) -> HttpResponse:
    """Return the fragment that shows how far a what-if is."""
    context = _progress(*_row(request, what_if_id))
    return render(request, "review/what_if.html#progress", context)


@require_POST
def what_if_cancel(request: HttpRequest, what_if_id: UUID) -> HttpResponse:
    """Call a what-if off."""
    _row(request, what_if_id)
    user = request.user
    if not isinstance(user, User):
        raise Http404
    try:
        call_off_what_if(what_if_id=what_if_id, by=user, at=timezone.now())
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToAsk as refusal:
        messages.warning(request, str(refusal))
    return redirect("review:what_if", what_if_id)


@require_GET
def what_if_file(request: HttpRequest, what_if_id: UUID) -> StreamingHttpResponse:
    """Return every call that comes out otherwise as a CSV file; none before there is a result."""
    row, reach = _row(request, what_if_id)
    lines = iter(()) if row.result is None else lines_of(row, reach, request.user)
    answer = StreamingHttpResponse(_csv(lines), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="what-if-{what_if_id}.csv"'
    return answer


def _row(request: HttpRequest, what_if_id: UUID) -> tuple[WhatIfRow, WhatIfReach]:
    reach = what_ifs_at(request.user)
    found = get_what_if_for(reach, what_if_id)
    if found is None:
        raise Http404
    return found, reach


def _progress(row: WhatIfRow, reach: WhatIfReach) -> dict[str, object]:
    return {
        "one": show_what_if(row, worker_life(timezone.now())),
        "may_cancel": reach.may_ask(row.site_id),
    }


class _Echo:
    """A file for csv.writer that hands back what is written to it."""

    def write(self, text: str) -> str:
        """Return the text."""
        return text


def _csv(lines: Iterator[LineRow]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    for row in csv_rows(lines):
        # A name from a file must not become a formula in somebody's spreadsheet (ASVS 1.2.10).
        yield writer.writerow(
            ["'" + cell if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell for cell in row]
        )
