"""What signed calls say of the machine: rows, outcomes, edges and time, counted by the database.

Of signatures that stand, the latest calls first and no more than `most`; no row and no word of a
call is brought here. The lines come by `signedline_of_site`, everything else by the call's id.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

import orjson
from django.db import connection

from catalogs.models import CatalogVersion, VersionState
from review.core.cascade.adjudication import is_shown_blind
from review.core.compliance.samples import Selection
from review.core.promotion import Became, became_of
from review.core.report_card import Cell, Offset, Place, WordingCell
from review.core.rows import Verdict
from review.queries.own_to_sites import phases_of_overlays

#: The calls that one report card is made of, at most, and those that versions are compared by.
MOST_CALLS: Final = 2_000
MOST_COMPARED: Final = 10_000
#: The attribute of a call that may say which age group it is about (docs/report-card.md).
AGE_GROUP: Final = "age_group"


@dataclass(frozen=True, slots=True)
class CardScope:
    """Which signed calls are counted: of these sites, judged by `version`, dated from `first` to
    `last`, both inside; and further those that are as the other fields say, where they say.
    """

    sites: frozenset[UUID]
    version: UUID | None
    first: date
    last: date
    language: str | None = None
    age: str | None = None
    selection: Selection | None = None
    most: int = MOST_CALLS

    @property
    def before(self) -> CardScope:
        """The same for as many days before."""
        days = self.last - self.first + timedelta(days=1)
        return replace(self, first=self.first - days, last=self.last - days)


class Outcomes(NamedTuple):
    """Signed calls that are alike; an outcome is PASS, FAIL or UNDETERMINED."""

    version: UUID
    site: str
    language: str
    age: str
    selection: Selection
    coverage: str
    order_safe: str
    call_success: str
    number: int


class Group(NamedTuple):
    """Rows of signed calls that are alike in whose calls they are of and in what became of them."""

    version: UUID
    site: str
    language: str
    age: str
    settled: bool
    flagged: bool
    same: bool
    number: int


class ProposalTally(NamedTuple):
    """How many rows of a phase on which a model proposed a place became what; `shown`: people saw
    the proposal before they decided.
    """

    phase: str
    shown: bool
    became: Became
    number: int


class EdgeTally(NamedTuple):
    """How often one critical edge was violated among the calls of one selection."""

    version: UUID
    edge: str
    selection: Selection
    failed: int
    judged: int


@dataclass(frozen=True, slots=True)
class SpentOnCalls:
    """Seconds that people spent on calls of a version, as a histogram; `untimed` calls have none,
    and `partly` counts timed calls with decisions that came without a time.
    """

    seconds: Mapping[int, int]
    untimed: int
    partly: int


@dataclass(frozen=True, slots=True)
class VersionName:
    """A catalog version, and since when it is in force."""

    id: UUID
    slug: str
    version: str
    digest: str
    since: date


def count_cells(scope: CardScope) -> tuple[Cell, ...]:
    """Return the rows of the calls, with what proposed them, in one statement."""
    return tuple(_cell(row) for row in _rows(_CELLS, scope))


def count_groups(scope: CardScope) -> tuple[Group, ...]:
    """Return the rows of the calls by site, language and age group, in two statements.

    Rows of phases that an overlay added are left out: no other site has them (domain 5.5).
    """
    return tuple(Group(*row) for row in _rows(_GROUPS, scope, own=phases_of_overlays()))


def count_outcomes(scope: CardScope) -> tuple[Outcomes, ...]:
    """Return the outcomes of the calls, in one statement."""
    return tuple(
        Outcomes._make((*row[:4], Selection(row[4]), *row[5:])) for row in _rows(_OUTCOMES, scope)
    )


def count_edges(scope: CardScope) -> tuple[EdgeTally, ...]:
    """Return how often critical edges were violated, in one statement."""
    return tuple(
        EdgeTally(version, edge, Selection(selection), failed, judged)
        for version, edge, selection, failed, judged in _rows(_EDGES, scope)
    )


def count_wording(scope: CardScope) -> tuple[WordingCell, ...]:
    """Return the decided turns of calls that were searched by wording, in one statement."""
    return tuple(
        WordingCell(phase, Place(place), *rest) for phase, place, *rest in _rows(_WORDING, scope)
    )


def count_proposals(scope: CardScope) -> tuple[ProposalTally, ...]:
    """Return what became of models' proposals for rows that people settled, in one statement."""
    tallies: Counter[tuple[str, bool, Became]] = Counter()
    for call, phase, promoted, places, items, finish, passed in _rows(_PROPOSALS, scope):
        met = [one["turn"] for one in orjson.loads(items) if one.get("met") and one.get("turn")]
        turns = [place[1] for place in orjson.loads(places)]
        shown = promoted and not is_shown_blind(call, phase)
        tallies[phase, shown, became_of(turns, met, finish, passed=passed)] += 1
    return tuple(
        ProposalTally(phase, shown, became, number)
        for (phase, shown, became), number in sorted(
            tallies.items(), key=lambda one: (one[0][0], not one[0][1], one[0][2].value)
        )
    )


