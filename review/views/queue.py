"""The reviewers' queue, and the button that takes its next call."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from oipsce_site.people.models import User
from review.actions.queueing import claim_next
from review.actions.readings import take_next_reading
from review.permissions import NotAllowed, deciding_at
from review.presenters.calls_list import PAGE_SIZE
from review.presenters.places import address_of
from review.presenters.queue import show_queue
from review.presenters.queue_asked import QueueAsked, read_queue_asked
from review.presenters.running_alerts import show_running_alerts
from review.queries.alerts import running_alerts
from review.queries.queue_list import list_queue
from review.queries.readings import blind_call_for


@require_GET
def queue(request: HttpRequest) -> HttpResponse:
    """Show the calls of the person's sites that ask for somebody; filters are in the address."""
    asked, person, now = read_queue_asked(request.GET.dict()), _person(request), timezone.now()
    found = list_queue(person, asked.narrowing, at=now, limit=PAGE_SIZE, place=asked.place)
    may_take = bool(deciding_at(person).sites)
    context = {
        "running": show_running_alerts(running_alerts(person)),
        "page": show_queue(found, asked, person, now, may_take=may_take),
        "section": "queue",
        "key": uuid4(),
    }
    return render(request, "review/queue.html", context)


@require_POST
def queue_next(request: HttpRequest) -> HttpResponse:
    """Claim the best free call like those on the page, and lead to it."""
    asked, person, now = read_queue_asked(request.GET.dict()), _person(request), timezone.now()
    try:
        found = claim_next(narrowing=asked.narrowing, key=_key(request), by=person, at=now)
        blind = None if found is not None else _next_blind(asked, person)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    if blind is not None:
        return redirect("review:reading", blind)
    if found is None:
        messages.info(request, _say_none(person, asked))
        return redirect(f"{reverse('review:queue')}{asked.at(None).query}")
    return redirect(address_of(found, blind=blind_call_for(person, found.call_id) is not None))


def _next_blind(asked: QueueAsked, person: User) -> UUID | None:
    """Take a second reading where the page asks for nothing that would say more of one."""
    narrowing = asked.narrowing
    if set(narrowing.asked) - {"kind", "site"} or narrowing.kind not in (None, "blind"):
        return None
    return take_next_reading(site=narrowing.site, by=person, at=timezone.now())


def _say_none(person: User, asked: QueueAsked) -> str:
    held = list_queue(person, asked.narrowing, at=timezone.now(), limit=1)
    if not held.others or held.next_end is None:
        return "No call like this waits for you. Take a filter away, or come back later."
    calls = "1 call is" if held.others == 1 else f"{held.others} calls are"
    return (
        f"No call like this is free. {calls} held by others, the first until "
        f"{held.next_end:%H:%M} UTC: they are listed with who is at them."
    )


def _key(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        # Without its key a form claims once for each time it comes.
        return uuid4()


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user
