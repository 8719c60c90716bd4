"""How a person signs in: one-time password, second factor, sessions."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from oipsce_site.administration.actions.sessions import end_sessions
from oipsce_site.administration.actions.sign_in import replace_password, reset_second_factor
from oipsce_site.administration.forms import Expecting, ReasonForm, SessionForm
from oipsce_site.administration.passwords import new_password
from oipsce_site.administration.views.answering import administrator_of, answer
from oipsce_site.administration.views.handing import hand_over
from oipsce_site.administration.views.person import answer_here, person_page


@require_http_methods(["GET", "HEAD", "POST"])
def password(request: HttpRequest, person_id: UUID) -> HttpResponse:
    """Give a one-time password in place of a forgotten one, and show it once."""
    by = administrator_of(request)
    if request.method != "POST":
        return redirect("administration:person", person_id)
    form = Expecting(request.POST)

    def act() -> HttpResponse:
        word = new_password()
        changed = replace_password(
            person_id=person_id,
            expected_revision=form.cleaned_data["expected_revision"],
            password=word,
            by=by,
            at=timezone.now(),
        )
        return hand_over(request, changed, word, status=200)

    return answer(
        form, act, lambda status: person_page(request, person_id, {"password": form}, status)
    )


@require_http_methods(["GET", "HEAD", "POST"])
def second_factor(request: HttpRequest, person_id: UUID) -> HttpResponse:
    """Remove authenticator app, keys and codes, with a reason."""
    by = administrator_of(request)
    if request.method != "POST":
        return redirect("administration:person", person_id)
    form = ReasonForm(request.POST)

    def act() -> str:
        reset_second_factor(
            person_id=person_id,
            expected_revision=form.cleaned_data["expected_revision"],
            reason=form.cleaned_data["reason"],
            by=by,
            at=timezone.now(),
        )
        return "The second factor is removed; the person signs in by password and sets up another."

    return answer_here(request, person_id, "factor", form, act)


@require_http_methods(["GET", "HEAD", "POST"])
def sessions(request: HttpRequest, person_id: UUID) -> HttpResponse:
    """End one session of a person, or all."""
    by = administrator_of(request)
    if request.method != "POST":
        return redirect("administration:person", person_id)
    form = SessionForm(request.POST)

    def act() -> str:
        ended = end_sessions(
            person_id=person_id,
            session_id=form.cleaned_data["session"],
            by=by,
            at=timezone.now(),
        )
        return f"{ended} session{'' if ended == 1 else 's'} ended."

    return answer_here(request, person_id, "sessions", form, act)