def count_time(scope: CardScope) -> dict[UUID, SpentOnCalls]:
    """Return the time that people spent on the calls, by catalog version, in one statement."""
    seconds: dict[UUID, dict[int, int]] = defaultdict(dict)
    untimed: dict[UUID, int] = defaultdict(int)
    partly: dict[UUID, int] = defaultdict(int)
    for version, spent, count, with_gaps in _rows(_SPENT, scope):
        if spent is None:
            untimed[version] += count
        else:
            seconds[version][spent] = count
            partly[version] += with_gaps
    return {
        version: SpentOnCalls(seconds[version], untimed[version], partly[version])
        for version in seconds.keys() | untimed.keys()
    }


def version_before(version_id: UUID) -> VersionName | None:
    """Return the version of the same catalog that was in force before; None for the first."""
    own = CatalogVersion.objects.filter(pk=version_id).values("catalog", "effective_from").first()
    if own is None:
        return None
    found = CatalogVersion.objects.filter(
        catalog=own["catalog"],
        effective_from__lt=own["effective_from"],
        state__in=(VersionState.PUBLISHED, VersionState.RETIRED),
    )
    row = found.order_by("-effective_from").values_list(*_NAME).first()
    return None if row is None else VersionName(*row)


def versions_named(versions: frozenset[UUID]) -> dict[UUID, VersionName]:
    """Return these versions, by catalog and then as they came into force, the newest first."""
    found = CatalogVersion.objects.filter(pk__in=versions)
    rows = found.order_by("catalog__slug", "-effective_from", "-version").values_list(*_NAME)
    return {row[0]: VersionName(*row) for row in rows}


_NAME: Final = ("pk", "catalog__slug", "version", "digest", "effective_from")


def _cell(row: tuple[Any, ...]) -> Cell:
    proposed, decided = (Verdict(one.lower()) for one in row[14:16])
    ends = Offset(*row[6:10]), Offset(*row[10:14])
    return Cell._make((*row[:6], *ends, proposed, decided, row[16]))


def _rows(statement: str, scope: CardScope, *, own: Sequence[str] = ()) -> list[tuple[Any, ...]]:
    asked: dict[str, Any] = {
        "own": list(own),
        "sites": list(scope.sites),
        "version": scope.version,
        "first": scope.first,
        "last": scope.last,
        "language": scope.language,
        "age": scope.age,
        "selection": scope.selection.value if scope.selection else None,
        "most": scope.most,
        "age_group": AGE_GROUP,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, asked)
        return list(cursor.fetchall())


_LINES: Final = """
with line as materialized (
  select l.signoff_id, l.call_id, l.catalog_version_id as version, s.slug as site, l.selection,
         l.coverage, l.order_safe, l.call_success, l.judged, l.failed,
         coalesce(c.language, '') as language, coalesce(c.attributes ->> %(age_group)s, '') as age
    from review_signedline l
    join review_call c on c.id = l.call_id
    join people_site s on s.id = l.site_id
   where l.stands and l.site_id = any(%(sites)s::uuid[])
     and l.day >= %(first)s and l.day <= %(last)s
     and (%(version)s::uuid is null or l.catalog_version_id = %(version)s)
     and (%(selection)s::text is null or l.selection = %(selection)s)
     and (%(language)s::text is null or c.language = %(language)s)
     and (%(age)s::text is null or c.attributes ->> %(age_group)s = %(age)s)
   order by l.day desc, l.signoff_id desc limit %(most)s
)
"""

