"""The one page that shows a one-time password. It is stored nowhere, so it is shown once."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from oipsce_site.people.models import User


def hand_over(request: HttpRequest, person: User, password: str, *, status: int) -> HttpResponse:
    """Show the password of a person, to be handed to them."""
    context = {
        "person_id": person.pk,
        "name": person.printed_name,
        "username": person.username,
        "password": password,
        "section": "people",
    }
    return render(request, "administration/password.html", context, status=status)
