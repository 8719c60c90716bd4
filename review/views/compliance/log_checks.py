"""The report on the decision log, and the button that has it verified now."""

from __future__ import annotations

from uuid import uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from review.actions.log_checks import UnableToCheck, ask_log_check
from review.permissions import NotAllowed
from review.presenters.compliance.log_checks import show_log_checks
from review.queries import worker_life
from review.queries.log_checks import list_log_checks
from review.queries.oversight import site_names_by_id
from review.tasks import ring_for_check
from review.views.compliance.overseeing import overseer, show

_SHOWN = 20


@require_GET
def log_checks(request: HttpRequest) -> HttpResponse:
    """Show how the log stands by the last verification, and the ones before."""
    _, seen = overseer(request)
    now = timezone.now()
    page = show_log_checks(
        list_log_checks(seen.sites, limit=_SHOWN),
        site_names_by_id(seen.sites),
        worker_life(now),
        now,
    )
    return show(request, "log_checks", {"page": page, "may_act": bool(seen.acting)})


@require_POST
def log_verify(request: HttpRequest) -> HttpResponse:
    """Have the log verified by a worker; the page shows what it finds."""
    person, _ = overseer(request)
    try:
        ask_log_check(check_id=uuid4(), by=person, at=timezone.now())
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToCheck as refusal:
        messages.info(request, str(refusal))
    else:
        messages.success(request, "The log is being verified. Look again in a moment.")
        ring_for_check()
    return redirect("review:log_checks")
