"""The review of a version: remarks, gates, and every step of its life that a person takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from catalogs.actions.calibration import waive_calibration
from catalogs.actions.gates import gates_of_version
from catalogs.actions.remarks import (
    Said,
    approve_version,
    ask_for_changes,
    comment_on_version,
    take_back_version,
)
from catalogs.actions.version_rows import UnableToMove
from catalogs.actions.versions import UnableToDraft, publish_version, retire_version
from catalogs.forms.review import DigestForm, LastDayForm, RemarkForm, WaiverForm
from catalogs.forms.trials import PublishForm
from catalogs.permissions import NotAllowed, can_approve, can_author, can_remark
from catalogs.presenters.review import show_gates, show_remarks
from catalogs.presenters.version_page import show_version
from catalogs.presenters.what_ifs import show_reports
from catalogs.queries import (
    StoredVersion,
    draft_of_version,
    get_version_for,
    list_remarks,
    readable_states,
)
from catalogs.queries.what_ifs import list_what_if_reports
from catalogs.views.studio.answering import UNPROCESSABLE, reader_of
from oipsce_site.people.models import User


@dataclass(frozen=True, slots=True)
class _Step:
    """What a person asks for on a version."""

    by: User
    stored: StoredVersion
    form: Form


@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """Show the review of a version, or take the step that a form asks for."""
    reader = reader_of(request)
    stored = _version(reader, slug, version)
    if request.method != "POST":
        return _page(request, reader, stored)
    name = request.POST.get("step", "")
    if name not in _STEPS:
        return _page(request, reader, stored, {"refusal": "Choose what to do."}, UNPROCESSABLE)
    form_of, take, done = _STEPS[name]
    form = form_of(request.POST, stored)
    if not form.is_valid():
        return _page(request, reader, stored, {f"{name}_form": form}, UNPROCESSABLE)
    try:
        take(_Step(reader, stored, form))
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except (UnableToMove, UnableToDraft) as refusal:
        extra = {"refusal": refusal, f"{name}_form": form}
        return _page(request, reader, _version(reader, slug, version), extra, UNPROCESSABLE)
    messages.success(request, done)
    return redirect("catalogs:review", slug, version)


def _version(reader: User, slug: str, version: str) -> StoredVersion:
    stored = get_version_for(readable_states(reader), slug, version, timezone.localdate())
    if stored is None:
        raise Http404
    return stored


def _phases(stored: StoredVersion) -> tuple[str, ...]:
    return tuple(phase.id for phase in stored.document.phases) if stored.document else ()


def _page(
    request: HttpRequest,
    reader: User,
    stored: StoredVersion,
    extra: Mapping[str, object] | None = None,
    status: int = 200,
) -> HttpResponse:
    line, phases = stored.line, _phases(stored)
    gates = (
        gates_of_version(line.id, reader, timezone.localdate()) if line.state == "IN_REVIEW" else ()
    )
    context = {
        "page": show_version(stored),
        "state": line.state,
        "gates": show_gates([(gate.name, gate.sentence) for gate in gates]),
        "is_ready": bool(gates) and not any(gate.sentence for gate in gates),
        "remarks": show_remarks(list_remarks(line.id), line.digest),
        "what_ifs": show_reports(list_what_if_reports(reader, line.digest)),
        "draft_id": draft_of_version(line.id),
        "may_write": can_author(reader),
        "may_approve": can_approve(reader),
        "may_remark": can_remark(reader),
        "comment_form": RemarkForm(phases=phases, auto_id="comment_%s"),
        "changes_form": RemarkForm(phases=phases, auto_id="changes_%s"),
        "publish_form": PublishForm(initial={"digest": line.digest}, auto_id="publish_%s"),
        "waive_form": WaiverForm(auto_id="waive_%s"),
        "retire_form": LastDayForm(auto_id="retire_%s"),
        "section": "catalogs",
    }
    return render(request, "catalogs/review.html", {**context, **(extra or {})}, status=status)


def _remark(name: str) -> Callable[[Mapping[str, str], StoredVersion], Form]:
    def make(data: Mapping[str, str], stored: StoredVersion) -> Form:
        return RemarkForm(data, phases=_phases(stored), auto_id=f"{name}_%s")

    return make


def _plain(kind: type[Form], name: str) -> Callable[[Mapping[str, str], StoredVersion], Form]:
    def make(data: Mapping[str, str], _: StoredVersion) -> Form:
        return kind(data, auto_id=f"{name}_%s")

    return make


def _said(step: _Step) -> Said:
    return Said(step.form.cleaned_data["words"], step.form.cleaned_data["phase"])


def _comment(step: _Step) -> None:
    comment_on_version(
        version_id=step.stored.line.id,
        remark_id=uuid4(),
        said=_said(step),
        by=step.by,
        at=timezone.now(),
    )


def _ask(step: _Step) -> None:
    ask_for_changes(
        version_id=step.stored.line.id,
        remark_id=uuid4(),
        said=_said(step),
        by=step.by,
        at=timezone.now(),
    )


def _approve(step: _Step) -> None:
    approve_version(
        version_id=step.stored.line.id,
        remark_id=uuid4(),
        expected_digest=step.form.cleaned_data["digest"],
        by=step.by,
        at=timezone.now(),
    )


def _take_back(step: _Step) -> None:
    take_back_version(version_id=step.stored.line.id, by=step.by, at=timezone.now())


def _waive(step: _Step) -> None:
    waive_calibration(
        version_id=step.stored.line.id,
        report_id=uuid4(),
        reason=step.form.cleaned_data["reason"],
        by=step.by,
        at=timezone.now(),
    )


def _publish(step: _Step) -> None:
    form, line = step.form, step.stored.line
    assert isinstance(form, PublishForm)  # noqa: S101 - says the type, checks nothing
    publish_version(
        version_id=line.id,
        expected_digest=form.cleaned_data["digest"],
        trial=form.trial(line.effective_from),
        by=step.by,
        at=timezone.now(),
    )


def _retire(step: _Step) -> None:
    retire_version(
        version_id=step.stored.line.id,
        last_day=step.form.cleaned_data["last_day"],
        by=step.by,
        at=timezone.now(),
    )


_STEPS: Mapping[
    str,
    tuple[Callable[[Mapping[str, str], StoredVersion], Form], Callable[[_Step], None], str],
] = {
    "comment": (_remark("comment"), _comment, "The comment is kept for the author."),
    "changes": (_remark("changes"), _ask, "It is a draft again; the author reads what you said."),
    "approve": (_plain(DigestForm, "approve"), _approve, "Your approval of this text is kept."),
    "take_back": (_plain(DigestForm, "take_back"), _take_back, "It is a draft again."),
    "waive": (_plain(WaiverForm, "waive"), _waive, "The waiver is recorded with its reason."),
    "publish": (_plain(PublishForm, "publish"), _publish, "It is published."),
    "retire": (_plain(LastDayForm, "retire"), _retire, "It is retired and judges no further call."),
}
"""By the step's name: the form that it comes with, what is done, and what is said then."""
