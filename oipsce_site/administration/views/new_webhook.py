"""Adding an address for alerts. The secret they are signed with is shown once."""

from __future__ import annotations

from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from oipsce_site.administration.actions.webhooks import add_webhook
from oipsce_site.administration.forms import NewWebhookForm
from oipsce_site.administration.queries import open_sites
from oipsce_site.administration.views.answering import administrator_of, answer
from oipsce_site.people.matrix import Act


@require_http_methods(["GET", "HEAD", "POST"])
def new_webhook(request: HttpRequest) -> HttpResponse:
    """Show the form, or add the address and show its secret."""
    by = administrator_of(request, Act.MANAGE_CLIENTS)
    form = NewWebhookForm(request.POST if request.method == "POST" else None, sites=open_sites())

    def act() -> HttpResponse:
        typed = form.cleaned_data
        site, url = typed["site"], typed["url"]
        secret = add_webhook(endpoint_id=uuid4(), site_id=site, url=url, by=by, at=timezone.now())
        context = {
            "title": "The secret of this address",
            "lead": "Alerts are signed with it. It is shown now and never again.",
            "words": [("Address", url), ("Secret", secret)],
            "onward": "administration:webhooks",
            "section": "clients",
        }
        return render(request, "administration/secret.html", context, status=201)

    def again(status: int) -> HttpResponse:
        context = {"form": form, "section": "clients"}
        return render(request, "administration/new_webhook.html", context, status=status)

    return answer(form, act, again) if form.is_bound else again(200)
