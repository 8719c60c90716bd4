"""The figures of review: time, trust in the pre-fill, and rows confirmed out of view."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from review.permissions import FiguresReach, figures_seen
from review.presenters.figures import Figures, show_figures, tables_of
from review.presenters.figures_asked import FiguresAsked, read_figures_asked
from review.queries.figures import (
    Span,
    figure_sites,
    matcher_kinds,
    names_of,
    names_of_versions,
    rows_settled,
    rows_unseen,
    site_of,
    time_spent,
)


@require_GET
def figures(request: HttpRequest) -> HttpResponse:
    """Show the figures of the sites that the person sees; span and site are in the address."""
    reach, asked, now = _reach(request), read_figures_asked(request.GET.dict()), timezone.now()
    sites = figure_sites(reach.whole | reach.own)
    found = _figures(reach, asked, now)
    context = {
        "page": show_figures(found, asked, sites, now),
        "names_people": reach.names_people,
        "section": "figures",
    }
    return render(request, "review/figures.html", context)


@require_GET
def figures_csv(request: HttpRequest) -> HttpResponse:
    """Hand out the same figures as a table."""
    reach, asked, now = _reach(request), read_figures_asked(request.GET.dict()), timezone.now()
    found = _figures(reach, asked, now)
    answer = HttpResponse(_csv(found), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="figures-{now:%Y-%m-%d}.csv"'
    return answer


def _reach(request: HttpRequest) -> FiguresReach:
    reach = figures_seen(request.user)
    if not reach.whole and not reach.own:
        raise Http404
    return reach


def _figures(reach: FiguresReach, asked: FiguresAsked, now: datetime) -> Figures:
    if asked.site:
        site = site_of(reach.whole | reach.own, asked.site)
        if site is None:
            raise Http404
        reach = replace(reach, whole=reach.whole & {site}, own=reach.own & {site})
    span = Span(reach.whole, reach.own, reach.person, now - timedelta(days=int(asked.days)), now)
    spent, settled = time_spent(span), rows_settled(span)
    unseen, more = rows_unseen(span)
    return Figures(
        spent=spent,
        settled=settled,
        kinds=matcher_kinds(settled),
        unseen=unseen,
        more_unseen=more,
        people=names_of(list(spent.by_person)) if reach.names_people else {},
        versions=names_of_versions(list(spent.by_version)),
        others=reach.names_people,
    )


def _csv(found: Figures) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(["table", "of", "figure", "interval at 95 percent", "n"])
    for cells in _lines(found):
        writer.writerow([_guarded(cell) for cell in cells])
    return out.getvalue()


def _lines(found: Figures) -> Iterator[tuple[str, ...]]:
    for table in (one for tables in tables_of(found) for one in tables):
        for line in table.lines:
            yield table.title, line.name, line.value, line.interval, line.n
    for row in found.unseen:
        yield "Critical row confirmed out of view", row.phase, row.external_id, row.who, ""


def _guarded(cell: str) -> str:
    # A name from a file must not become a formula in somebody's spreadsheet (ASVS 1.2.10).
    return f"'{cell}" if cell.lstrip()[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
