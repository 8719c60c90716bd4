"""The role maps that people confirmed, and forgetting one."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from oipsce_site.people.models import User
from review.actions.role_maps import UnableToForget, forget_role_map
from review.permissions import NotAllowed, check_maps_anywhere
from review.queries.role_maps import list_role_maps


@require_GET
def role_maps(request: HttpRequest) -> HttpResponse:
    """Show the maps of the sites where the person maps calls."""
    maps = list_role_maps(_sites(request))
    return render(request, "review/role_maps.html", {"maps": maps, "section": "calls"})


@require_POST
def forget(request: HttpRequest, map_id: UUID) -> HttpResponse:
    """Forget one map; calls that were read by it stay as they are."""
    _sites(request)
    person = request.user
    if not isinstance(person, User):
        raise Http404
    try:
        forget_role_map(map_id=map_id, by=person, at=timezone.now())
    except UnableToForget as refusal:
        raise Http404 from refusal
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    messages.success(request, "The map is forgotten; the next call of its source asks again.")
    return redirect("review:role_maps")


def _sites(request: HttpRequest) -> frozenset[UUID]:
    try:
        return check_maps_anywhere(request.user)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
