"""What reviewers' decisions of a span of days add up to: few statements, each by an index on time.

Of no statement is a single decision brought here, only counts: a year of a hundred thousand calls
is some thousand rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from catalogs.models import CatalogVersion
from catalogs.queries import document_of
from oipsce_site.people.models import Site, User
from review.core.cascade.triage import FlagCode
from review.core.decisions import Kind, standing_decisions
from review.core.figures import MatcherKind, kind_of_source
from review.models import Decision
from review.queries.calls_list import SiteName
from review.queries.folded import Made, read_made

Histogram = Mapping[int, int]
#: A list longer than this is no list that anybody works through.
MOST_UNSEEN = 100


@dataclass(frozen=True, slots=True)
class Span:
    """Whose decisions are counted: of everybody at sites in `whole`, of `person` at those in `own`;
    and of which time: from `since` on, before `until`.
    """

    whole: frozenset[UUID]
    own: frozenset[UUID]
    person: UUID | None
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds that people spent, as histograms: of whole calls, and of rows.

    `calls` of all, `by_version` and `by_person` (of each person's own time on a call) by the ids;
    `by_phase` of rows. `timed` of `decisions` came with a time.
    """

    decisions: int = 0
    timed: int = 0
    calls: Histogram = field(default_factory=dict)
    by_phase: Mapping[str, Histogram] = field(default_factory=dict)
    by_person: Mapping[UUID, Histogram] = field(default_factory=dict)
    by_version: Mapping[UUID, Histogram] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judged:
    """How many rows of a phase people settled whose start came from one place of a catalog.

    `same`: they stand as proposed in start, finish and verdict. `source` is the path of the matcher
    that gave the start, empty for none.
    """

    phase: str
    catalog_digest: str
    source: str
    critical: bool
    same: bool
    count: int


@dataclass(frozen=True, slots=True)
class UnseenRow:
    """A row at a critical edge that was confirmed with its evidence never in view."""

    call_id: UUID
    external_id: str
    site_name: str
    phase: str
    who: str
    at: datetime


def time_spent(span: Span) -> Spent:
    """Return what people spent, in one statement."""
    found: dict[str, dict[Any, dict[int, int]]] = defaultdict(lambda: defaultdict(dict))
    for what, key, seconds, count in _rows(_SPENT, span):
        found[what][key][seconds] = count
    counts = found["counts"][""]
    return Spent(
        decisions=counts.get(0, 0),
        timed=counts.get(1, 0),
        calls=found["call"][""],
        by_phase=found["phase"],
        by_person={UUID(key): one for key, one in found["person"].items()},
        by_version={UUID(key): one for key, one in found["version"].items()},
    )


def rows_settled(span: Span) -> tuple[Judged, ...]:
    """Return what became of the proposals of rows that people settled, in one statement."""
    return tuple(Judged(*row) for row in _rows(_SETTLED, span, critical=_CRITICAL))


def rows_unseen(span: Span) -> tuple[tuple[UnseenRow, ...], bool]:
    """Return critical rows confirmed out of view, the latest first, and whether there are more.

    Two statements. As on the call page the confirmation counts that stands.
    """
    rows = _rows(_UNSEEN, span, critical=_CRITICAL, most=MOST_UNSEEN + 1)
    found = [UnseenRow(*row[:-1]) for row in rows]
    standing = _unseen_now({row.call_id for row in found})
    kept = [row for row in found if (row.call_id, row.phase) in standing]
    return tuple(kept[:MOST_UNSEEN]), len(found) > MOST_UNSEEN


def figure_sites(site_ids: Collection[UUID]) -> tuple[SiteName, ...]:
    """Return these sites, by name."""
    sites = Site.objects.filter(pk__in=site_ids).order_by("name", "slug")
    return tuple(SiteName(*one) for one in sites.values_list("slug", "name"))


def site_of(site_ids: Collection[UUID], slug: str) -> UUID | None:
    """Return the id of the one of these sites that has a short name; None for any other."""
    # The database takes no NUL, not even to look for it.
    sites = Site.objects.filter(pk__in=site_ids, slug=slug.replace("\0", "?"))
    return sites.values_list("pk", flat=True).first()


def matcher_kinds(settled: Iterable[Judged]) -> Mapping[tuple[str, str], MatcherKind]:
    """Return by catalog digest and path what sort of matcher gave the starts."""
    asked = {(one.catalog_digest, one.source) for one in settled}
    return {
        (digest, source): kind_of_source(document_of(digest), source) for digest, source in asked
    }


def names_of(people: Sequence[UUID]) -> Mapping[UUID, str]:
    """Return the printed names of people by their ids."""
    return dict(User.objects.filter(pk__in=people).values_list("pk", "printed_name"))


def names_of_versions(versions: Sequence[UUID]) -> Mapping[UUID, str]:
    """Return catalog versions in words by their ids."""
    found = CatalogVersion.objects.filter(pk__in=versions)
    return {
        key: f"{slug} {version}"
        for key, slug, version in found.values_list("pk", "catalog__slug", "version")
    }


