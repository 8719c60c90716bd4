"""Signed calls as compliance officers list and count them: every signature that stands.

List and counts come from one narrowed set. A page begins at a place, as in `calls_list`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import Count, F, Func, QuerySet, TextField, Value

from oipsce_site.people.models import Site
from review.core.compliance.marks import is_edge
from review.models import SignedLine
from review.queries.calls_list import Narrowing, SiteName, compare_rows

#: Read at once for a file.
_AT_ONCE: Final = 1_000


@dataclass(frozen=True, slots=True)
class SignedNarrowing(Narrowing):
    """What is asked of signed calls, beside site, catalog and verdict of `Narrowing`.

    `version` is a catalog version's text, `edge` a critical edge that failed (``PID>CSV``),
    `reviewer` the id of who signed, `sample` a `Selection` value; `first` and `last` are days as
    ISO writes them, of calls, both inside.
    """

    version: str | None = None
    edge: str | None = None
    reviewer: str | None = None
    sample: str | None = None
    first: str | None = None
    last: str | None = None


@dataclass(frozen=True, slots=True)
class SignedPlace:
    """A place in the list: the signature there, by its time. `forward` goes to the older ones."""

    at: datetime
    id: int
    forward: bool = True


@dataclass(frozen=True, slots=True)
class SignedCall:
    """One signed call; outcomes as `CallLine` has them, `failed` names of `compliance.marks`."""

    place: SignedPlace
    call_id: UUID
    title: str
    external_id: str
    site_id: UUID
    site_name: str
    catalog: str
    version: str
    version_id: UUID
    state: str
    day: date
    signed_at: datetime
    signed_by: str
    selection: str
    coverage: str
    order_safe: str
    call_success: str
    failed: tuple[str, ...]


class SignedCell(NamedTuple):
    """Signed calls that are alike; `reviewer` is a person's id."""

    site: str
    catalog: str
    version: str
    verdict: str
    sample: str
    reviewer: str
    number: int


#: What cells are counted by; days and an edge narrow the set itself.
COUNTED: Final = ("site", "catalog", "version", "verdict", "sample", "reviewer")


@dataclass(frozen=True, slots=True)
class SignedList:
    """One page, and the counts of all that it is of.

    `edges` are the failed critical edges with the number of calls, `reviewers` names by id.
    """

    lines: tuple[SignedCall, ...]
    newer: SignedPlace | None
    older: SignedPlace | None
    cells: tuple[SignedCell, ...]
    edges: tuple[tuple[str, int], ...]
    reviewers: Mapping[str, str]
    sites: tuple[SiteName, ...]

    def count(self, **like: str | None) -> int:
        """Return how many signed calls are like this, by the fields of a cell."""
        asked = {name: value for name, value in like.items() if value is not None}
        return sum(
            cell.number
            for cell in self.cells
            if all(getattr(cell, name) == value for name, value in asked.items())
        )


def list_signed(
    sites: frozenset[UUID],
    narrowing: SignedNarrowing,
    *,
    limit: int,
    place: SignedPlace | None = None,
) -> SignedList:
    """Return a page of the signed calls of these sites, last signed first, in four queries."""
    names = tuple(Site.objects.filter(pk__in=sites).order_by("name"))
    matching = narrow_signed(sites, narrowing)
    lines, newer, older = _page(matching, limit, place)
    whole = _of_days(sites, narrowing)
    cells, reviewers = _count(_with_edge(whole, narrowing.edge))
    without = narrow_signed(sites, narrowing, but_edge=True)
    return SignedList(
        lines=lines,
        newer=newer,
        older=older,
        cells=cells,
        edges=_count_edges(without),
        reviewers=reviewers,
        sites=tuple(SiteName(site.slug, site.name) for site in names),
    )


def all_signed(sites: frozenset[UUID], narrowing: SignedNarrowing) -> Iterator[SignedCall]:
    """Yield every signed call that is as asked, last signed first."""
    place: SignedPlace | None = None
    while True:
        lines, _, place = _page(narrow_signed(sites, narrowing), _AT_ONCE, place)
        yield from lines
        if place is None:
            return


