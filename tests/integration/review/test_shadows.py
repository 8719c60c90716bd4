"""A version in shadow reads the calls that come in and touches none; a canary judges its share."""

from __future__ import annotations

from datetime import date
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from catalogs.actions.trials import end_trial, let_decide
from catalogs.models import VersionTrial
from oipsce_site.ledger.queries import entries_of
from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.actions import shadows
from review.actions.acting import importing_actor
from review.actions.intake import Offer, import_calls
from review.actions.shadows import (
    LEASE,
    MOST_ATTEMPTS,
    claim_shadows,
    compare_shadows,
    store_shadows,
)
from review.models import Call, PhaseRow, ShadowLine, ShadowRun, ShadowState, State
from review.queries.shadows import count_shadow
from review.tasks import prefill_waiting, shadow_waiting
from tests.factories import (
    NOON,
    case,
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
    take,
)
from tests.integration.review.retention_acts import erase
from tests.integration.review.test_what_ifs import LONGER
from tests.signed import sign_stored
from tests.trials import IN_SHADOW, canary, loose, publish_on_trial

pytestmark = pytest.mark.django_db


def longer() -> bytes:
    """Return the micro catalog with a phase more, which has no row so far."""
    two = (
        (b"I am an AI.']", b"I am an AI.', 'Agent: Yes, I am an AI.']"),
        (b"'Agent: Hello.'", b"'Agent: Hello.', 'Agent: Hi.'"),
    )
    source = LONGER
    for before, after in two:
        source = source.replace(before, after)
    return source


@pytest.fixture
def north() -> Site:
    return make_site("north")


@pytest.fixture
def tried(north: Site) -> UUID:
    """Publish a version in shadow of the micro catalog, which fails its case no more."""
    publish(catalog_source("micro"))
    return publish_on_trial(loose(), IN_SHADOW)


def version_of(call_id: UUID) -> str:
    """Return the number of the version that judges a call."""
    version = Call.objects.select_related("catalog_version").get(pk=call_id).catalog_version
    assert version is not None
    return version.version


def test_a_call_is_judged_by_the_version_before_and_the_shadow_says_what_differs(
    north: Site, tried: UUID
) -> None:
    call_id = prefilled(case(), north)
    stored = Call.objects.get(pk=call_id)
    rows = list(PhaseRow.objects.filter(call=call_id).values())
    before = (stored.state, stored.call_success, stored.flags, len(list(entries_of(call_id))))
    assert shadow_waiting() == 1
    stored.refresh_from_db()
    assert version_of(call_id) == "2.0.0"
    assert before == (
        stored.state,
        stored.call_success,
        stored.flags,
        len(list(entries_of(call_id))),
    )
    assert rows == list(PhaseRow.objects.filter(call=call_id).values())
    [line] = ShadowLine.objects.all()
    assert (line.call_id, line.change, line.before, line.after) == (
        *(call_id, "FAIL_TO_PASS"),
        *("FAIL", "PASS"),
    )
    counts = count_shadow(tried, None)
    assert (counts.calls, counts.changes) == (1, {"FAIL_TO_PASS": (1, 0)})
    assert shadow_waiting() == 0


def test_what_is_signed_later_counts_as_signed(north: Site, tried: UUID) -> None:
    call_id = prefilled(case(), north)
    shadow_waiting()
    sign_stored(call_id, make_person(Role.SENIOR_REVIEWER, site=north))
    assert count_shadow(tried, None).changes == {"FAIL_TO_PASS": (1, 1)}
    assert count_shadow(tried, frozenset({make_site("south").pk})).calls == 0


def test_let_to_decide_the_next_call_is_judged_by_it(north: Site, tried: UUID) -> None:
    approver = make_person(Role.CATALOG_APPROVER)
    first = prefilled(case(), north)
    let_decide(version_id=tried, first_day=date(2026, 3, 1), by=approver, at=NOON)
    second = prefilled(read(raw_micro(id="second")), north)
    about = {**raw_micro()["call"], "date": "2026-02-28"}
    older = prefilled(read(raw_micro(id="older", call=about)), north)
    assert [version_of(one) for one in (first, second, older)] == ["2.0.0", "3.0.0", "2.0.0"]
    assert ShadowRun.objects.count() == 1


def test_ended_no_further_call_is_left_to_it(north: Site, tried: UUID) -> None:
    end_trial(version_id=tried, by=make_person(Role.CATALOG_APPROVER), at=NOON)
    assert version_of(prefilled(case(), north)) == "2.0.0"
    assert not ShadowRun.objects.exists()


