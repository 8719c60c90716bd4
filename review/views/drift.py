"""The page of drift: how far two readings of a call agree, over time, by phase and by site."""

from __future__ import annotations

from datetime import timedelta

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from review.permissions import report_cards_seen
from review.presenters.csv_text import csv_text
from review.presenters.drift.asked import DriftAsked, read_drift_asked
from review.presenters.drift.page import DriftFacts, drift_tables, period_lines, show_drift
from review.presenters.figure_tables import share_line
from review.queries.drift import MOST_READINGS, DriftScope, calls_read_twice, count_read_twice
from review.queries.failures import marks_of_catalog
from review.queries.figures import figure_sites, site_of

_HEAD = ("table", "of", "note", "figure", "value", "interval at 95 percent", "n")


@require_GET
def drift(request: HttpRequest) -> HttpResponse:
    """Show the agreement of readings of one catalog; filters are in the address."""
    asked = read_drift_asked(request.GET.dict())
    catalog, facts = _facts(request, asked)
    page = show_drift(facts, asked, catalog)
    return render(request, "review/drift.html", {"page": page, "section": "catalogs"})


@require_GET
def drift_file(request: HttpRequest) -> StreamingHttpResponse:
    """Hand out every figure of the same page as a table."""
    asked = read_drift_asked(request.GET.dict())
    _, facts = _facts(request, asked)
    answer = StreamingHttpResponse(
        csv_text(_HEAD, _lines(facts, asked)), content_type="text/csv; charset=utf-8"
    )
    answer["Content-Disposition"] = 'attachment; filename="drift.csv"'
    return answer


def _facts(request: HttpRequest, asked: DriftAsked) -> tuple[str, DriftFacts]:
    """Return what is counted, and the catalog that was chosen for it: the asked one where it has
    readings, else the one with the most.

    Raises Http404 for who sees no site, and for a site that is not theirs.
    """
    sites = report_cards_seen(request.user)
    site = site_of(sites, asked.site) if asked.site else None
    if not sites or (asked.site and site is None):
        raise Http404
    counted = sites if site is None else frozenset({site})
    last = timezone.now().date()
    scope = DriftScope(counted, asked.kinds, last - timedelta(days=int(asked.days) - 1), last)
    catalogs = count_read_twice(scope)
    chosen = asked.catalog if asked.catalog in catalogs else next(iter(catalogs), "")
    calls = calls_read_twice(scope, chosen) if chosen else ()
    return chosen, DriftFacts(
        calls=calls,
        catalogs=catalogs,
        sites={one.slug: one.name for one in figure_sites(sites)},
        versions=marks_of_catalog(chosen) if chosen else (),
        is_cut=len(calls) == MOST_READINGS < catalogs.get(chosen, 0),
    )


def _lines(facts: DriftFacts, asked: DriftAsked) -> list[tuple[str, ...]]:
    tables = [
        (table.title, row.name, row.note, cell.name, cell.value, cell.interval, cell.n)
        for table in drift_tables(facts, asked)
        for row in table.rows
        for cell in row.cells
    ]
    periods = [
        ("Over time", name, first.isoformat(), line.name, line.value, line.interval, line.n)
        for name, first, share in period_lines(facts, asked)
        for line in (share_line("Alike", share),)
    ]
    return [*tables, *periods]
