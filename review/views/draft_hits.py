"""How what an author types comes out: examples of a phase, and its hits on chosen calls.

Nothing is stored. Of a past call turn numbers are shown and no word, and its identifiers are masked
before a pattern is run over it: typed patterns must not be a way to ask what was said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalogs.core.document import Document
from catalogs.core.document.origin import slug_of_base
from catalogs.core.editing import UnableToEdit
from catalogs.core.linter.raw import raw_rows
from catalogs.forms.draft_form import changed_text
from catalogs.permissions import can_author
from catalogs.presenters.drafts import show_draft
from catalogs.queries import CheckedText, StoredDraft, check_text
from catalogs.views.studio.answering import author_of, draft_for, reader_of
from oipsce_site.people.models import User
from oipsce_site.sealing import SealingKeyError
from review.actions.past_calls import masked_calls
from review.core.parsers import parse_calls
from review.core.rehearsal.runs import STORED
from review.core.transcript import Call
from review.presenters.draft_hits import TriedCall, show_hits
from review.presenters.draft_rehearsal import show_examples
from review.presenters.past_calls import past_words, show_past_calls
from review.queries.past_calls import get_past_calls, list_past_calls
from review.shipped import SHIPPED_CASES, shipped_case

#: Calls that one look runs the patterns over; it is done at each pause while somebody types.
_MOST_TRIED = 6
_MOST_OFFERED = 50


@require_POST
def draft_examples(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Return how one phase comes out with what is typed; a fragment that stores nothing."""
    by = author_of(request)
    stored = draft_for(by, draft_id)
    context = _come_out(request, by, stored)
    return render(
        request, "review/draft_hits.html#comes_out", {**context, "draft": show_draft(stored.line)}
    )


@require_GET
def draft_hit_calls(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Return what chooses calls to try the draft on; a fragment."""
    by = author_of(request)
    stored = draft_for(by, draft_id)
    checked = check_text(stored.source, timezone.localdate(), stored.started_from)
    document = checked.runnable
    context = _to_choose(by, document, _of_tests(document)) if document else {}
    return render(request, "review/draft_hits.html#calls", context)


@require_http_methods(["GET", "HEAD", "POST"])
def draft_hits(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Show the same as a page: of the text that stands, or of what a phase's form has typed."""
    by = author_of(request) if request.method == "POST" else reader_of(request)
    stored = draft_for(by, draft_id)
    context = {
        **_come_out(request, by, stored),
        "draft": show_draft(stored.line),
        "may_write": can_author(by),
        "is_typed": request.method == "POST",
        "section": "catalogs",
        "tab": "hits",
    }
    return render(request, "review/draft_hits.html", context)


def _come_out(request: HttpRequest, by: User, stored: StoredDraft) -> dict[str, object]:
    given = request.POST if request.method == "POST" else request.GET
    sent = {name: str(value) for name, value in given.items()}
    context: dict[str, object] = {
        "shown": (),
        "hits": (),
        "trouble": "",
        "phase": sent.get("phase", ""),
    }
    try:
        checked = _checked(stored, sent if request.method == "POST" else {})
    except (UnableToEdit, UnicodeDecodeError) as refusal:
        return {**context, "trouble": str(refusal)}
    document = checked.runnable
    if document is None:
        return {**context, "trouble": checked.hindrance}
    phase = sent.get("phase", "") or document.phases[0].id
    chosen = [str(one) for one in given.getlist("calls")][:_MOST_TRIED] or _of_tests(document)
    tried, not_tried = _tried(by, chosen)
    return {
        **context,
        "phase": phase,
        "phases": [one.id for one in document.phases],
        "shown": show_examples(document, phase),
        "hits": show_hits(document, phase, tried),
        "not_tried": not_tried,
        **_to_choose(by, document, chosen),
    }


def _to_choose(by: User, document: Document, chosen: Sequence[str]) -> dict[str, object]:
    past = list_past_calls(by, slug_of_base(document), most=_MOST_OFFERED) if can_author(by) else []
    return {
        "chosen": chosen,
        "cases": [path.name for path in SHIPPED_CASES],
        "past": show_past_calls(past),
    }


def _checked(stored: StoredDraft, sent: Mapping[str, str]) -> CheckedText:
    text = stored.source.decode("utf-8")
    typed = changed_text(text, {**sent, "act": "change"}) if sent else text
    return check_text(typed.encode("utf-8"), timezone.localdate(), stored.started_from)


def _of_tests(document: Document) -> list[str]:
    """Return the calls that the tests of a text name: those that its author has at heart."""
    named = (str(test.get("call", "")) for test in raw_rows(document, "tests"))
    return list(dict.fromkeys(one.removeprefix(STORED) for one in named))[:_MOST_TRIED]


def _tried(by: User, chosen: Sequence[str]) -> tuple[list[TriedCall], str]:
    """Open the chosen calls in their order, and say which are not tried."""
    found = {one.name: one for name in chosen for one in _of_case(name)}
    names = {name for name in chosen if shipped_case(name) is not None}
    ids = list(filter(None, map(_read_id, chosen)))
    past = get_past_calls(by, ids)
    try:
        opened = masked_calls([one.id for one in past])
    except SealingKeyError:
        opened = {}
    for one in past:
        if one.id in opened:
            name = str(one.id)
            found[name] = TriedCall(
                name, past_words(one), opened[one.id], shows_words=False, opens=one.opens
            )
    missing = [name for name in chosen if name not in found and name not in names]
    return list(found.values()), ", ".join(name[:40] for name in missing)


def _of_case(name: str) -> Iterator[TriedCall]:
    for call in _case_calls(name):
        yield TriedCall(call.source.external_id, f"of {name}", call, shows_words=True)


@lru_cache(maxsize=16)
def _case_calls(name: str) -> tuple[Call, ...]:
    data = shipped_case(name)
    return () if data is None else tuple(parse_calls(data, name=name).calls)


def _read_id(name: str) -> UUID | None:
    try:
        return UUID(name)
    except ValueError:
        return None
