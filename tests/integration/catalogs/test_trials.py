"""Trials: what publishing on trial, changing it, letting it decide and ending it do and refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta
from uuid import UUID

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from catalogs.actions.trials import change_trial, end_trial, let_decide
from catalogs.actions.version_rows import UnableToMove
from catalogs.actions.versions import publish_version, retire_version
from catalogs.core.document.trials import Trial, TrialMode
from catalogs.models import CatalogVersion, VersionState, VersionTrial
from catalogs.permissions import NotAllowed
from catalogs.queries import published_versions
from oipsce_site.ledger.queries import entries_of, verify
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.queries.draws import draw_of
from tests.factories import NOON, catalog_source, in_review, make_person, publish

pytestmark = pytest.mark.django_db

FIRST = date(2026, 6, 1)
IN_SHADOW = Trial(TrialMode.SHADOW, 0, FIRST)
CANARY = Trial(TrialMode.CANARY, 10, FIRST)
LATER = NOON + timedelta(hours=1)


def second(number: str = "2.1.0") -> bytes:
    """Return the micro catalog under another number, in force from June."""
    return catalog_source(
        "micro", ("version: 2.0.0", f"version: {number}"), ("from: 2026-01-01", f"from: {FIRST}")
    )


@pytest.fixture
def author() -> User:
    return make_person(Role.CATALOG_AUTHOR)


@pytest.fixture
def approver() -> User:
    return make_person(Role.CATALOG_APPROVER)


@pytest.fixture
def first(author: User, approver: User) -> UUID:
    return publish(catalog_source("micro"), author, approver)


def on_trial(author: User, approver: User, trial: Trial = IN_SHADOW, number: str = "2.1.0") -> UUID:
    """Publish the second version on trial."""
    version_id = in_review(second(number), author, approver)
    publish_version(version_id=version_id, by=approver, at=NOON, trial=trial)
    return version_id


def judging(day: date, call: int = 0) -> str | None:
    """Return the number of the version that judges a call of a day."""
    draw = draw_of(UUID(int=call))
    found = published_versions().choose({"type": "member_benefits"}, day, site="north", draw=draw)
    return found.document.version if found.document else None


def kinds(version_id: UUID) -> list[str]:
    """Return the kinds of the last entries on the chain of a version's catalog."""
    chain = CatalogVersion.objects.get(pk=version_id).catalog_id
    assert verify(chain) == []
    return [json.loads(entry.body)["type"] for entry in entries_of(chain)]


