"""The page of one site: renamed, retired, opened again; whether it masks identifiers."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from oipsce_site.administration.actions.sites import (
    mask_site,
    rename_site,
    reopen_site,
    retire_site,
)
from oipsce_site.administration.forms import SiteForm, SiteMaskingForm, SiteStandingForm
from oipsce_site.administration.presenters.sites import SitePage, show_site
from oipsce_site.administration.queries import holders_at, sites_in_reach
from oipsce_site.administration.views.answering import (
    CONFLICT,
    administrator_of,
    answer,
    reader_of,
    with_revision,
)


@require_http_methods(["GET", "HEAD", "POST"])
def site(request: HttpRequest, site_id: UUID) -> HttpResponse:
    """Show a site in reach, or store another name."""
    if request.method != "POST":
        return _site_page(request, site_id)
    by = administrator_of(request)
    form = SiteForm(request.POST)

    def act() -> str:
        rename_site(site_id=site_id, **form.cleaned_data, by=by, at=timezone.now())
        return "The name is stored."

    return _answer_here(request, site_id, "details", form, act)


@require_http_methods(["GET", "HEAD", "POST"])
def site_standing(request: HttpRequest, site_id: UUID) -> HttpResponse:
    """Retire a site, or open it again."""
    by = administrator_of(request)
    if request.method != "POST":
        return redirect("administration:site", site_id)
    form = SiteStandingForm(request.POST)

    def act() -> str:
        retire = form.cleaned_data["retired"] == "yes"
        change = retire_site if retire else reopen_site
        change(
            site_id=site_id,
            expected_revision=form.cleaned_data["expected_revision"],
            by=by,
            at=timezone.now(),
        )
        if retire:
            return "The site is retired: it takes no new call and no new role."
        return "The site is open again."

    return _answer_here(request, site_id, "standing", form, act)


@require_http_methods(["GET", "HEAD", "POST"])
def site_masking(request: HttpRequest, site_id: UUID) -> HttpResponse:
    """Have the site show its transcripts with identifiers masked, or as they are."""
    by = administrator_of(request)
    if request.method != "POST":
        return redirect("administration:site", site_id)
    form = SiteMaskingForm(request.POST)

    def act() -> str:
        masks = form.cleaned_data["masks"] == "yes"
        mask_site(
            site_id=site_id,
            expected_revision=form.cleaned_data["expected_revision"],
            masks=masks,
            by=by,
            at=timezone.now(),
        )
        if masks:
            return "Transcripts of the site are shown with identifiers masked from now on."
        return "Transcripts of the site are shown as they are from now on."

    return _answer_here(request, site_id, "masking", form, act)


def _answer_here(
    request: HttpRequest, site_id: UUID, name: str, form: Form, act: Callable[[], str]
) -> HttpResponse:
    def done() -> HttpResponse:
        messages.success(request, act())
        return redirect("administration:site", site_id)

    return answer(form, done, lambda status: _site_page(request, site_id, {name: form}, status))


def _site_page(
    request: HttpRequest,
    site_id: UUID,
    sent: dict[str, Form] | None = None,
    status: int = 200,
) -> HttpResponse:
    reader, may_change = reader_of(request)
    found = sites_in_reach(reader).select_related("changed_by").filter(pk=site_id).first()
    if found is None:
        raise Http404
    page = show_site(found, holders_at(found), may_change=may_change)
    shown = {name: with_revision(form, found.revision) for name, form in (sent or {}).items()}
    context = {
        "page": page,
        "forms": {**_fresh(page), **shown} if may_change else {},
        "conflict": _conflict(page, shown) if status == CONFLICT else None,
        "section": "sites",
    }
    return render(request, "administration/site.html", context, status=status)


def _fresh(page: SitePage) -> dict[str, Form]:
    expected = {"expected_revision": page.revision}
    retired = "no" if page.retired else "yes"
    return {
        "details": SiteForm(initial={**expected, "name": page.name}),
        "masking": SiteMaskingForm(initial={**expected, "masks": "no" if page.masks else "yes"}),
        "standing": SiteStandingForm(initial={**expected, "retired": retired}),
    }


def _conflict(page: SitePage, sent: dict[str, Form]) -> dict[str, object]:
    details = sent.get("details")
    rows = [("Name", page.name, details.data.get("name", ""))] if details is not None else []
    return {"changed": page.changed, "rows": rows}
