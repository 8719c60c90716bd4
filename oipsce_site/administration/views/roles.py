"""Roles of a person: asked for, answered by a second administrator, revoked."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from oipsce_site.administration.actions.roles import (
    Wish,
    decline_role,
    grant_role,
    request_role,
    revoke_role,
)
from oipsce_site.administration.forms import AnswerForm, AskRoleForm, Expecting
from oipsce_site.administration.queries import open_sites
from oipsce_site.administration.views.answering import administrator_of
from oipsce_site.administration.views.person import answer_here
from oipsce_site.people.roles import Role


@require_http_methods(["GET", "HEAD", "POST"])
def ask_role(request: HttpRequest, person_id: UUID) -> HttpResponse:
    """Ask for a role; reloading the answer leads back to the person."""
    by = administrator_of(request)
    if request.method != "POST":
        return redirect("administration:person", person_id)
    form = AskRoleForm(request.POST, sites=open_sites())

    def act() -> str:
        values = form.cleaned_data
        request_role(
            request_id=uuid4(),
            person_id=person_id,
            expected_revision=values["expected_revision"],
            wish=Wish(Role(values["role"]), values["site"], values["reason"]),
            by=by,
            at=timezone.now(),
        )
        return "The role is asked for; it counts when a second administrator has granted it."

    return answer_here(request, person_id, "role", form, act)


@require_http_methods(["GET", "HEAD", "POST"])
def answer_request(request: HttpRequest, person_id: UUID, request_id: UUID) -> HttpResponse:
    """Grant, decline or withdraw a request."""
    by = administrator_of(request)
    if request.method != "POST":
        return redirect("administration:person", person_id)
    form = AnswerForm(request.POST)

    def act() -> str:
        if form.cleaned_data["answer"] == "grant":
            grant_role(request_id=request_id, by=by, at=timezone.now())
            return "The role is granted and counts from now on."
        decline_role(request_id=request_id, by=by, at=timezone.now())
        return "The request is closed; no role was granted."

    return answer_here(request, person_id, "answer", form, act)


@require_http_methods(["GET", "HEAD", "POST"])
def revoke(request: HttpRequest, person_id: UUID, membership_id: UUID) -> HttpResponse:
    """Take a role away."""
    by = administrator_of(request)
    if request.method != "POST":
        return redirect("administration:person", person_id)
    form = Expecting(request.POST)

    def act() -> str:
        revoke_role(
            membership_id=membership_id,
            expected_revision=form.cleaned_data["expected_revision"],
            by=by,
            at=timezone.now(),
        )
        return "The role is revoked and counts no more."

    return answer_here(request, person_id, "revocation", form, act)
