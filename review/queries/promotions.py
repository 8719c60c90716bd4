"""What models said of rows that people settled, and what was promoted because of it: counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import orjson
from django.db import connection
from django.db.models import Count, Q, QuerySet

from catalogs.models import CatalogVersion, VersionState
from catalogs.queries import document_of
from oipsce_site.people.models import Adjudicator, Site
from review.core.cascade.adjudication import Said, asking_digest, is_shown_blind, models_for
from review.core.figures import Share, share_of
from review.core.promotion import MeasuredRow
from review.models import OPEN_MODEL_CHECKS, ModelCheck, Promotion, SignedLine

#: The rows that figures are made of, the newest first: more change no decision.
MOST_ROWS = 20_000
MOST_OF_ONE = 1_000
_MOST_SHOWN = 50


class Measurable(NamedTuple):
    """What is measured by itself: a phase in one language, and what was asked of whom."""

    phase: str
    language: str
    digest: str
    answered: str


@dataclass(frozen=True, slots=True)
class Measured:
    """Rows by what is measured, and flips by phase, digest and models in any language."""

    rows: Mapping[Measurable, tuple[MeasuredRow, ...]]
    flips: Mapping[tuple[str, str, str], Share]

    def flips_of(self, of: Measurable) -> Share:
        """Return how often an answer flipped; of nothing where no check asked."""
        return self.flips.get((of.phase, of.digest, of.answered), share_of(0, 0))


def measured_at(site_id: UUID) -> Measured:
    """Return what a site's models said of rows of signed calls that people settled.

    A row whose proposal was shown before it was decided tells nothing of agreement and is left out,
    but for those of the blind tenth (guard rule 17).
    """
    return Measured(_measured_rows(_rows(_ANSWERS, site_id)), _flips(_rows(_VARIANTS, site_id)))


def _measured_rows(found: list[tuple[Any, ...]]) -> dict[Measurable, tuple[MeasuredRow, ...]]:
    seen_first = {
        (call, phase)
        for call, phase, *_, shown, _, _ in found
        if shown and not is_shown_blind(call, phase)
    }
    # One answer for each row and digest: the newest.
    newest: dict[tuple[str, str, str], tuple[Any, ...]] = {}
    for one in found:
        call, phase, digest, _, said, *_ = one
        if said and (call, phase) not in seen_first:
            newest.setdefault((call, phase, digest), one)
    named: dict[tuple[str, str], set[str]] = defaultdict(set)
    for _, phase, digest, answered, *_ in newest.values():
        named[phase, digest].add(answered)
    rows: dict[Measurable, list[MeasuredRow]] = defaultdict(list)
    for call, phase, digest, answered, said, _, language, present in newest.values():
        # Who did not answer has no name; it counts against every one of that digest.
        for name in [answered] if answered else sorted(named[phase, digest] - {""}) or [""]:
            key = Measurable(phase, language, digest, name)
            rows[key].append(MeasuredRow(call, Said(said), present))
    return {key: tuple(one[:MOST_OF_ONE]) for key, one in rows.items()}


def _flips(found: Iterable[tuple[Any, ...]]) -> dict[tuple[str, str, str], Share]:
    tallies: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0])
    seen: set[tuple[str, str, str]] = set()
    for call, phase, digest, answered, variants in found:
        if (call, phase, digest) in seen:
            continue
        seen.add((call, phase, digest))
        compared = [one for one in orjson.loads(variants).values() if one != "unanswered"]
        tally = tallies[phase, digest, answered]
        tally[0] += compared.count("flipped")
        tally[1] += len(compared)
    return {key: share_of(*tally) for key, tally in tallies.items()}


def current_digests(site_id: UUID) -> dict[str, frozenset[str]]:
    """Return by phase what a question of the site is about today: by its settings, our wording and
    the catalogs that are in force or retired. Empty where nothing is set.
    """
    setting = Adjudicator.objects.filter(site_id=site_id).first()
    if setting is None:
        return {}
    models = tuple(filter(None, (setting.model, setting.second_model)))
    found: dict[str, set[str]] = {phase: set() for phase in setting.phases}
    states = (VersionState.PUBLISHED, VersionState.RETIRED)
    for digest in CatalogVersion.objects.filter(state__in=states).values_list("digest", flat=True):
        document = document_of(digest)
        for phase in document.phases:
            if phase.id in found:
                asked = models_for(document, phase.id, models)
                found[phase.id].add(asking_digest(phase, host=setting.host, models=asked))
    return {phase: frozenset(digests) for phase, digests in found.items()}


def latest_answering(site_id: UUID, phase: str, digest: str) -> str:
    """Return which models answered last about a phase at a site, as the endpoint names them."""
    found = _rows(_LATEST, site_id, phase=phase, digest=digest)
    return str(found[0][0]) if found else ""


def standing_promotion(of: Measurable, site_id: UUID) -> Promotion | None:
    """Return the promotion that is in force for exactly this, if there is one."""
    return Promotion.objects.filter(
        site_id=site_id, stands_at__isnull=False, ended_at__isnull=True, **of._asdict()
    ).first()


def promotions_to_measure(before: datetime) -> list[Promotion]:
    """Return those in force that were measured last before a time."""
    standing = Promotion.objects.filter(stands_at__isnull=False, ended_at__isnull=True)
    return list(standing.filter(measured_at__lt=before))


def promotions_of(site_id: UUID) -> QuerySet[Promotion]:
    """Return the promotions of a site, the newest first, with the names of who did what."""
    found = Promotion.objects.filter(site_id=site_id).select_related(
        "asked_by", "stands_by", "ended_by"
    )
    return found.order_by("-asked_at")[:_MOST_SHOWN]


def checks_of(site_id: UUID) -> QuerySet[ModelCheck]:
    """Return the checks of a site, the newest first, with how many rows each asked about."""
    found = ModelCheck.objects.filter(site_id=site_id).select_related(
        "asked_by", "version__catalog"
    )
    return found.annotate(checked=Count("rows")).order_by("-asked_at")[:_MOST_SHOWN]


def check_waits(at: datetime) -> Q:
    """Return the condition of a check of models that a worker may take."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=at)
    return Q(state__in=OPEN_MODEL_CHECKS) & free


