"""Making an account: the form, and the page that shows its one-time password once."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from oipsce_site.administration.actions.people import Details, create_person
from oipsce_site.administration.forms import NewPersonForm
from oipsce_site.administration.passwords import new_password
from oipsce_site.administration.views.answering import administrator_of, answer
from oipsce_site.administration.views.handing import hand_over


@require_http_methods(["GET", "HEAD", "POST"])
def new_person(request: HttpRequest) -> HttpResponse:
    """Show the form, or make the account."""
    by = administrator_of(request)
    form = NewPersonForm(request.POST if request.method == "POST" else None)

    def act() -> HttpResponse:
        password = new_password()
        made = create_person(
            details=Details(**form.cleaned_data), password=password, by=by, at=timezone.now()
        )
        return hand_over(request, made, password, status=201)

    def again(status: int) -> HttpResponse:
        context = {"form": form, "section": "people"}
        return render(request, "administration/new_person.html", context, status=status)

    return answer(form, act, again) if form.is_bound else again(200)
