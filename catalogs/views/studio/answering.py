"""Who asks for a page of drafts, and how a refusal is answered.

"Not yours" and "not there" are the same 404; whoever may read and not change gets 403.
"""

from __future__ import annotations

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.http import content_disposition_header

from catalogs.permissions import NotAllowed, check_can_author
from catalogs.queries import StoredDraft, get_draft_for, readable_states, reads_drafts
from oipsce_site.people.models import User

UNPROCESSABLE = 422
CONFLICT = 409


def reader_of(request: HttpRequest) -> User:
    """Return who reads drafts. Raises Http404 for anybody else."""
    user = request.user
    if not isinstance(user, User) or not reads_drafts(readable_states(user)):
        raise Http404
    return user


def author_of(request: HttpRequest) -> User:
    """Return the author who asks. Raises Http404 for who reads no drafts, else PermissionDenied."""
    user = reader_of(request)
    try:
        check_can_author(user)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    return user


def draft_for(user: User, draft_id: UUID) -> StoredDraft:
    """Return a draft that the person may read. Raises Http404 for any other."""
    found = get_draft_for(readable_states(user), draft_id)
    if found is None:
        raise Http404
    return found


def as_file(source: bytes, name: str) -> HttpResponse:
    """Answer with bytes as a file of plain text."""
    answer = HttpResponse(source, content_type="text/plain; charset=utf-8")
    answer.headers["Content-Disposition"] = str(
        content_disposition_header(as_attachment=True, filename=name)
    )
    return answer
