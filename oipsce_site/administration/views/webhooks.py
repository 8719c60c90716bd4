"""The addresses that alerts are sent to."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from oipsce_site.administration.actions.acting import NotThere
from oipsce_site.administration.actions.webhooks import remove_webhook
from oipsce_site.administration.permissions import NotAllowed
from oipsce_site.administration.presenters.clients import show_webhooks
from oipsce_site.administration.queries import list_webhooks
from oipsce_site.administration.views.answering import administrator_of
from oipsce_site.people.matrix import Act


@require_GET
def webhooks(request: HttpRequest) -> HttpResponse:
    """Show the addresses of every site."""
    administrator_of(request, Act.MANAGE_CLIENTS)
    context = {"lines": show_webhooks(list_webhooks()), "section": "clients", "tab": "webhooks"}
    return render(request, "administration/webhooks.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def webhook_removal(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """Send nothing more to an address."""
    by = administrator_of(request, Act.MANAGE_CLIENTS)
    if request.method == "POST":
        try:
            remove_webhook(endpoint_id=webhook_id, by=by, at=timezone.now())
        except NotThere as refusal:
            raise Http404 from refusal
        except NotAllowed as refusal:
            raise PermissionDenied(str(refusal)) from refusal
        messages.success(request, "Nothing more is sent there.")
    return redirect("administration:webhooks")
