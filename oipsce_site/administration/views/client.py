"""The page of one program; its key is revoked here."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from oipsce_site.administration.actions.acting import NotThere, UnableToAdminister
from oipsce_site.administration.actions.clients import revoke_client
from oipsce_site.administration.permissions import NotAllowed
from oipsce_site.administration.presenters.clients import show_client
from oipsce_site.administration.queries import get_client
from oipsce_site.administration.views.answering import administrator_of
from oipsce_site.people.matrix import Act


@require_GET
def client(request: HttpRequest, client_id: UUID) -> HttpResponse:
    """Show a client."""
    administrator_of(request, Act.MANAGE_CLIENTS)
    found = get_client(client_id)
    if found is None:
        raise Http404
    context = {"client": show_client(found, timezone.now()), "section": "clients"}
    return render(request, "administration/client.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def client_revocation(request: HttpRequest, client_id: UUID) -> HttpResponse:
    """Revoke its key; asked twice, it is revoked once."""
    by = administrator_of(request, Act.MANAGE_CLIENTS)
    if request.method == "POST":
        try:
            revoke_client(client_id=client_id, by=by, at=timezone.now())
        except NotThere as refusal:
            raise Http404 from refusal
        except NotAllowed as refusal:
            raise PermissionDenied(str(refusal)) from refusal
        except UnableToAdminister as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, "The key is revoked: it opens nothing any more.")
    return redirect("administration:client", client_id)
