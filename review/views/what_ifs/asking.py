"""What a draft or a version would change: what was asked of it so far, and the form that asks."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from catalogs.core.document.origin import slug_of_base
from catalogs.presenters.drafts import ShownDraft, show_draft
from catalogs.presenters.version_page import VersionPage, show_version
from catalogs.queries import check_text, get_draft_for, get_version_for, readable_states
from oipsce_site.people.matrix import Act, say_who
from oipsce_site.people.models import User
from review.actions.what_ifs import UnableToAsk, WhatIfWish, order_what_if
from review.core.whatif.reach import WhatIfReach
from review.forms.what_ifs import WhatIfForm
from review.permissions import NotAllowed
from review.presenters.what_ifs import show_what_if
from review.queries import worker_life
from review.queries.exports import list_judging_catalogs
from review.queries.what_ifs import WhatIfRow, list_what_if_sites, list_what_ifs, what_ifs_at
from review.tasks import ring_for_what_ifs

UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True)
class _Asked:
    """The text that is asked about: its catalog, where it stands, and why it cannot be asked."""

    slug: str
    row_of: list[WhatIfRow]
    draft: ShownDraft | None = None
    version: VersionPage | None = None
    hindrance: str = ""

    @property
    def draft_id(self) -> UUID | None:
        """The draft's id, if it is one."""
        return self.draft.id if self.draft else None

    @property
    def version_id(self) -> UUID | None:
        """The version's id, if it is one."""
        return self.version.id if self.version else None


@require_http_methods(["GET", "HEAD", "POST"])
def what_ifs_of_draft(request: HttpRequest, draft_id: UUID) -> HttpResponse:
    """Show what was asked of a draft, or ask what the text that stands would change."""
    user, reach = _reader(request)
    stored = get_draft_for(readable_states(user), draft_id)
    if stored is None:
        raise Http404
    checked = check_text(stored.source, timezone.localdate(), stored.started_from)
    document = checked.runnable
    asked = _Asked(
        slug=slug_of_base(document) if document else "",
        row_of=list_what_ifs(reach, draft_id=draft_id),
        draft=show_draft(stored.line),
        hindrance="" if document else checked.hindrance,
    )
    return _answer(request, user, reach, asked)


@require_http_methods(["GET", "HEAD", "POST"])
def what_ifs_of_version(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """Show what was asked of a version and its text, or ask what it would change."""
    user, reach = _reader(request)
    today = timezone.localdate()
    stored = get_version_for(readable_states(user), slug, version, today)
    if stored is None:
        raise Http404
    line = stored.line
    asked = _Asked(
        slug=slug_of_base(stored.document) if stored.document else slug,
        row_of=list_what_ifs(reach, version_id=line.id, digest=line.digest),
        version=show_version(stored),
        hindrance="" if stored.document else "The stored text of this version cannot be read.",
    )
    return _answer(request, user, reach, asked)


def _reader(request: HttpRequest) -> tuple[User, WhatIfReach]:
    user = request.user
    reach = what_ifs_at(user)
    if not isinstance(user, User) or not reach.sees_any:
        raise Http404
    return user, reach


def _answer(request: HttpRequest, user: User, reach: WhatIfReach, asked: _Asked) -> HttpResponse:
    if reach.asks == frozenset():
        if request.method == "POST":
            raise PermissionDenied(say_who(Act.ASK_WHAT_IFS))
        return _page(request, asked, None)
    sites = list_what_if_sites(reach.asks)
    form = WhatIfForm(
        request.POST if request.method == "POST" else None,
        sites=sites,
        catalogs=list_judging_catalogs(frozenset(site.pk for site in sites)),
        own=asked.slug,
        today=timezone.localdate(),
    )
    if request.method != "POST":
        return _page(request, asked, form)
    if not form.is_valid():
        return _page(request, asked, form, status=UNPROCESSABLE)
    first, last = form.days
    wish = WhatIfWish(
        kind=form.cleaned_data["kind"],
        site=form.cleaned_data["site"],
        catalog=form.cleaned_data["catalog"],
        first=first,
        last=last,
        draft_id=asked.draft_id,
        version_id=asked.version_id,
    )
    what_if_id = uuid4()
    try:
        order_what_if(what_if_id=what_if_id, wish=wish, by=user, at=timezone.now())
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToAsk as refusal:
        form.refuse(refusal.field, str(refusal))
        return _page(request, asked, form, status=UNPROCESSABLE)
    ring_for_what_ifs()
    return redirect("review:what_if", what_if_id)


def _page(
    request: HttpRequest, asked: _Asked, form: WhatIfForm | None, status: int = 200
) -> HttpResponse:
    life = worker_life(timezone.now())
    context = {
        "draft": asked.draft,
        "page": asked.version,
        "hindrance": asked.hindrance,
        "form": form,
        "what_ifs": [show_what_if(row, life) for row in asked.row_of],
        "section": "catalogs",
        "tab": "whatif",
    }
    return render(request, "review/what_ifs.html", context, status=status)
