"""Whose proofs of identity failed at signing: for administrators and compliance officers."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from review.oversight_permissions import alerts_seen
from review.queries.signing_alerts import ALERT_DAYS, list_signing_alerts


@require_GET
def signing_alerts(request: HttpRequest) -> HttpResponse:
    """Show the alerts of the people of one's sites; administrators see those of everybody."""
    seen = alerts_seen(request.user)
    if seen is not None and not seen:
        raise Http404
    now = timezone.now()
    context = {
        "section": "alerts",
        "alerts": list_signing_alerts(seen, now),
        "days": ALERT_DAYS,
        "now": now,
    }
    return render(request, "review/signing_alerts.html", context)