def _unseen_now(call_ids: set[UUID]) -> set[tuple[UUID, str]]:
    """Return call and phase of rows whose confirmation that stands saw no evidence."""
    made: dict[UUID, list[Made]] = defaultdict(list)
    stored = Decision.objects.filter(call__in=call_ids).select_related("by")
    for one in stored.order_by("call_id", "number"):
        made[one.call_id].append(read_made(one))
    found = set()
    for call_id, there in made.items():
        seen = {one.decision.number: one.evidence_seen for one in there}
        last: dict[str, bool | None] = {}
        for decision in standing_decisions([one.decision for one in there]):
            if decision.kind is Kind.CONFIRM and decision.phase is not None:
                last[decision.phase] = seen[decision.number]
        found |= {(call_id, phase) for phase, was_seen in last.items() if was_seen is False}
    return found


def _rows(statement: str, span: Span, **more: str | int) -> list[tuple[Any, ...]]:
    asked: dict[str, Any] = {
        "since": span.since,
        "until": span.until,
        "whole": list(span.whole),
        "own": list(span.own),
        "me": span.person,
        **more,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, asked)
        return list(cursor.fetchall())


_CRITICAL = FlagCode.SAFETY_CRITICAL.value

# What a person spent on a call or a row is the sum of its decisions; to the whole second.
_SPENT = """
with counted as materialized (
  select d.call_id, d.phase, d.by_id, c.catalog_version_id as version, d.spent_ms
    from review_decision d join review_call c on c.id = d.call_id
   where d.at >= %(since)s and d.at < %(until)s
     and (c.site_id = any(%(whole)s::uuid[])
          or (c.site_id = any(%(own)s::uuid[]) and d.by_id = %(me)s))
), spent as materialized (
  select call_id, phase, by_id, version, sum(spent_ms) as ms from counted
   where spent_ms is not null group by call_id, phase, by_id, version
)
select 'phase', phase, seconds, count(*) from (
  select phase, (sum(ms) + 500)::bigint / 1000 as seconds from spent where phase <> ''
   group by call_id, phase) one group by phase, seconds
union all
select 'call', '', seconds, count(*) from (
  select (sum(ms) + 500)::bigint / 1000 as seconds from spent group by call_id) one
 group by seconds
union all
select 'version', version::text, seconds, count(*) from (
  select version, (sum(ms) + 500)::bigint / 1000 as seconds from spent
   where version is not null group by call_id, version) one group by version, seconds
union all
select 'person', by_id::text, seconds, count(*) from (
  select by_id, (sum(ms) + 500)::bigint / 1000 as seconds from spent group by call_id, by_id) one
 group by by_id, seconds
union all
select 'counts', '', 0, count(*) from counted
union all
select 'counts', '', 1, count(spent_ms) from counted
"""

# A row is settled by the decision that it stands by; that one says which proposals were seen.
_SETTLED = """
select phase, catalog_digest, source, critical, same, count(*) from (
  select distinct on (r.id) r.phase, run.catalog_digest,
         coalesce(p.row ->> 'start_source', '') as source,
         %(critical)s = any(r.flags) as critical,
         (r.start_state, r.start_turn, r.finish_state, r.finish_turn, r.verdict)
           is not distinct from
         (p.start_state, p.start_turn, p.finish_state, p.finish_turn, p.verdict) as same
    from review_phaserow r
    join review_call c on c.id = r.call_id
    join review_decision d on d.call_id = r.call_id and d.phase = r.phase and d.at = r.decided_at
    join review_prefillrun run on run.id = d.run_id
    join review_proposedrow p on p.run_id = d.run_id and p.phase = r.phase
   where r.standing = 'CONFIRMED' and r.decided_at >= %(since)s and r.decided_at < %(until)s
     and d.at >= %(since)s and d.at < %(until)s
     and (c.site_id = any(%(whole)s::uuid[])
          or (c.site_id = any(%(own)s::uuid[]) and r.decided_by_id = %(me)s))
   order by r.id, d.number desc) one
 group by phase, catalog_digest, source, critical, same
 order by phase, catalog_digest, source
"""

_UNSEEN = """
select c.id, c.external_id, s.name, d.phase, u.printed_name, max(d.at), count(*)
  from review_decision d
  join review_phaserow r on r.call_id = d.call_id and r.phase = d.phase
  join review_call c on c.id = d.call_id
  join people_site s on s.id = c.site_id
  join people_user u on u.id = d.by_id
 where d.kind = 'CONFIRM' and d.evidence_seen = false
   and d.at >= %(since)s and d.at < %(until)s
   and r.standing = 'CONFIRMED' and %(critical)s = any(r.flags)
   and (c.site_id = any(%(whole)s::uuid[])
        or (c.site_id = any(%(own)s::uuid[]) and d.by_id = %(me)s))
 group by c.id, c.external_id, s.name, d.phase, u.printed_name
 order by max(d.at) desc, c.id, d.phase
 limit %(most)s
"""
