"""One import: its progress, what became of each call, the list to download, pause and resume."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from oipsce_site.people.models import User
from review.actions.batches import UnableToBatch, pause_batch, resume_batch
from review.permissions import NotAllowed, imports_seen
from review.presenters.imports import (
    OUTCOMES_SIZE,
    Batch,
    read_word,
    show_batch,
    show_outcomes,
)
from review.queries import worker_life
from review.queries.imports import CallOutcome, Sites, get_batch_for, list_outcomes
from review.tasks import ring_for_imports

_CSV_ROWS = 1000


@require_GET
def import_batch(request: HttpRequest, batch_id: UUID) -> HttpResponse:
    """Show a batch and a page of its outcomes."""
    sites = imports_seen(request.user)
    batch = _batch(sites, batch_id)
    word = read_word(request.GET.get("word", ""))
    after = request.GET.get("after", "")
    outcomes = list_outcomes(
        sites,
        batch_id,
        word=word,
        after=int(after) if after.isascii() and after.isdigit() and len(after) < 10 else -1,
        limit=OUTCOMES_SIZE + 1,
    )
    page = show_outcomes(batch, outcomes, word, sees_outcomes=sites is not None)
    context = {"page": page, "batch": batch, "section": "imports"}
    return render(request, "review/import_batch.html", context)


@require_GET
def import_progress(request: HttpRequest, batch_id: UUID) -> HttpResponse:
    """Return the fragment that shows how far a batch is."""
    batch = _batch(imports_seen(request.user), batch_id)
    return render(request, "review/import_batch.html#progress", {"batch": batch})


@require_GET
def import_outcomes(request: HttpRequest, batch_id: UUID) -> StreamingHttpResponse:
    """Return what became of each call as a CSV file, read a thousand rows at a time."""
    sites = imports_seen(request.user)
    _batch(sites, batch_id)
    if sites is None:
        raise PermissionDenied("An administrator sees imports without what is said of their calls.")
    answer = StreamingHttpResponse(_rows(sites, batch_id), content_type="text/csv")
    answer["Content-Disposition"] = f'attachment; filename="import-{batch_id}.csv"'
    return answer


@require_POST
def pause_import(request: HttpRequest, batch_id: UUID) -> HttpResponse:
    """Stop a batch after the portion at hand."""
    return _steer(request, batch_id, pause_batch)


@require_POST
def resume_import(request: HttpRequest, batch_id: UUID) -> HttpResponse:
    """Let a batch go on."""
    answer = _steer(request, batch_id, resume_batch)
    ring_for_imports()
    return answer


def _batch(sites: Sites, batch_id: UUID) -> Batch:
    found = get_batch_for(sites, batch_id)
    if found is None:
        raise Http404
    return show_batch(found, worker_life(timezone.now()))


def _steer(request: HttpRequest, batch_id: UUID, act: Callable[..., None]) -> HttpResponse:
    person = request.user
    sites = imports_seen(person)
    _batch(sites, batch_id)
    if sites is None:
        raise PermissionDenied("An administrator sees imports and does not steer them.")
    if not isinstance(person, User):
        raise Http404
    try:
        act(batch_id=batch_id, by=person, at=timezone.now())
    except UnableToBatch as refusal:
        messages.warning(request, str(refusal))
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    return redirect("review:import_batch", batch_id)


class _Echo:
    """A file for csv.writer that hands back what is written to it."""

    def write(self, text: str) -> str:
        """Return the text."""
        return text


def _rows(sites: Sites, batch_id: UUID) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow(["number", "outcome", "place", "sentence", "call"])
    after = -1
    while found := list_outcomes(sites, batch_id, word=None, after=after, limit=_CSV_ROWS):
        after = found[-1].position
        for one in found:
            yield writer.writerow(_cells(one))


def _cells(one: CallOutcome) -> list[str]:
    cells = [str(one.position + 1), one.word, one.place, one.sentence, str(one.call_id or "")]
    # A name from a file must not become a formula in somebody's spreadsheet (ASVS 1.2.10).
    return ["'" + cell if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell for cell in cells]