def narrow_signed(
    sites: frozenset[UUID], narrowing: SignedNarrowing, *, but_edge: bool = False
) -> QuerySet[SignedLine]:
    """Return the lines of these sites that are as asked; `but_edge` leaves out what edge failed."""
    found = _of_days(sites, narrowing)
    wanted = {
        "site__slug": narrowing.site,
        "catalog_version__catalog__slug": narrowing.catalog,
        "catalog_version__version": narrowing.version,
        "call_success": narrowing.verdict.upper() if narrowing.verdict else None,
        "by": narrowing.reviewer,
        "selection": narrowing.sample.upper() if narrowing.sample else None,
    }
    found = found.filter(**{name: value for name, value in wanted.items() if value is not None})
    return found if but_edge else _with_edge(found, narrowing.edge)


def _of_days(sites: frozenset[UUID], narrowing: SignedNarrowing) -> QuerySet[SignedLine]:
    found = SignedLine.objects.filter(site__in=sites, stands=True)
    if narrowing.first is not None:
        found = found.filter(day__gte=narrowing.first)
    return found if narrowing.last is None else found.filter(day__lte=narrowing.last)


def _with_edge(found: QuerySet[SignedLine], edge: str | None) -> QuerySet[SignedLine]:
    return found if edge is None else found.filter(failed__contains=[edge])


_COLUMNS: Final = (
    *("signoff_id", "at", "call_id", "call__title", "call__external_id", "site_id", "site__name"),
    *("catalog_version__catalog__slug", "catalog_version__version", "catalog_version_id"),
    *("call__state", "day", "by__printed_name", "selection"),
    *("coverage", "order_safe", "call_success", "failed"),
)


def _page(
    matching: QuerySet[SignedLine], limit: int, place: SignedPlace | None
) -> tuple[tuple[SignedCall, ...], SignedPlace | None, SignedPlace | None]:
    forward = place is None or place.forward
    found = matching
    if place is not None:
        here = (Value(place.at), Value(place.id))
        found = found.filter(compare_rows((F("at"), F("signoff_id")), here, after=not forward))
    order = ("-at", "-signoff_id") if forward else ("at", "signoff_id")
    rows = list(found.order_by(*order).values(*_COLUMNS)[: limit + 1])
    lines, more = [_line(row) for row in rows[:limit]], len(rows) > limit
    if forward:
        older = lines[-1].place if more else None
        return tuple(lines), _backwards(lines) if place else None, older
    if not more:
        # So near the beginning the page is the first one, whole.
        return _page(matching, limit, None)
    lines.reverse()
    return tuple(lines), _backwards(lines), lines[-1].place


def _backwards(lines: list[SignedCall]) -> SignedPlace | None:
    return SignedPlace(lines[0].place.at, lines[0].place.id, forward=False) if lines else None


def _line(row: Mapping[str, Any]) -> SignedCall:
    return SignedCall(
        place=SignedPlace(row["at"], row["signoff_id"]),
        call_id=row["call_id"],
        title=row["call__title"],
        external_id=row["call__external_id"],
        site_id=row["site_id"],
        site_name=row["site__name"],
        catalog=row["catalog_version__catalog__slug"],
        version=row["catalog_version__version"],
        version_id=row["catalog_version_id"],
        state=row["call__state"],
        day=row["day"],
        signed_at=row["at"],
        signed_by=row["by__printed_name"],
        selection=row["selection"],
        coverage=row["coverage"].lower(),
        order_safe=row["order_safe"].lower(),
        call_success=row["call_success"].lower(),
        failed=tuple(row["failed"]),
    )


def _count(
    found: QuerySet[SignedLine],
) -> tuple[tuple[SignedCell, ...], Mapping[str, str]]:
    columns = (
        *("site__slug", "catalog_version__catalog__slug", "catalog_version__version"),
        *("call_success", "selection", "by_id", "by__printed_name"),
    )
    rows = found.order_by().values_list(*columns).annotate(number=Count("*"))
    cells, names = [], {}
    for site, catalog, version, success, selection, by, name, number in rows:
        names[str(by)] = name
        cells.append(
            SignedCell(site, catalog, version, success.lower(), selection.lower(), str(by), number)
        )
    return tuple(cells), names


def _count_edges(found: QuerySet[SignedLine]) -> tuple[tuple[str, int], ...]:
    named = Func(F("failed"), function="unnest", output_field=TextField())
    rows = found.order_by().annotate(name=named).values_list("name").annotate(n=Count("*"))
    return tuple(sorted((name, number) for name, number in rows if is_edge(name)))


__all__ = [
    "COUNTED",
    "SignedCall",
    "SignedList",
    "SignedNarrowing",
    "SignedPlace",
    "all_signed",
    "list_signed",
    "narrow_signed",
]
