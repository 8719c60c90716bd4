"""The page of one call. It shows words of the call, so opening it leaves an entry in the log."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from review.queries.readings import blind_call_for
from review.queries.retention import find_tombstone
from review.views.call.opened import find_call


@require_GET
def call(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Show a call of the person's sites; what is not theirs is not there.

    Who is yet to read it blind is led to that. `?row=` selects the row, and `?fact=` the fact,
    whose forms are shown.
    """
    try:
        opened = find_call(request, call_id)
    except Http404:
        if blind_call_for(request.user, call_id) is not None:
            return redirect("review:reading", call_id)
        # Looked up only where there is no call with words: the page of one has its budget.
        stone = find_tombstone(request.user, call_id)
        if stone is None:
            raise
        return render(request, "review/erased.html", {"section": "calls", "stone": stone})
    fact = request.GET.get("fact", "")
    phase = "" if fact else request.GET.get("row", "")
    desk = opened.lay_out(phase, fact) if opened.may_decide else None
    return render(request, "review/call.html", opened.context(desk, selected=phase))
