"""Masked identifiers of a call: shown to a person who says what for, and hidden again."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from oipsce_site.people.matrix import Act, say_who
from review.actions.revealing import (
    Ground,
    UnableToReveal,
    hide_identifiers,
    reveal_identifiers,
)
from review.forms.masking import RevealForm
from review.permissions import NotAllowed
from review.views.call.opened import OpenCall, find_call


@require_POST
def reveal(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Have the identifiers of a call shown to the person, and lead back to it."""
    call = _find(request, call_id)
    form = RevealForm(request.POST, auto_id="reveal-%s")
    if not form.is_valid():
        return _again(request, call, form)
    given = form.cleaned_data
    try:
        until = reveal_identifiers(
            call_id=call_id,
            reveal_id=given["form_key"],
            ground=Ground(given["why"], given["words"]),
            by=call.person,
            at=timezone.now(),
        )
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToReveal as refusal:
        form.add_error(refusal.field or None, str(refusal))
        return _again(request, call, form)
    messages.success(request, f"Identifiers are shown to you until {until:%H:%M} UTC.")
    return redirect("review:call", call_id)


@require_POST
def hide(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Have the identifiers masked again, and lead back to the call."""
    call = _find(request, call_id)
    try:
        hide_identifiers(call_id=call_id, by=call.person, at=timezone.now())
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    messages.success(request, "Identifiers are masked again.")
    return redirect("review:call", call_id)


def _find(request: HttpRequest, call_id: UUID) -> OpenCall:
    call = find_call(request, call_id)
    if not call.rights.reveal:
        raise PermissionDenied(say_who(Act.REVEAL_IDENTIFIERS))
    return call


def _again(request: HttpRequest, call: OpenCall, form: RevealForm) -> HttpResponse:
    """Show the page with what was typed, and the sentence at its field."""
    if form.errors.get("form_key"):
        messages.error(request, "The form came incomplete, so nothing is shown. Send it again.")
    for sentence in form.non_field_errors():
        messages.error(request, str(sentence))
    context = call.context(None, selected="", reveal=form)
    return render(request, "review/call.html", context, status=422)
