"""How a form of administration is answered: done, or shown again with what was typed.

A refused value answers 422, a change by somebody else meanwhile 409; both show the page that the
form stands on, with the typed values and the revision that is stored now.
"""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse

from oipsce_site.administration.actions.acting import (
    ChangedMeanwhile,
    NotThere,
    UnableToAdminister,
)
from oipsce_site.administration.permissions import (
    NotAllowed,
    check_can_administer,
    check_can_see_people,
)
from oipsce_site.people.matrix import Act
from oipsce_site.people.models import User

UNPROCESSABLE = 422
CONFLICT = 409


def reader_of(request: HttpRequest) -> tuple[User, bool]:
    """Return who reads, and whether they may change. Raises PermissionDenied for all others."""
    user = request.user
    if not isinstance(user, User):
        raise PermissionDenied
    try:
        may_change = check_can_see_people(user)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    return user, may_change


def administrator_of(request: HttpRequest, act: Act = Act.MANAGE_PEOPLE) -> User:
    """Return the administrator who asks. Raises PermissionDenied for who may not do the act."""
    user = request.user
    if not isinstance(user, User):
        raise PermissionDenied
    try:
        check_can_administer(user, act)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    return user


def answer(
    form: Form,
    act: Callable[[], HttpResponse],
    again: Callable[[int], HttpResponse],
) -> HttpResponse:
    """Do what the form asks for, or show its page `again` with a status."""
    if not form.is_valid():
        return again(UNPROCESSABLE)
    try:
        return act()
    except ChangedMeanwhile:
        return again(CONFLICT)
    except UnableToAdminister as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        return again(UNPROCESSABLE)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except NotThere as refusal:
        raise Http404 from refusal


def with_revision(form: Form, revision: int) -> Form:
    """Return the form with what was typed and the revision that is stored now."""
    if "expected_revision" in form.fields:
        typed = {name: form.data.get(name) for name in form.data}
        form.data = {**typed, "expected_revision": str(revision)}
    return form
