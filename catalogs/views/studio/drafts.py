"""The list of drafts, and the form that begins one."""

from __future__ import annotations

from datetime import date
from uuid import uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from catalogs.actions.drafts import Beginning, start_draft
from catalogs.actions.versions import UnableToDraft
from catalogs.core.editing import Start, empty_catalog, next_version, put, renumbered
from catalogs.core.overlay import empty_overlay
from catalogs.forms.drafts import StartForm
from catalogs.permissions import can_author
from catalogs.presenters.drafts import show_drafts, title_of
from catalogs.queries import (
    check_text,
    get_version_by_id,
    list_drafts,
    list_versions,
    numbers_taken,
    readable_states,
)
from catalogs.queries.overlays import newest_base, overlay_choices
from catalogs.views.studio.answering import UNPROCESSABLE, author_of, reader_of
from oipsce_site.people.models import User


@require_http_methods(["GET", "HEAD", "POST"])
def drafts(request: HttpRequest) -> HttpResponse:
    """Show the drafts, or begin one."""
    if request.method != "POST":
        return _page(request, StartForm(), reader_of(request))
    by = author_of(request)
    form = StartForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, form, by, UNPROCESSABLE)
    draft_id = uuid4()
    try:
        start_draft(
            draft_id=draft_id,
            catalog_id=uuid4(),
            beginning=_beginning(request, form, by),
            by=by,
            at=timezone.now(),
        )
    except UnableToDraft as refusal:
        form.add_error("file", str(refusal))
        return _page(request, form, by, UNPROCESSABLE)
    return redirect("catalogs:draft", draft_id)


def _beginning(request: HttpRequest, form: StartForm, by: User) -> Beginning:
    today = timezone.localdate()
    file, version_id = form.cleaned_data["file"], form.cleaned_data["version"]
    if file is not None:
        source, follows = file.read(), None
    elif form.cleaned_data["overlay_of"] is not None:
        source, follows = _overlay(form, by, today), None
    elif version_id is not None:
        found = get_version_by_id(readable_states(by), version_id)
        if found is None:
            raise Http404
        follows = version_id
        number = next_version(found.version, numbers_taken(version_id))
        verb = "Brings back" if form.cleaned_data["back"] else "Follows"
        change = f"{verb} {found.version}."
        source = renumbered(
            _extending(form, found.overlay or found.source),
            Start(number, today, by.printed_name, change, today, "minor"),
        )
    else:
        source, follows = empty_catalog(today, by.printed_name), None
    return Beginning(title_of(check_text(source, today, follows)), source, follows)


def _extending(form: StartForm, source: bytes) -> bytes:
    """Return an overlay's text over the newest version of its base, where that was asked for."""
    if not form.cleaned_data["on_newer"]:
        return source
    extends = newest_base(form.cleaned_data["version"], timezone.localdate())
    if extends is None:
        return source
    return put(source.decode("utf-8"), ("extends",), extends).encode("utf-8")


def _overlay(form: StartForm, by: User, today: date) -> bytes:
    """Return the text that an overlay begins with; what may be chosen is what is offered."""
    choices, site = overlay_choices(), form.cleaned_data["site"]
    base = dict(choices.bases).get(form.cleaned_data["overlay_of"])
    if base is None or site not in dict(choices.sites):
        raise Http404
    slug, _, number = base.partition(" ")
    return empty_overlay(slug, number, site, today, by.printed_name)


def _page(request: HttpRequest, form: StartForm, reader: User, status: int = 200) -> HttpResponse:
    states = readable_states(reader)
    may_write = can_author(reader)
    context = {
        "drafts": show_drafts(list_drafts(states)),
        "versions": list_versions(states, timezone.localdate()) if may_write else (),
        "overlay_choices": overlay_choices() if may_write else None,
        "form": form,
        "may_write": may_write,
        "section": "catalogs",
    }
    return render(request, "catalogs/drafts.html", context, status=status)
