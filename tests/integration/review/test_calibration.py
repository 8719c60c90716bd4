"""A calibration round: blind until all are done, every difference decided, then its figures."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from catalogs.actions.gates import check_calibration
from catalogs.actions.version_rows import UnableToMove
from catalogs.models import CalibrationReport, CatalogVersion
from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.actions.calibration import RoundWish, UnableToCalibrate, call_off_round, open_round
from review.actions.decisions import decide
from review.actions.differing import (
    Decided,
    close_round,
    decide_difference,
    figures_of,
)
from review.actions.opening import open_for_review
from review.actions.rating import RatedRow, finish_rating, open_for_rating, rate_row
from review.core.agreement import measured_from_json
from review.core.calibration import Rating
from review.core.decisions import Ask, Kind
from review.core.rows import NEVER, Verdict
from review.models import CalibrationRating, CalibrationRound, Call
from review.permissions import NotAllowed, calibrating_at
from review.queries.calibration import get_round_for
from review.queries.ratings import differences_of_round, round_document
from tests.factories import NOON, make_person, make_site
from tests.integration.review.calibration_acts import (
    World,
    closed,
    decided,
    make_world,
    opened,
    passing,
    rate_all,
    rated,
)

pytestmark = pytest.mark.django_db


def test_a_round_from_its_opening_to_the_report_that_publishing_asks_for() -> None:
    world = rated()
    version = CatalogVersion.objects.get(pk=world.version_id)
    with pytest.raises(UnableToMove, match="Nothing shows that raters agree"):
        check_calibration(version)
    closed(decided(world))
    report = CalibrationReport.objects.get(document_digest=version.digest)
    assert report.kind == "REPORT"
    assert "Round 1: 2 calls, 2 raters." in report.reason
    assert "few" in report.reason
    check_calibration(version)


def test_the_figures_are_drawn_again_from_the_seed() -> None:
    world = closed(decided(rated()))
    stored = CalibrationRound.objects.get(pk=world.round_id)
    assert stored.figures == figures_of(stored, stored.seed)
    measured = {one["id"]: measured_from_json(one) for one in stored.figures["measures"]}
    assert measured["required"].figures["raw"].value == 1
    assert measured["verdict"].figures["raw"].value == 0
    rows = len(round_document(world.round_id).phases) * 2
    assert measured["verdict"].figures["raw"].n == rows
    assert measured["edge"].figures["raw"].n == 2 * len(
        [edge for phase in round_document(world.round_id).phases for edge in phase.critical]
    )


def test_nothing_is_closed_while_a_difference_is_open() -> None:
    world = rated()
    with pytest.raises(UnableToCalibrate, match="not decided yet"):
        closed(world)


def test_differences_name_what_they_are_in() -> None:
    world = rated()
    first = differences_of_round(world.round_id)[0]
    assert set(first.difference.named) >= {"Start", "Finish", "Verdict"}
    assert "Required" not in first.difference.named


def _refused(sentence: str, status: int = 422) -> pytest.RaisesExc[UnableToCalibrate]:
    return pytest.raises(
        UnableToCalibrate, match=sentence, check=lambda refusal: refusal.status == status
    )


def _wish(world: World, **changes: object) -> RoundWish:
    given: dict[str, object] = {
        "site": world.site,
        "version_id": world.version_id,
        "calls": world.calls,
        "raters": [rater.pk for rater in world.raters],
    }
    return RoundWish(**{**given, **changes})  # type: ignore[arg-type]


def test_what_a_round_is_refused_for() -> None:
    world = make_world(3)

    def asked(**changes: object) -> None:
        open_round(round_id=uuid4(), wish=_wish(world, **changes), by=world.senior, at=NOON)

    with _refused("2 to 5 calls, not 1"):
        asked(calls=world.calls[:1])
    with _refused("2 to 6 raters, not 1"):
        asked(raters=[world.raters[0].pk])
    with _refused("does not review calls of this site"):
        other = make_person(Role.REVIEWER, site=make_site("south"))
        asked(raters=[world.raters[0].pk, other.pk])
    with _refused("cannot be rated at this site"):
        asked(calls=[*world.calls, uuid4()])
    with _refused("fewer than 5"):
        asked(calls=[], draw=5)
    with _refused("no such version"):
        asked(version_id=uuid4())
    decide(
        call_id=world.calls[0],
        decision=Ask(Kind.CONFIRM, "PID"),
        expected_revision=1,
        key=uuid4(),
        by=world.raters[0],
        at=NOON,
    )
    with _refused("has decided rows of one of these calls"):
        asked()


def test_calls_are_drawn_where_none_are_named() -> None:
    world = make_world(3)
    author = make_person(Role.CATALOG_AUTHOR)
    wish = _wish(world, calls=[], draw=2)
    open_round(round_id=world.round_id, wish=wish, by=author, at=NOON)
    drawn = CalibrationRound.objects.get(pk=world.round_id).calls.all()
    assert len({one.call_id for one in drawn} & set(world.calls)) == 2


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.COMPLIANCE_OFFICER, Role.AUDITOR])
def test_who_may_not_hold_a_round(role: Role) -> None:
    world = make_world()
    by = make_person(role, site=world.site)
    with pytest.raises(NotAllowed):
        open_round(round_id=world.round_id, wish=_wish(world), by=by, at=NOON)


def test_what_a_rating_is_refused_for() -> None:
    world = opened()
    phase = round_document(world.round_id).phases[0].id
    good = passing(world, phase)

    def rating(**changes: object) -> None:
        row = RatedRow(1, phase, good._replace(**changes))  # type: ignore[arg-type]
        rate_row(round_id=world.round_id, row=row, key=uuid4(), by=world.raters[0], at=NOON)

    with _refused("no turn 99"):
        rating(start=99)
    with _refused("A pass needs the turn"):
        rating(finish=NEVER)
    with _refused("A pass needs every item"):
        rating(items=tuple(one._replace(shown=NEVER) for one in good.items))
    with _refused("What failed was never complete"):
        rating(verdict=Verdict.FAIL)
    with _refused("items are not those"):
        rating(items=())
    assert not CalibrationRating.objects.exists()


def test_a_resent_form_is_applied_once_and_the_last_word_stands() -> None:
    world = opened()
    phase = round_document(world.round_id).phases[0].id
    key, by = uuid4(), world.raters[0]
    for finish in (2, 3):
        row = RatedRow(1, phase, passing(world, phase, 1, finish))
        for _ in range(2):
            rate_row(
                round_id=world.round_id,
                row=row,
                key=key if finish == 2 else uuid4(),
                by=by,
                at=NOON,
            )
    assert CalibrationRating.objects.count() == 3


def test_done_is_done_and_only_when_all_is_rated() -> None:
    world = opened()
    one, other = world.raters
    with _refused("not rated yet", 409):
        finish_rating(round_id=world.round_id, by=one, at=NOON)
    rate_all(world, one)
    assert finish_rating(round_id=world.round_id, by=one, at=NOON) is False
    with _refused("you are done", 409):
        finish_rating(round_id=world.round_id, by=one, at=NOON)
    with _refused("Not all raters are done", 409):
        closed(world)
    rate_all(world, other)
    assert finish_rating(round_id=world.round_id, by=other, at=NOON) is True


def test_who_is_no_rater_reads_and_rates_nothing() -> None:
    world = opened()
    with _refused("no such round", 404):
        open_for_rating(round_id=world.round_id, position=1, by=world.senior, at=NOON)
    with _refused("no such call", 404):
        open_for_rating(round_id=world.round_id, position=9, by=world.raters[0], at=NOON)


def test_a_rater_who_opened_the_call_itself_was_not_blind() -> None:
    world = opened()
    one, other = world.raters
    open_for_review(call_id=world.calls[0], by=one, at=NOON)
    for rater in (one, other):
        open_for_rating(round_id=world.round_id, position=1, by=rater, at=NOON)
        rate_all(world, rater)
        finish_rating(round_id=world.round_id, by=rater, at=NOON)
    stored = get_round_for(world.senior, calibrating_at(world.senior), world.round_id)
    assert stored is not None
    assert sorted(rater.seen_before for rater in stored.raters) == [False, True]
    closed(world)
    figures = CalibrationRound.objects.get(pk=world.round_id).figures
    assert figures is not None
    assert figures["not_blind"] == 1


def test_identifiers_are_masked_on_the_desk_where_the_site_masks_them() -> None:
    world = opened()

    def words_of_the_call() -> str:
        call = open_for_rating(round_id=world.round_id, position=1, by=world.raters[0], at=NOON)
        return " ".join(turn.text for turn in call.turns)

    Site.objects.filter(pk=world.site.pk).update(masks_identifiers=False)
    plain = words_of_the_call()
    Site.objects.filter(pk=world.site.pk).update(masks_identifiers=True)
    assert words_of_the_call() != plain


def test_what_a_decision_is_refused_for() -> None:
    world = rated()
    first = differences_of_round(world.round_id)[0]

    def decision(said: Decided) -> None:
        decide_difference(
            round_id=world.round_id, decided=said, key=uuid4(), by=world.senior, at=NOON
        )

    with _refused("Say why"):
        decision(Decided(first.position, first.difference.phase, 1, " "))
    with _refused("no such rater"):
        decision(Decided(first.position, first.difference.phase, 7, "why"))
    with _refused("do not differ", 404):
        decision(Decided(1, "NONE", 1, "why"))


def test_a_round_that_is_over_takes_nothing() -> None:
    world = opened()
    call_off_round(round_id=world.round_id, by=world.senior, at=NOON)
    with _refused("over", 409):
        call_off_round(round_id=world.round_id, by=world.senior, at=NOON)
    phase = round_document(world.round_id).phases[0].id
    with _refused("over", 409):
        row = RatedRow(1, phase, passing(world, phase))
        rate_row(round_id=world.round_id, row=row, key=uuid4(), by=world.raters[0], at=NOON)
    with _refused("over", 409):
        close_round(round_id=world.round_id, report_id=uuid4(), seed="1", by=world.senior, at=NOON)


@pytest.mark.parametrize(
    "statement",
    [
        "update review_calibrationrating set value = '{}'",
        "delete from review_calibrationrating",
        "update review_calibrationdecision set why = 'other'",
        "update review_calibrationcall set position = 9",
        "update review_calibrationrater set name = 'other'",
        "update review_calibrationround set source = ''",
        "update review_calibrationround set state = 'RATING', over_at = null, figures = null",
        "delete from review_calibrationround",
    ],
)
def test_the_application_cannot_change_what_was_said(statement: str) -> None:
    closed(decided(rated()))
    with (
        pytest.raises(DatabaseError),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def test_the_call_itself_stays_as_it_was() -> None:
    world = opened()
    before = Call.objects.filter(pk__in=world.calls).values_list("pk", "revision", "state")
    seen = list(before)
    rate_all(world, world.raters[0])
    assert list(before.all()) == seen


def test_a_rating_without_items_is_plain_json() -> None:
    said = Rating(None, NEVER, NEVER, Verdict.UNKNOWN)
    assert said.as_row("PID", "1").evidence == ()
