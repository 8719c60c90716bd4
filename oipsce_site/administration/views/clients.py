"""The list of programs that hand calls in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from oipsce_site.administration.presenters.clients import show_clients
from oipsce_site.administration.queries import list_clients
from oipsce_site.administration.views.answering import administrator_of
from oipsce_site.people.matrix import Act


@require_GET
def clients(request: HttpRequest) -> HttpResponse:
    """Show every client, those that have ended as well."""
    administrator_of(request, Act.MANAGE_CLIENTS)
    lines = show_clients(list_clients(), timezone.now())
    context = {"lines": lines, "section": "clients", "tab": "clients"}
    return render(request, "administration/clients.html", context)
