"""The report card of one catalog version, and the page over all versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from catalogs.core.document import Document
from catalogs.queries import document_of, get_version_for, readable_states
from catalogs.queries.versions import StoredVersion
from oipsce_site.people.models import User
from review.core.evidence.patterns import matchers_of
from review.core.figures import kind_of_source
from review.core.report_card import Cell, Place, drops, matcher_identity, precisions_by_matcher
from review.permissions import report_cards_seen
from review.presenters.csv_text import csv_text
from review.presenters.figures_asked import SPANS
from review.presenters.report_cards.asked import ReportAsked, read_rate, read_report_asked
from review.presenters.report_cards.card import (
    CardFacts,
    Compared,
    card_sections,
    named_matchers,
    show_card,
)
from review.presenters.report_cards.filters import Section, table_lines
from review.presenters.report_cards.overview import (
    OverviewFacts,
    overview_sections,
    show_overview,
)
from review.queries.figures import figure_sites, site_of
from review.queries.report_cards import (
    MOST_COMPARED,
    CardScope,
    SpentOnCalls,
    count_cells,
    count_edges,
    count_groups,
    count_outcomes,
    count_proposals,
    count_time,
    count_wording,
    version_before,
    versions_named,
)

UNPROCESSABLE = 422
_HEAD = ("table", "of", "note", "figure", "value", "interval at 95 percent", "n")
_YEAR = timedelta(days=365)


@require_GET
def report_card(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """Show the report card of a version; filters and what a minute costs are in the address."""
    sites, asked = _reader(request)
    stored = _version(request, slug, version)
    rate, wrong = read_rate(asked.rate)
    page = show_card(_card(sites, asked, stored), asked, rate)
    context = {"page": page, "version": stored.line, "wrong": wrong, "section": "catalogs"}
    status = UNPROCESSABLE if wrong else 200
    return render(request, "review/report_card.html", context, status=status)


@require_GET
def report_card_file(request: HttpRequest, slug: str, version: str) -> StreamingHttpResponse:
    """Hand out every figure of the same page as a table."""
    sites, asked = _reader(request)
    stored = _version(request, slug, version)
    sections = card_sections(_card(sites, asked, stored), read_rate(asked.rate)[0])
    return _file(f"report-card-{slug}-{version}", sections)


@require_GET
def report_cards(request: HttpRequest) -> HttpResponse:
    """Show the figures of every version that judged signed calls beside each other."""
    sites, asked = _reader(request)
    rate, wrong = read_rate(asked.rate)
    page = show_overview(_overview(sites, asked), asked, rate)
    context = {"page": page, "wrong": wrong, "section": "catalogs"}
    status = UNPROCESSABLE if wrong else 200
    return render(request, "review/report_cards.html", context, status=status)


@require_GET
def report_cards_file(request: HttpRequest) -> StreamingHttpResponse:
    """Hand out every figure of the same page as a table."""
    sites, asked = _reader(request)
    sections = overview_sections(_overview(sites, asked), read_rate(asked.rate)[0])
    return _file("report-cards", sections)


def _reader(request: HttpRequest) -> tuple[frozenset[UUID], ReportAsked]:
    """Return the sites that are counted for who asks, and what is asked for.

    Raises Http404 for who sees no report card, and for a site that is not theirs.
    """
    sites, asked = report_cards_seen(request.user), read_report_asked(request.GET.dict())
    if not sites or (asked.site and site_of(sites, asked.site) is None):
        raise Http404
    return sites, asked


def _version(request: HttpRequest, slug: str, version: str) -> StoredVersion:
    user = request.user
    states = readable_states(user) if isinstance(user, User) else frozenset()
    stored = get_version_for(states, slug, version, timezone.localdate())
    if stored is None:
        raise Http404
    return stored


def _scope(sites: frozenset[UUID], asked: ReportAsked, version: UUID | None) -> CardScope:
    last = timezone.localdate()
    site = site_of(sites, asked.site) if asked.site else None
    return CardScope(
        sites=sites if site is None else frozenset({site}),
        version=version,
        first=last - timedelta(days=int(asked.days) - 1),
        last=last,
        language=asked.language or None,
        age=asked.age or None,
        selection=asked.selection,
    )


def _card(sites: frozenset[UUID], asked: ReportAsked, stored: StoredVersion) -> CardFacts:
    scope = _scope(sites, asked, stored.line.id)
    cells = count_cells(scope)
    document = stored.document
    paths = [] if document is None else [one.path for one in matchers_of(document)]
    return CardFacts(
        outcomes=count_outcomes(scope),
        every=count_outcomes(_scope(sites, ReportAsked(asked.days), stored.line.id)),
        edges=count_edges(scope),
        cells=cells,
        groups=count_groups(scope),
        spent=count_time(scope).get(stored.line.id, SpentOnCalls({}, 0, 0)),
        proposals=count_proposals(scope),
        kinds={path: kind_of_source(document, path) for path in paths},
        compared=() if document is None else tuple(_compared(scope, asked, document, cells)),
        sites=_names(sites),
        wording=count_wording(scope),
    )


def _compared(
    scope: CardScope, asked: ReportAsked, document: Document, cells: tuple[Cell, ...]
) -> Iterator[Compared]:
    """Yield how anchors fared against the days before, and against the version before."""
    identities = matcher_identity(matchers_of(document))
    kinds = {path: kind_of_source(document, path) for path in identities}
    named = {identities[path]: one for path, one in named_matchers(kinds).items()}
    now = precisions_by_matcher(cells, Place.START, identities)
    then = precisions_by_matcher(count_cells(scope.before), Place.START, identities)
    yield Compared(f"the {SPANS[asked.days].removeprefix('last ')} before", drops(now, then), named)
    other = None if scope.version is None else version_before(scope.version)
    if other is not None:
        older = matcher_identity(matchers_of(document_of(other.digest)))
        whole = replace(scope, version=other.id, first=scope.last - _YEAR)
        then = precisions_by_matcher(count_cells(whole), Place.START, older)
        yield Compared(f"version {other.version}, last 365 days", drops(now, then), named)


def _overview(sites: frozenset[UUID], asked: ReportAsked) -> OverviewFacts:
    scope = replace(_scope(sites, asked, None), most=MOST_COMPARED)
    plain = ReportAsked(asked.days)
    every = count_outcomes(replace(_scope(sites, plain, None), most=MOST_COMPARED))
    named = versions_named(frozenset(one.version for one in every))
    return OverviewFacts(
        versions={key: one for key, one in named.items() if asked.catalog in ("", one.slug)},
        catalogs=tuple(dict.fromkeys(one.slug for one in named.values())),
        links={
            key: reverse("review:report_card", args=[one.slug, one.version])
            + replace(asked, catalog="").query
            for key, one in named.items()
        },
        outcomes=count_outcomes(scope),
        every=every,
        edges=count_edges(scope),
        groups=count_groups(scope),
        spent=count_time(scope),
        sites=_names(sites),
    )


def _names(sites: frozenset[UUID]) -> Mapping[str, str]:
    return {one.slug: one.name for one in figure_sites(sites)}


def _file(name: str, sections: Iterable[Section]) -> StreamingHttpResponse:
    lines = csv_text(_HEAD, table_lines(sections))
    answer = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer
