"""Opening a site."""

from __future__ import annotations

from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from oipsce_site.administration.actions.sites import open_site
from oipsce_site.administration.forms import NewSiteForm
from oipsce_site.administration.views.answering import administrator_of, answer


@require_http_methods(["GET", "HEAD", "POST"])
def new_site(request: HttpRequest) -> HttpResponse:
    """Show the form, or open the site."""
    by = administrator_of(request)
    form = NewSiteForm(request.POST if request.method == "POST" else None)

    def act() -> HttpResponse:
        made = open_site(site_id=uuid4(), **form.cleaned_data, by=by, at=timezone.now())
        messages.success(request, f"The site {made.name} is open; nobody holds a role there yet.")
        return redirect("administration:site", made.pk)

    def again(status: int) -> HttpResponse:
        context = {"form": form, "section": "sites"}
        return render(request, "administration/new_site.html", context, status=status)

    return answer(form, act, again) if form.is_bound else again(200)
