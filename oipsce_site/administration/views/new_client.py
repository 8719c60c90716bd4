"""Making a program's key. It is stored nowhere, so it is shown once."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from oipsce_site.administration.actions.clients import ClientWish, make_client
from oipsce_site.administration.forms import NewClientForm
from oipsce_site.administration.queries import open_sites
from oipsce_site.administration.views.answering import administrator_of, answer
from oipsce_site.people.matrix import Act
from oipsce_site.people.models import Scope


@require_http_methods(["GET", "HEAD", "POST"])
def new_client(request: HttpRequest) -> HttpResponse:
    """Show the form, or make the client and show its key."""
    by = administrator_of(request, Act.MANAGE_CLIENTS)
    form = NewClientForm(request.POST if request.method == "POST" else None, sites=open_sites())

    def act() -> HttpResponse:
        client_id = uuid4()
        wish = _wish(form.cleaned_data)
        key = make_client(client_id=client_id, wish=wish, by=by, at=timezone.now())
        context = {
            "title": f"The key of {wish.name}",
            "lead": "It is shown now and never again; only its digest is stored.",
            "words": [("Key", key)],
            "onward": "administration:client",
            "argument": client_id,
            "section": "clients",
        }
        return render(request, "administration/secret.html", context, status=201)

    def again(status: int) -> HttpResponse:
        context = {"form": form, "section": "clients"}
        return render(request, "administration/new_client.html", context, status=status)

    return answer(form, act, again) if form.is_bound else again(200)


def _wish(typed: dict[str, Any]) -> ClientWish:
    scopes = tuple(Scope(one) for one in typed["scopes"])
    return ClientWish(typed["site"], typed["name"], scopes, typed["days"], typed["per_minute"])
