"""The stored text of a version, byte for byte."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET

from catalogs.queries import get_source_for, readable_states


@require_GET
def document(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """Hand out the bytes that the digest is of, as a file of plain text; with `of=overlay` those
    of the overlay that a version was merged from.
    """
    of_overlay = request.GET.get("of") == "overlay"
    states = readable_states(request.user)
    source = get_source_for(states, slug, version, of_overlay=of_overlay)
    if source is None:
        raise Http404
    name = f"{slug}-{version}{'-overlay' if of_overlay else ''}.yaml"
    answer = HttpResponse(source, content_type="text/plain; charset=utf-8")
    named = content_disposition_header(as_attachment=True, filename=name)
    answer.headers["Content-Disposition"] = str(named)
    return answer