# Of each row what was signed, and what the machine had proposed in the run that was signed.
_COMPARED: Final = """
  from line
  join review_signoff f on f.id = line.signoff_id
  join review_evaluation e on e.id = f.evaluation_id
  join review_prefillrun run on run.id = e.run_id
  join review_phaserow r on r.call_id = line.call_id
  join review_proposedrow p on p.run_id = e.run_id and p.phase = r.phase
"""

_SAME: Final = """
  (r.start_state, r.start_turn, r.finish_state, r.finish_turn, r.verdict) is not distinct from
  (p.start_state, p.start_turn, p.finish_state, p.finish_turn, p.verdict)
"""

_CELLS: Final = f"""{_LINES}
select r.phase, run.engine, r.standing = 'CONFIRMED', cardinality(p.flags) > 0,
       r.required = 'YES', {_SAME},
       coalesce(p.row ->> 'start_source', ''), p.start_state = 'TURN', r.start_state = 'TURN',
       r.start_turn - p.start_turn,
       coalesce(p.row ->> 'finish_source', ''), p.finish_state = 'TURN', r.finish_state = 'TURN',
       r.finish_turn - p.finish_turn,
       p.verdict, r.verdict, count(*)
{_COMPARED}
 group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
 order by 1, 2, 7, 11
"""

_GROUPS: Final = f"""{_LINES}
select line.version, line.site, line.language, line.age,
       r.standing = 'CONFIRMED', cardinality(p.flags) > 0, {_SAME}, count(*)
{_COMPARED}
 where line.version::text || ' ' || r.phase <> all(%(own)s::text[])
 group by 1, 2, 3, 4, 5, 6, 7
"""

_OUTCOMES: Final = f"""{_LINES}
select version, site, language, age, selection, coverage, order_safe, call_success, count(*)
  from line group by 1, 2, 3, 4, 5, 6, 7, 8
"""  # noqa: S608 - our own words

_EDGES: Final = f"""{_LINES}
select version, name, selection, count(*) filter (where name = any(failed)), count(*)
  from line, unnest(judged) as name
 where name like '%%>%%' group by 1, 2, 3 order by 1, 2, 3
"""  # noqa: S608 - our own words

# What a model had proposed in the run that was signed, and what people made of the row.
_PROPOSALS: Final = f"""{_LINES}
select line.call_id::text, s.phase, s.promotion_id is not null, s.places::text,
       coalesce(p.row -> 'items', '[]')::text, r.finish_turn, r.verdict = 'PASS'
{_COMPARED}
  join review_suggestion s on s.run_id = e.run_id and s.phase = r.phase
 where s.reason = 'PROPOSED' and r.standing = 'CONFIRMED'
"""

_SPENT: Final = f"""{_LINES}
select version, seconds, count(*), count(*) filter (where gaps) from (
  select line.version, line.call_id, (sum(d.spent_ms) + 500)::bigint / 1000 as seconds,
         bool_or(d.id is not null and d.spent_ms is null and d.phase <> '') as gaps
    from line left join review_decision d on d.call_id = line.call_id
   group by line.version, line.call_id) one
 group by version, seconds
"""  # noqa: S608 - our own words

# Which rows are kept back is `review.core.cascade.adjudication.is_shown_blind`.
_WORDING: Final = f"""{_LINES}
select r.phase, place.name,
       get_byte(sha256(convert_to(line.call_id::text || '/' || r.phase, 'UTF8')), 0) %% 10 = 0,
       coalesce(abs(place.decided - place.proposed) <= 1, false), sought.turns is not null,
       coalesce((select bool_or(abs(place.decided - turn) <= 1) from unnest(sought.turns) as turn),
                false),
       count(*)
{_COMPARED}
  join review_candidateturns k on k.run_id = e.run_id
  left join lateral (
    select array_agg(turn::int) as turns
      from jsonb_array_elements(k.places) as found,
           jsonb_array_elements_text(found -> 2) as turn
     where found ->> 0 = r.phase) sought on true
 cross join lateral (values ('start', r.start_turn, p.start_turn),
                            ('finish', r.finish_turn, p.finish_turn)
                    ) as place(name, decided, proposed)
 where r.standing = 'CONFIRMED' and place.decided is not null
 group by 1, 2, 3, 4, 5, 6
"""  # noqa: S608 - our own words
