"""Whether an account can be used."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from oipsce_site.administration.actions.people import deactivate_person, reactivate_person
from oipsce_site.administration.forms import StandingForm
from oipsce_site.administration.views.answering import administrator_of
from oipsce_site.administration.views.person import answer_here


@require_http_methods(["GET", "HEAD", "POST"])
def standing(request: HttpRequest, person_id: UUID) -> HttpResponse:
    """Deactivate an account or activate it again, with a reason."""
    by = administrator_of(request)
    if request.method != "POST":
        return redirect("administration:person", person_id)
    form = StandingForm(request.POST)

    def act() -> str:
        values = form.cleaned_data
        activate = values["active"] == "yes"
        change = reactivate_person if activate else deactivate_person
        change(
            person_id=person_id,
            expected_revision=values["expected_revision"],
            reason=values["reason"],
            by=by,
            at=timezone.now(),
        )
        if activate:
            return "The account is active again, with the roles that were not revoked."
        return "The account is deactivated and its sessions are ended."

    return answer_here(request, person_id, "standing", form, act)
