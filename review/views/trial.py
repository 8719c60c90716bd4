"""The trial of a version: what came of it so far, and whether it is to decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from catalogs.actions.trials import TrialMoved, change_trial, end_trial, let_decide
from catalogs.actions.version_rows import UnableToMove
from catalogs.forms.trials import FirstDayForm, TrialForm
from catalogs.permissions import NotAllowed, can_approve, check_can_approve
from catalogs.presenters.version_page import show_version
from catalogs.queries import StoredVersion, get_version_for, readable_states
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.people.models import User
from review.core.whatif.reach import WhatIfReach
from review.presenters.trials import (
    Canary,
    ShownShadow,
    figures_of,
    show_canary,
    show_shadow,
    show_trial,
)
from review.queries.report_cards import CardScope, count_groups
from review.queries.shadows import (
    TrialRow,
    count_canary,
    count_shadow,
    list_trials,
    shadow_examples,
)
from review.queries.what_ifs import list_what_if_sites, what_ifs_at

CONFLICT, UNPROCESSABLE = 409, 422
#: So many calls of each change are on the page (engine.md 7 asks for five).
MOST_EXAMPLES = 10


@dataclass(frozen=True, slots=True)
class _Asked:
    """Who looks at the trials of which version; `seen` is how many a form was made with."""

    user: User
    reach: WhatIfReach
    stored: StoredVersion
    trials: tuple[TrialRow, ...]
    seen: int = 0

    @property
    def version_id(self) -> UUID:
        """The version's id."""
        return self.stored.line.id

    @property
    def canary(self) -> TrialRow | None:
        """The latest trial for a share of calls, if any."""
        return next((one for one in self.trials if one.mode == "CANARY"), None)


@require_http_methods(["GET", "HEAD", "POST"])
def trial(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """Show the trials of a version, or take the step that an approver asks for."""
    asked = _asked(request, slug, version)
    if request.method != "POST":
        return _page(request, asked)
    try:
        check_can_approve(asked.user)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    step = request.POST.get("step", "")
    if step not in _STEPS:
        return _page(request, asked, {"refusal": "Choose what to do."}, UNPROCESSABLE)
    form_of, take, done = _STEPS[step]
    form = form_of(request.POST, auto_id=f"{step}_%s")
    if not form.is_valid():
        return _page(request, asked, {f"{step}_form": form}, UNPROCESSABLE)
    seen = request.POST.get("trials", "")
    try:
        take(replace(asked, seen=int(seen) if seen.isdecimal() else 0), form)
    except UnableToMove as refusal:
        extra = {"refusal": refusal, f"{step}_form": form}
        status = CONFLICT if isinstance(refusal, TrialMoved) else UNPROCESSABLE
        return _page(request, _asked(request, slug, version), extra, status)
    messages.success(request, done)
    return redirect("review:trial", slug, version)


def _asked(request: HttpRequest, slug: str, version: str) -> _Asked:
    user, reach = request.user, what_ifs_at(request.user)
    if not isinstance(user, User) or not reach.sees_any:
        raise Http404
    stored = get_version_for(readable_states(user), slug, version, timezone.localdate())
    if stored is None:
        raise Http404
    return _Asked(user, reach, stored, list_trials(stored.line.id))


def _page(
    request: HttpRequest,
    asked: _Asked,
    extra: Mapping[str, object] | None = None,
    status: int = 200,
) -> HttpResponse:
    line = asked.stored.line
    in_shadow = any(one.mode == "SHADOW" for one in asked.trials)
    context = {
        "page": show_version(asked.stored),
        "trials": [show_trial(one) for one in asked.trials],
        "shadow": _shadow(asked) if in_shadow else None,
        "canary": show_canary(_canary(asked, one), line.version) if (one := asked.canary) else None,
        "most": MOST_EXAMPLES,
        "may_approve": line.trial is not None and can_approve(asked.user),
        "decide_form": FirstDayForm(
            initial={"first_day": timezone.localdate()}, auto_id="decide_%s"
        ),
        "change_form": TrialForm(auto_id="change_%s"),
        "section": "catalogs",
    }
    return render(request, "review/trial.html", {**context, **(extra or {})}, status=status)


def _shadow(asked: _Asked) -> ShownShadow:
    counts = count_shadow(asked.version_id, asked.reach.sees)
    found = shadow_examples(asked.version_id, asked.reach, asked.user, most=MOST_EXAMPLES)
    return show_shadow(counts, found, reads=bool(asked.reach.reads))


def _canary(asked: _Asked, tried: TrialRow) -> Canary:
    counts = count_canary(tried, asked.version_id, asked.reach.sees)
    before_id, before = counts.beside or (None, "")
    sites = frozenset(site.pk for site in list_what_if_sites(asked.reach.sees))

    ended = tried.ended_at or timezone.now()

    def scope(version_id: UUID) -> CardScope:
        return CardScope(sites, version_id, tried.first_day, timezone.localdate(ended))

    return Canary(
        trial=tried,
        counts=counts,
        own=count_groups(scope(asked.version_id)),
        before=before,
        others=count_groups(scope(before_id)) if before_id else (),
    )


def _figures(asked: _Asked) -> Mapping[str, Value]:
    """Return what the trial came to everywhere: a decision is about all sites."""
    canary = asked.canary
    return figures_of(
        count_shadow(asked.version_id, None),
        count_canary(canary, asked.version_id, None) if canary else None,
    )


def _change(asked: _Asked, form: Form) -> None:
    assert isinstance(form, TrialForm)  # noqa: S101 - says the type, checks nothing
    wanted = form.trial(asked.stored.line.effective_from)
    if wanted is not None:
        change_trial(
            version_id=asked.version_id,
            trial=wanted,
            by=asked.user,
            at=timezone.now(),
            expected_trials=asked.seen,
        )


def _decide(asked: _Asked, form: Form) -> None:
    let_decide(
        version_id=asked.version_id,
        first_day=form.cleaned_data["first_day"],
        figures=_figures(asked),
        by=asked.user,
        at=timezone.now(),
        expected_trials=asked.seen,
    )


def _end(asked: _Asked, _: Form) -> None:
    end_trial(
        version_id=asked.version_id,
        figures=_figures(asked),
        by=asked.user,
        at=timezone.now(),
        expected_trials=asked.seen,
    )


_STEPS: Mapping[str, tuple[type[Form], Callable[[_Asked, Form], None], str]] = {
    "change": (TrialForm, _change, "It is tried like that from now on."),
    "decide": (FirstDayForm, _decide, "It decides from that day on."),
    "end": (Form, _end, "The trial is over and the version retired."),
}
"""By the step's name: the form that it comes with, what is done, and what is said then."""
