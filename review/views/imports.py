"""Imports: the batches so far, and the form that takes files in."""

from __future__ import annotations

from uuid import uuid4

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from oipsce_site.people.matrix import Act, say_who
from oipsce_site.people.models import User
from review.actions.batches import Options, UnableToBatch, Upload, receive_batch
from review.actions.portions import Asked
from review.core.parsers import by_title
from review.forms.imports import ImportForm
from review.permissions import NotAllowed, imports_from, imports_seen
from review.presenters.imports import PAGE_SIZE, read_page, show_imports
from review.queries import worker_life
from review.queries.imports import Sites, list_batches, list_sites
from review.tasks import ring_for_imports


@require_http_methods(["GET", "HEAD", "POST"])
def imports(request: HttpRequest) -> HttpResponse:
    """Show the batches; a form that comes in is a new batch, or comes back with its faults."""
    person = request.user
    seen = imports_seen(person)
    if not isinstance(person, User) or seen == frozenset():
        raise Http404
    sites = list_sites(imports_from(person))
    if request.method != "POST":
        return _page(request, ImportForm(sites=sites, formats=_formats()), seen)
    if not sites:
        raise PermissionDenied(say_who(Act.IMPORT_CALLS))
    form = ImportForm(request.POST, request.FILES, sites=sites, formats=_formats())
    if not form.is_valid():
        _say_if_too_large(request, form)
        return _page(request, form, seen, status=422)
    batch_id = uuid4()
    try:
        receive_batch(
            batch_id=batch_id,
            site=form.cleaned_data["site"],
            uploads=[
                Upload(file.name or "file", file.read()) for file in form.cleaned_data["uploads"]
            ],
            options=_options(form),
            by=person,
            at=timezone.now(),
        )
    except (UnableToBatch, NotAllowed) as refusal:
        form.add_error("uploads", str(refusal))
        return _page(request, form, seen, status=422)
    ring_for_imports()
    return redirect("review:import_batch", batch_id)


def _formats() -> dict[str, str]:
    return {form.name: form.title for form in by_title()}


def _say_if_too_large(request: HttpRequest, form: ImportForm) -> None:
    """Say why no file came, where the upload was beyond what is kept in memory and was dropped."""
    most = settings.FILE_UPLOAD_MAX_MEMORY_SIZE
    if int(request.META.get("CONTENT_LENGTH") or 0) > most:
        form.errors.pop("uploads", None)
        form.add_error(
            "uploads",
            f"The files together have over {most // 2**20} MB and were not taken. Send fewer at a "
            "time, or pack them into a ZIP archive.",
        )


def _options(form: ImportForm) -> Options:
    said = form.cleaned_data
    return Options(said["format"] or None, Asked(said["confirm_roles"], said["new_revision"]))


def _page(request: HttpRequest, form: ImportForm, seen: Sites, status: int = 200) -> HttpResponse:
    number = read_page(request.GET.get("page", ""))
    found = list_batches(seen, limit=PAGE_SIZE, offset=(number - 1) * PAGE_SIZE)
    shown = show_imports(found, number, worker_life(timezone.now()))
    context = {"page": shown, "form": form, "section": "imports"}
    return render(request, "review/imports.html", context, status=status)
