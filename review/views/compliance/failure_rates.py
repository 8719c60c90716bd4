"""Failure rates of critical edges and acceptance items, each sample by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from review.actions.call_line import sample_key
from review.core.compliance.samples import failure_rate
from review.presenters.compliance.asked import SignedAsked, read_signed_asked
from review.presenters.compliance.rates import Facts, show_rates
from review.queries.compliance_exceptions import count_excepted
from review.queries.failures import (
    count_by_catalog,
    count_by_selection,
    count_drawn_open,
    count_failures,
    marks_of_catalog,
)
from review.queries.oversight import site_names
from review.queries.own_to_sites import judged_by, marks_of_overlays
from review.queries.signed_calls import SignedNarrowing, narrow_signed
from review.views.compliance.overseeing import overseer, send_rows, show

_HEAD = (
    *("catalog", "edge or item", "period from", "sample", "failed", "judged"),
    *("share", "interval from", "interval to"),
)


@require_GET
def failure_rates(request: HttpRequest) -> HttpResponse:
    """Show the rates of one catalog; filters are in the address."""
    _, seen = overseer(request)
    asked, facts = _facts(seen.sites, _asked(request))
    return show(request, "failure_rates", {"page": show_rates(facts, asked, timezone.now().date())})


@require_GET
def failure_rates_file(request: HttpRequest) -> StreamingHttpResponse:
    """Return the rates of one catalog by period and sample as a file."""
    _, seen = overseer(request)
    _, facts = _facts(seen.sites, _asked(request))
    return send_rows("failure-rates", _HEAD, _rows(facts))


def _asked(request: HttpRequest) -> SignedAsked:
    """Read the address, but for what narrows by an outcome or a sample: it would bend a rate."""
    asked = read_signed_asked(request.GET.dict())
    kept = replace(asked.narrowing, verdict=None, edge=None, sample=None, reviewer=None)
    return replace(asked.at(None), narrowing=kept)


def _facts(sites: frozenset[UUID], asked: SignedAsked) -> tuple[SignedAsked, Facts]:
    """Return what is counted, and what is asked with the catalog that was chosen for it."""
    every = replace(asked.narrowing, catalog=None, version=None)
    catalogs = count_by_catalog(narrow_signed(sites, every))
    wanted = asked.narrowing.catalog
    chosen = wanted if wanted in catalogs else next(iter(catalogs), "")
    narrowing: SignedNarrowing = replace(asked.narrowing, catalog=chosen or None)
    whole = narrow_signed(sites, replace(narrowing, catalog=None))
    lines = whole.filter(judged_by(chosen)) if chosen else whole
    own = marks_of_overlays(chosen) if chosen else frozenset()
    facts = Facts(
        catalogs=catalogs,
        chosen=chosen or "",
        sites=site_names(sites),
        counted=tuple(one for one in count_failures(lines, asked.step) if one.name not in own),
        selections=count_by_selection(lines),
        drawn_open=count_drawn_open(sites, narrowing, sample_key()),
        versions=marks_of_catalog(chosen or ""),
        excepted=count_excepted(lines),
    )
    return replace(asked, narrowing=narrowing), facts


def _rows(facts: Facts) -> Iterator[tuple[object, ...]]:
    for one in facts.counted:
        rate = failure_rate(one.tally)
        if rate is not None:
            yield (
                *(facts.chosen, one.name, one.first.isoformat(), rate.selection.value.lower()),
                *(rate.failed, rate.judged, f"{rate.share:.6f}"),
                *(f"{rate.low:.6f}", f"{rate.high:.6f}"),
            )
