"""Exceptions: the list, the form that asks for one, and what a second person does about it."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from oipsce_site.people.models import User
from review.actions.compliance_exceptions import (
    ExceptionWish,
    UnableToExcept,
    approve_exception,
    ask_exception,
    end_exception,
)
from review.forms.compliance_exceptions import ExceptionForm, reason_of
from review.oversight_permissions import Overseeing
from review.permissions import NotAllowed
from review.presenters.compliance.compliance_exceptions import show_exceptions
from review.queries.compliance_exceptions import has_exception, list_exceptions, names_to_except
from review.queries.exports import list_export_sites
from review.views.compliance.overseeing import overseer, show

_SHOWN = 200


@require_http_methods(["GET", "HEAD", "POST"])
def exceptions(request: HttpRequest) -> HttpResponse:
    """Show the exceptions; a form that comes in asks for one, or comes back with its faults."""
    person, seen = overseer(request)
    if request.method != "POST":
        return _page(request, _form(seen), person, seen)
    if not seen.acting:
        raise PermissionDenied("Only compliance officers ask for exceptions; auditors read.")
    form = _form(seen, request)
    if not form.is_valid():
        return _page(request, form, person, seen, status=422)
    try:
        ask_exception(
            exception_id=uuid4(),
            site=form.cleaned_data["site"],
            wish=_wish(form),
            by=person,
            at=timezone.now(),
        )
    except (UnableToExcept, NotAllowed) as refusal:
        form.add_error(getattr(refusal, "field", "") or None, str(refusal))
        return _page(request, form, person, seen, status=422)
    messages.success(request, "It counts once another compliance officer approves it.")
    return redirect("review:exceptions")


@require_POST
def exception_approve(request: HttpRequest, exception_id: UUID) -> HttpResponse:
    """Approve an exception that somebody else asked for."""
    said = "The exception is approved."
    return _act(request, exception_id, approve_exception, said)


@require_POST
def exception_end(request: HttpRequest, exception_id: UUID) -> HttpResponse:
    """Take an exception back."""
    return _act(request, exception_id, end_exception, "The exception is taken back.")


def _act(
    request: HttpRequest, exception_id: UUID, act: Callable[..., None], said: str
) -> HttpResponse:
    person, seen = overseer(request)
    if not has_exception(seen.sites, exception_id):
        raise Http404
    try:
        act(exception_id=exception_id, by=person, at=timezone.now())
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToExcept as refusal:
        messages.warning(request, str(refusal))
    else:
        messages.success(request, said)
    return redirect("review:exceptions")


def _form(seen: Overseeing, request: HttpRequest | None = None) -> ExceptionForm:
    data = () if request is None else (request.POST,)
    return ExceptionForm(
        *data, sites=list_export_sites(seen.acting), names=names_to_except(seen.acting)
    )


def _wish(form: ExceptionForm) -> ExceptionWish:
    said = form.cleaned_data
    catalog, name = said["what"]
    reason = reason_of(said["reason"])
    return ExceptionWish(catalog, name, reason, said["words"], said["first"], said["last"])


def _page(
    request: HttpRequest, form: ExceptionForm, person: User, seen: Overseeing, status: int = 200
) -> HttpResponse:
    today = timezone.now().date()
    lines = list_exceptions(seen.sites, today, limit=_SHOWN)
    context = {
        "exceptions": show_exceptions(lines, person.pk, seen.acting, today),
        "form": form,
        "may_ask": bool(seen.acting),
        "has_names": form.has_names,
    }
    return show(request, "exceptions", context, status=status)
