"""Calibration rounds as tests make them, and their rows in the table of actions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from catalogs.actions.calibration import Calibrated, record_calibration
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions.calibration import RoundWish, call_off_round, open_round
from review.actions.checklists import Checked, Checklists, load_checklists
from review.actions.differing import Decided, close_round, decide_difference
from review.actions.rating import RatedRow, finish_rating, open_for_rating, rate_row
from review.core.calibration import ItemRating, Rating
from review.core.rows import NEVER, Verdict
from review.queries.ratings import differences_of_round, round_document
from tests.factories import (
    NOON,
    catalog_source,
    draft,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)

Act = Callable[[], object]


@dataclass
class World:
    """A site with two calls and a draft, its senior reviewer and two raters."""

    site: Site
    senior: User
    raters: list[User]
    version_id: UUID
    calls: list[UUID] = field(default_factory=list)
    round_id: UUID = field(default_factory=uuid4)


def make_world(calls: int = 2) -> World:
    """Import calls that the published micro catalog judges, and draft its next version."""
    site = make_site("north")
    publish(catalog_source("micro"))
    author = make_person(Role.CATALOG_AUTHOR)
    newer = catalog_source("micro", ("version: 2.0.0", "version: 2.0.1"))
    world = World(
        site,
        make_person(Role.SENIOR_REVIEWER, site=site),
        [make_person(Role.REVIEWER, site=site) for _ in range(2)],
        draft(newer, author),
    )
    world.calls = [prefilled(read(raw_micro(id=f"call {k}")), site) for k in range(calls)]
    return world


def opened(calls: int = 2) -> World:
    """Open a round on named calls."""
    world = make_world(calls)
    wish = RoundWish(
        world.site, world.version_id, world.calls, [rater.pk for rater in world.raters]
    )
    open_round(round_id=world.round_id, wish=wish, by=world.senior, at=NOON)
    return world


def passing(world: World, phase: str, start: int = 1, finish: int = 2) -> Rating:
    """Return a rating that passes a phase."""
    items = round_document(world.round_id).phase(phase).accept
    return Rating(
        True, start, finish, Verdict.PASS, tuple(ItemRating(one.id, finish) for one in items)
    )


def failing(world: World, phase: str) -> Rating:
    """Return a rating of a phase that never came up."""
    items = round_document(world.round_id).phase(phase).accept
    return Rating(
        True, NEVER, NEVER, Verdict.FAIL, tuple(ItemRating(one.id, NEVER) for one in items)
    )


def rate_all(world: World, rater: User, rating: Callable[[World, str], Rating] = passing) -> None:
    """Rate every row of every call alike."""
    for position in range(1, len(world.calls) + 1):
        for phase in round_document(world.round_id).phases:
            row = RatedRow(position, phase.id, rating(world, phase.id))
            rate_row(round_id=world.round_id, row=row, key=uuid4(), by=rater, at=NOON)


def rated(calls: int = 2) -> World:
    """Have both raters done; they differ on every row."""
    world = opened(calls)
    for rater, rating in zip(world.raters, (passing, failing), strict=True):
        rate_all(world, rater, rating)
        finish_rating(round_id=world.round_id, by=rater, at=NOON)
    return world


def decided(world: World) -> World:
    """Decide every difference for the first rater."""
    for one in differences_of_round(world.round_id):
        said = Decided(one.position, one.difference.phase, 1, "The words are there.", "Say so.")
        decide_difference(
            round_id=world.round_id, decided=said, key=uuid4(), by=world.senior, at=NOON
        )
    return world


def closed(world: World) -> World:
    """Close a round."""
    close_round(round_id=world.round_id, report_id=uuid4(), seed="5eed", by=world.senior, at=NOON)
    return world


def _open() -> Act:
    world = make_world()
    wish = RoundWish(world.site, world.version_id, world.calls, [one.pk for one in world.raters])
    return lambda: open_round(round_id=world.round_id, wish=wish, by=world.senior, at=NOON)


def _off() -> Act:
    world = opened()
    return lambda: call_off_round(round_id=world.round_id, by=world.senior, at=NOON)


def _read() -> Act:
    world = opened()
    by = world.raters[0]
    return lambda: open_for_rating(round_id=world.round_id, position=1, by=by, at=NOON)


def _rate() -> Act:
    world = opened()
    phase = round_document(world.round_id).phases[0].id
    row = RatedRow(1, phase, passing(world, phase))
    by = world.raters[0]
    return lambda: rate_row(round_id=world.round_id, row=row, key=uuid4(), by=by, at=NOON)


def _finish() -> Act:
    world = opened()
    rate_all(world, world.raters[0])
    return lambda: finish_rating(round_id=world.round_id, by=world.raters[0], at=NOON)


def _decide() -> Act:
    world = rated()
    first = differences_of_round(world.round_id)[0]
    said = Decided(first.position, first.difference.phase, None, "Both misread it.")
    return lambda: decide_difference(
        round_id=world.round_id, decided=said, key=uuid4(), by=world.senior, at=NOON
    )


def _close() -> Act:
    world = decided(rated())
    return lambda: closed(world)


def _report() -> Act:
    world = make_world()
    calibrated = Calibrated("0" * 64, uuid4(), "Round 1.", {"calls": 2})
    return lambda: record_calibration(
        version_id=world.version_id,
        report_id=uuid4(),
        calibrated=calibrated,
        by=world.senior,
        role=Role.SENIOR_REVIEWER,
        at=NOON,
    )


def _load() -> Act:
    marks = {"pain": ("critical", "critical"), "fever": ("critical", "irrelevant")}
    calls = [Checked("one", marks), Checked("two", {**marks, "cough": ("critical", None)})]
    loaded = Checklists(make_site(), "Lists", ("A", "B"), calls)
    return lambda: load_checklists(round_id=uuid4(), loaded=loaded, seed="1", by="w", at=NOON)


CALIBRATION: dict[str, tuple[str, Callable[[], Act]]] = {
    "load_checklists": ("calibration.load", _load),
    "record_calibration": ("calibration.report", _report),
    "open_round": ("calibration.open", _open),
    "call_off_round": ("calibration.call_off", _off),
    "open_for_rating": ("calibration.read", _read),
    "rate_row": ("calibration.rate", _rate),
    "finish_rating": ("calibration.rated", _finish),
    "decide_difference": ("calibration.decide", _decide),
    "close_round": ("calibration.close calibration.report", _close),
}

#: Public functions beside the actions: each is called by one, and its entry stands for both.
PARTS_OF_CALIBRATION = {
    "lock_round": "open_round",
    "record_round": "open_round",
    "figures_of": "close_round",
    "plain_figures": "close_round",
    "draw_calls": "close_round",
}
