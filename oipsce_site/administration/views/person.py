"""The page of one person, and the forms that stand on it."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from oipsce_site.administration.actions.people import Details, describe_person
from oipsce_site.administration.forms import (
    AskRoleForm,
    PersonForm,
    ReasonForm,
    StandingForm,
)
from oipsce_site.administration.presenters.person import PersonPage, Stored, show_person
from oipsce_site.administration.queries import (
    list_acts,
    list_memberships,
    list_requests,
    open_sites,
    people_in_reach,
    sessions_of,
    with_second_factor,
)
from oipsce_site.administration.views.answering import (
    CONFLICT,
    administrator_of,
    answer,
    reader_of,
    with_revision,
)
from oipsce_site.people.models import User

_MOST_ACTS = 50


@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, person_id: UUID) -> HttpResponse:
    """Show a person in reach, or store another name or address."""
    if request.method != "POST":
        return person_page(request, person_id)
    by = administrator_of(request)
    form = PersonForm(request.POST)

    def act() -> str:
        values = form.cleaned_data
        describe_person(
            person_id=person_id,
            expected_revision=values["expected_revision"],
            details=Details("", values["printed_name"], values["email"]),
            by=by,
            at=timezone.now(),
        )
        return "Name and address are stored."

    return answer_here(request, person_id, "details", form, act)


def answer_here(
    request: HttpRequest, person_id: UUID, name: str, form: Form, act: Callable[[], str]
) -> HttpResponse:
    """Do what a form of the page asks for and lead back to it, or show it with what was typed.

    `name` is the form's place on the page; `act` returns the sentence that says what was done.
    """

    def done() -> HttpResponse:
        messages.success(request, act())
        return redirect("administration:person", person_id)

    return answer(form, done, lambda status: person_page(request, person_id, {name: form}, status))


def person_page(
    request: HttpRequest,
    person_id: UUID,
    sent: dict[str, Form] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the page; `sent` holds the form that was not done, by its place on the page."""
    reader, may_change = reader_of(request)
    found = people_in_reach(reader).select_related("changed_by").filter(pk=person_id).first()
    if found is None:
        raise Http404
    page = show_person(_stored(found), reader=reader, may_change=may_change)
    shown = {name: with_revision(form, found.revision) for name, form in (sent or {}).items()}
    context = {
        "page": page,
        "forms": {**_fresh(found), **shown} if may_change else {},
        "conflict": _conflict(page, shown) if status == CONFLICT else None,
        "section": "people",
    }
    return render(request, "administration/person.html", context, status=status)


def _stored(found: User) -> Stored:
    return Stored(
        person=found,
        held=list_memberships(found),
        requests=list_requests(found),
        factors=with_second_factor().get(found.pk, frozenset()),
        sessions=sessions_of(found, at=timezone.now()),
        acts=list_acts(found, most=_MOST_ACTS),
    )


def _fresh(found: User) -> dict[str, Form]:
    expected = {"expected_revision": found.revision}
    return {
        "details": PersonForm(
            initial={**expected, "printed_name": found.printed_name, "email": found.email}
        ),
        "role": AskRoleForm(sites=open_sites(), initial=expected),
        "standing": StandingForm(
            initial={**expected, "active": "no" if found.is_active else "yes"}
        ),
        "factor": ReasonForm(initial=expected),
    }


def _conflict(page: PersonPage, sent: dict[str, Form]) -> dict[str, object]:
    """Return who changed the account, and value beside value what is stored and what was typed."""
    details = sent.get("details")
    rows = []
    if details is not None:
        stored = {"printed_name": page.name, "email": page.email}
        rows = [
            (details.fields[name].label, value, details.data.get(name, ""))
            for name, value in stored.items()
        ]
    return {"changed": page.changed, "rows": rows}