def check_deferred() -> None:
    """Let the triggers speak that wait for the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("set constraints all immediate")
        cursor.execute("set constraints all deferred")


def test_in_shadow_the_version_before_goes_on(first: UUID, author: User, approver: User) -> None:
    tried = on_trial(author, approver)
    assert judging(date(2026, 7, 1)) == "2.0.0"
    assert CatalogVersion.objects.get(pk=first).effective_to is None
    version = CatalogVersion.objects.get(pk=tried)
    assert (version.state, version.effective_from) == (VersionState.PUBLISHED, FIRST)
    assert kinds(tried)[-2:] == ["version.publish", "trial.begin"]


def test_a_canary_judges_its_share_of_calls(first: UUID, author: User, approver: User) -> None:
    on_trial(author, approver, CANARY)
    chosen = [judging(date(2026, 7, 1), number) for number in range(500)]
    assert 20 < chosen.count("2.1.0") < 80
    assert chosen.count("2.0.0") == 500 - chosen.count("2.1.0")
    assert chosen == [judging(date(2026, 7, 1), number) for number in range(500)]
    assert {judging(date(2026, 5, 31), number) for number in range(100)} == {"2.0.0"}


def test_let_to_decide_it_judges_from_the_day_chosen(
    first: UUID, author: User, approver: User
) -> None:
    tried = on_trial(author, approver)
    let_decide(version_id=tried, first_day=date(2026, 7, 1), by=approver, at=LATER)
    check_deferred()
    assert (judging(date(2026, 6, 30)), judging(date(2026, 7, 1))) == ("2.0.0", "2.1.0")
    assert CatalogVersion.objects.get(pk=first).effective_to == date(2026, 6, 30)
    assert kinds(tried)[-1] == "trial.decide"


def test_ended_it_is_retired_and_the_version_before_is_alone(
    first: UUID, author: User, approver: User
) -> None:
    tried = on_trial(author, approver, CANARY)
    end_trial(version_id=tried, by=approver, at=LATER)
    check_deferred()
    assert {judging(date(2026, 7, 1), number) for number in range(200)} == {"2.0.0"}
    assert CatalogVersion.objects.get(pk=tried).state == VersionState.RETIRED
    assert kinds(tried)[-1] == "trial.end"


def test_out_of_the_shadow_it_is_tried_for_a_share(
    first: UUID, author: User, approver: User
) -> None:
    tried = on_trial(author, approver)
    change_trial(version_id=tried, trial=CANARY, by=approver, at=LATER)
    check_deferred()
    trials = VersionTrial.objects.filter(version=tried).order_by("begun_at")
    assert list(trials.values_list("mode", "end")) == [("SHADOW", "CHANGED"), ("CANARY", "")]
    assert "2.1.0" in {judging(date(2026, 7, 1), number) for number in range(200)}


def test_another_version_may_be_published_meanwhile(
    first: UUID, author: User, approver: User
) -> None:
    tried = on_trial(author, approver)
    other = publish(second("2.2.0"), author, approver)
    assert judging(date(2026, 7, 1)) == "2.2.0"
    with pytest.raises(UnableToMove, match=r"Version 2\.2\.0 is in force"):
        let_decide(version_id=tried, first_day=FIRST, by=approver, at=LATER)
    let_decide(version_id=tried, first_day=date(2026, 8, 1), by=approver, at=LATER)
    assert CatalogVersion.objects.get(pk=other).effective_to == date(2026, 7, 31)


Act = Callable[[UUID, User, User], None]


def _two(_: UUID, author: User, approver: User) -> None:
    on_trial(author, approver, IN_SHADOW, "2.2.0")


def _retire(tried: UUID, _: User, approver: User) -> None:
    retire_version(version_id=tried, last_day=date(2026, 8, 1), by=approver, at=LATER)


def _too_early(tried: UUID, _: User, approver: User) -> None:
    let_decide(version_id=tried, first_day=date(2026, 5, 1), by=approver, at=LATER)


def _again(tried: UUID, _: User, approver: User) -> None:
    change_trial(version_id=tried, trial=IN_SHADOW, by=approver, at=LATER)


def _no_share(tried: UUID, _: User, approver: User) -> None:
    trial = CANARY._replace(share=100)
    change_trial(version_id=tried, trial=trial, by=approver, at=LATER)


def _by_author(tried: UUID, author: User, _: User) -> None:
    let_decide(version_id=tried, first_day=FIRST, by=author, at=LATER)


def _end_by_author(tried: UUID, author: User, _: User) -> None:
    end_trial(version_id=tried, by=author, at=LATER)


def _ended(tried: UUID, _: User, approver: User) -> None:
    end_trial(version_id=tried, by=approver, at=LATER)
    let_decide(version_id=tried, first_day=FIRST, by=approver, at=LATER)


@pytest.mark.parametrize(
    ("act", "refusal", "sentence"),
    [
        (_two, UnableToMove, "one version of a catalog is at a time"),
        (_retire, UnableToMove, "end the trial, and it is retired"),
        (_too_early, UnableToMove, "cannot decide before"),
        (_again, UnableToMove, "tried like that already"),
        (_no_share, UnableToMove, "from 1 to 99 percent"),
        (_by_author, NotAllowed, "catalog approvers"),
        (_end_by_author, NotAllowed, "catalog approvers"),
        (_ended, UnableToMove, "not on trial by now"),
    ],
)
def test_refusals_say_why(
    act: Act,
    refusal: type[Exception],
    sentence: str,
    first: UUID,
    author: User,
    approver: User,
) -> None:
    tried = on_trial(author, approver)
    with pytest.raises(refusal, match=sentence):
        act(tried, author, approver)


def test_who_wrote_it_does_not_let_it_decide(first: UUID, approver: User) -> None:
    both = make_person(Role.CATALOG_AUTHOR, Role.CATALOG_APPROVER)
    tried = on_trial(both, approver)
    with pytest.raises(UnableToMove, match="second person"):
        let_decide(version_id=tried, first_day=FIRST, by=both, at=LATER)


def test_a_version_alone_is_not_tried(author: User, approver: User) -> None:
    with pytest.raises(UnableToMove, match="nothing would decide beside it"):
        on_trial(author, approver)


REFUSED = [
    "update catalogs_versiontrial set share = 20, mode = 'CANARY'",
    "update catalogs_versiontrial set version_id = version_id, begun_at = now()",
    "delete from catalogs_versiontrial",
    "update catalogs_catalogversion set effective_from = '2020-01-01'",
    "update catalogs_catalogversion set source = 'x'",
]


@pytest.mark.parametrize("statement", REFUSED)
def test_the_application_cannot_change_what_a_trial_is_of(
    statement: str, first: UUID, author: User, approver: User
) -> None:
    on_trial(author, approver)
    refused = pytest.raises(DatabaseError, match=r"does not change|never deleted")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_a_trial_does_not_end_by_sql_alone(first: UUID, author: User, approver: User) -> None:
    on_trial(author, approver)
    statement = (
        "update catalogs_versiontrial set \"end\" = 'RETIRED', ended_at = now(), ended_by_id = %s"
    )
    refused = pytest.raises(DatabaseError, match="ends as its version says")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, [approver.pk])
        cursor.execute("set constraints all immediate")


def test_what_decides_is_not_put_on_trial_by_sql(first: UUID, approver: User) -> None:
    version = CatalogVersion.objects.get(pk=first)
    with pytest.raises(DatabaseError, match="when its version is published"), transaction.atomic():
        VersionTrial.objects.create(
            id=UUID(int=1),
            catalog_id=version.catalog_id,
            version=version,
            mode="SHADOW",
            share=0,
            first_day=FIRST,
            begun_by=approver,
            begun_at=NOON,
        )


def test_a_trial_costs_no_further_query(first: UUID, author: User, approver: User) -> None:
    on_trial(author, approver)
    published_versions()
    with CaptureQueriesContext(
        connection,
    ) as asked:
        published_versions()
    assert len(asked) == 1