def test_a_shadow_that_fails_fails_no_pre_fill(
    north: Site, tried: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("words of a call")

    monkeypatch.setattr(shadows, "read_calls_again", fail)
    calls = [prefilled(read(raw_micro(id=name)), north) for name in ("a", "b")]
    assert shadow_waiting() >= MOST_ATTEMPTS
    assert set(ShadowRun.objects.values_list("state", "failure")) == {("FAILED", "RuntimeError")}
    assert {Call.objects.get(pk=one).state for one in calls} == {State.AWAITING_REVIEW}
    assert (count_shadow(tried, None).failed, ShadowLine.objects.count()) == (2, 0)


def test_a_killed_worker_loses_nothing_and_doubles_nothing(north: Site, tried: UUID) -> None:
    prefilled(case(), north)
    [lost] = claim_shadows(most=25, at=NOON)
    assert claim_shadows(most=25, at=NOON) == []
    found = compare_shadows([lost])
    [again] = claim_shadows(most=25, at=NOON + 2 * LEASE)
    assert again.attempt == 2
    store_shadows(compared=found, at=NOON)
    assert not ShadowLine.objects.exists()
    store_shadows(compared=compare_shadows([again]), at=NOON)
    store_shadows(compared=compare_shadows([again]), at=NOON)
    assert ShadowLine.objects.count() == 1
    assert ShadowRun.objects.get().state == ShadowState.DONE


def test_after_its_last_attempt_was_lost_a_call_is_given_up(north: Site, tried: UUID) -> None:
    prefilled(case(), north)
    for attempt in range(MOST_ATTEMPTS):
        assert claim_shadows(most=25, at=NOON + 2 * attempt * LEASE)
    assert claim_shadows(most=25, at=NOON + 2 * MOST_ATTEMPTS * LEASE) == []
    assert ShadowRun.objects.get().state == ShadowState.FAILED


def test_an_erased_call_loses_what_its_shadow_said(north: Site) -> None:
    publish(catalog_source("micro"))
    publish_on_trial(longer(), IN_SHADOW)
    call_id, waiting = prefilled(case(), north), prefilled(read(raw_micro(id="second")), north)
    [first, second] = claim_shadows(most=25, at=NOON)
    store_shadows(compared=compare_shadows([first]), at=NOON)
    assert "AID" in str(ShadowLine.objects.get().rows)
    found = compare_shadows([second])
    for one in (call_id, waiting):
        erase(one)
    [line] = ShadowLine.objects.all()
    assert (line.rows, line.edges, line.annotate, line.lost) == ([], [], [], [])
    store_shadows(compared=found, at=NOON)
    assert not ShadowLine.objects.filter(call=waiting).exists()
    assert ShadowRun.objects.get(call=waiting).state == ShadowState.UNREAD


@pytest.mark.parametrize(
    "statement",
    [
        "update review_shadowline set rows = '[]', edges = '[]', annotate = '[]', lost = '[]'",
        "update review_shadowline set change = 'SAME'",
        "delete from review_shadowline",
    ],
)
def test_what_a_shadow_said_stands(statement: str, north: Site, tried: UUID) -> None:
    prefilled(case(), north)
    shadow_waiting()
    refused = pytest.raises(DatabaseError, match="append-only")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_without_trials_a_pre_fill_asks_for_them_once_for_all_calls(north: Site) -> None:
    publish(catalog_source("micro"))
    for number in range(30):
        take(read(raw_micro(id=f"call {number}")), north)
    with CaptureQueriesContext(connection) as asked:
        assert prefill_waiting() == 30
    about_trials = [one for one in asked.captured_queries if "versiontrial" in str(one["sql"])]
    assert len(about_trials) == 1
    assert not [one for one in asked.captured_queries if "shadow" in str(one["sql"])]


def test_a_canary_judges_its_share_of_the_calls_that_come_in(north: Site) -> None:
    publish(catalog_source("micro"))
    tried = publish_on_trial(loose(), canary(20))
    offers = [
        Offer(UUID(int=number), uuid4(), read(raw_micro(id=f"call {number}")))
        for number in range(200)
    ]
    for first in range(0, 200, 50):
        import_calls(
            site=north,
            offers=offers[first : first + 50],
            actor=importing_actor(None, north),
            received_by=None,
            at=NOON,
        )
    judged = Call.objects.filter(catalog_version=tried)
    # 200 draws at one in five: within 4 deviations of 40.
    assert 17 < judged.count() < 63
    while prefill_waiting():
        pass
    one, other = judged.first(), Call.objects.exclude(catalog_version=tried).first()
    assert one is not None
    assert other is not None
    assert (one.call_success, other.call_success) == ("PASS", "FAIL")
    assert not ShadowRun.objects.exists()
    assert VersionTrial.objects.get().mode == "CANARY"