def count_waiting_model_checks(at: datetime) -> int:
    """Count the checks of models that wait."""
    return ModelCheck.objects.filter(check_waits(at)).count()


def open_promotions(site_id: UUID) -> dict[Measurable, Promotion]:
    """Return the promotions of a site that wait or are in force."""
    found = Promotion.objects.filter(site_id=site_id, ended_at__isnull=True)
    return {Measurable(one.phase, one.language, one.digest, one.answered): one for one in found}


def model_sites(seen: Collection[UUID]) -> list[Site]:
    """Return these sites, by name."""
    return list(Site.objects.filter(pk__in=seen).order_by("name"))


def find_check_site(check_id: UUID) -> UUID | None:
    """Return the site of a check; None where there is no such check."""
    return ModelCheck.objects.filter(pk=check_id).values_list("site_id", flat=True).first()


def find_promotion_site(promotion_id: UUID) -> UUID | None:
    """Return the site of a promotion; None where there is no such promotion."""
    return Promotion.objects.filter(pk=promotion_id).values_list("site_id", flat=True).first()


def signed_versions_of(site_id: UUID) -> list[tuple[UUID, str]]:
    """Return the catalog versions by which calls of a site are signed, as (id, name)."""
    signed = SignedLine.objects.filter(site_id=site_id, stands=True).values("catalog_version")
    found = CatalogVersion.objects.filter(pk__in=signed).order_by("catalog__slug", "-version")
    return [
        (version_id, f"{slug} {version}")
        for version_id, slug, version in found.values_list("pk", "catalog__slug", "version")
    ]


def signed_calls_to_check(site_id: UUID, version_id: UUID, most: int) -> list[UUID]:
    """Return the signed calls of a site that a version judged, the latest first."""
    lines = SignedLine.objects.filter(
        site_id=site_id, catalog_version_id=version_id, stands=True, call__erased_at__isnull=True
    )
    return list(lines.order_by("-day", "-signoff").values_list("call_id", flat=True)[:most])


def _rows(statement: str, site_id: UUID, **more: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"site": site_id, "most": MOST_ROWS, **more})
        return list(cursor.fetchall())


_ANSWERS = """
with answer as (
  select s.call_id, s.phase, s.digest, s.answered, s.said, s.at,
         s.promotion_id is not null as shown
    from review_signedline l join review_suggestion s on s.call_id = l.call_id
   where l.stands and l.site_id = %(site)s and s.digest <> ''
  union all
  select k.call_id, k.phase, k.digest, k.answered, k.said, k.at, false
    from review_signedline l join review_checkedrow k on k.call_id = l.call_id
   where l.stands and l.site_id = %(site)s
)
select a.call_id::text, a.phase, a.digest, a.answered, a.said, a.shown,
       left(coalesce(c.language, ''), 64), r.verdict = 'PASS'
  from answer a
  join review_call c on c.id = a.call_id
  join review_phaserow r on r.call_id = a.call_id and r.phase = a.phase
 where r.standing = 'CONFIRMED' and r.verdict <> 'UNKNOWN'
 order by a.at desc limit %(most)s
"""
_VARIANTS = """
select k.call_id::text, k.phase, k.digest, k.answered, k.variants::text
  from review_checkedrow k join review_modelcheck m on m.id = k.check_of_id
 where m.site_id = %(site)s
 order by k.at desc limit %(most)s
"""
_LATEST = """
select answered from (
  select s.answered, s.at from review_suggestion s join review_call c on c.id = s.call_id
   where c.site_id = %(site)s and s.phase = %(phase)s and s.digest = %(digest)s
     and s.answered <> ''
  union all
  select k.answered, k.at from review_checkedrow k join review_modelcheck m on m.id = k.check_of_id
   where m.site_id = %(site)s and k.phase = %(phase)s and k.digest = %(digest)s
     and k.answered <> '') one
 order by at desc limit 1
"""
