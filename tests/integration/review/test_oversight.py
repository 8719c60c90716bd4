"""What compliance pages count and list, from calls that were signed as people sign them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions.call_line import sample_key
from review.actions.opening import open_for_review
from review.actions.reopening import ask_to_reopen, reopen_call
from review.core.compliance.periods import Step
from review.core.compliance.samples import Selection
from review.core.decisions import Ask, Kind, VerdictValue
from review.core.queue import QueueClass, is_sampled
from review.core.rows import Verdict
from review.models import Call, PhaseRow, SignedLine
from review.queries.access_log import AccessAsked, all_access, list_access
from review.queries.failures import count_by_selection, count_drawn_open, count_failures
from review.queries.open_flags import list_open_flags
from review.queries.overturned import list_ended, list_overturned
from review.queries.signed_calls import (
    SignedNarrowing,
    all_signed,
    list_signed,
    narrow_signed,
)
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
)
from tests.signed import sign_stored
from tests.signers import act, confirm

pytestmark = pytest.mark.django_db

TOMORROW = datetime.combine(datetime.now(UTC).date() + timedelta(days=1), time(12), UTC)


@pytest.fixture
def north() -> Site:
    """Return a site whose calls the catalog of Case B judges."""
    publish(catalog_source("benefits_verification"))
    return make_site("north")


def own(*sites: Site) -> frozenset[UUID]:
    return frozenset(site.pk for site in sites)


def signed_case_b(site: Site) -> UUID:
    call_id = prefilled(case("case_b_call"), site)
    sign_stored(call_id, make_person(Role.SENIOR_REVIEWER, site=site))
    return call_id


def test_a_signature_keeps_what_was_judged_and_how_the_call_was_selected(north: Site) -> None:
    call_id = signed_case_b(north)
    line = SignedLine.objects.get()
    assert (line.call_id, line.site_id, line.call_success) == (call_id, north.pk, "FAIL")
    assert "PID>CSV" in line.failed
    assert set(line.failed) < set(line.judged)
    # Every call of this catalog has safety-critical rows.
    drawn = is_sampled(call_id, sample_key())
    assert line.selection == ("RANDOM" if drawn else "RISK")
    assert line.day == Call.objects.get().call_date


def test_the_list_and_its_counts_are_of_the_same_calls(north: Site) -> None:
    signed_case_b(north)
    south = make_site("south")
    found = list_signed(own(north), SignedNarrowing(), limit=50)
    assert [one.external_id for one in found.lines] == [case("case_b_call").id]
    assert found.count() == found.count(verdict="fail", site="north") == 1
    assert found.count(verdict="pass") == 0
    assert dict(found.edges)["PID>CSV"] == 1
    assert list_signed(own(south), SignedNarrowing(), limit=50).lines == ()


@pytest.mark.parametrize(
    ("asked", "number"),
    [
        ({"verdict": "fail"}, 1),
        ({"verdict": "pass"}, 0),
        ({"edge": "PID>CSV"}, 1),
        ({"edge": "CSV>DFV"}, 0),
        ({"catalog": "benefits-verification"}, 1),
        ({"catalog": "other"}, 0),
        ({"version": "0"}, 0),
        ({"first": "1990-01-01", "last": "2099-01-01"}, 1),
        ({"first": "2099-01-01"}, 0),
        ({"last": "1990-01-01"}, 0),
        ({"reviewer": "00000000-0000-0000-0000-000000000000"}, 0),
        ({"sample": "other"}, 0),
    ],
)
def test_every_filter(north: Site, asked: dict[str, str], number: int) -> None:
    signed_case_b(north)
    narrowing = SignedNarrowing(**asked)
    assert len(list_signed(own(north), narrowing, limit=50).lines) == number
    assert len(list(all_signed(own(north), narrowing))) == number


def test_pages_lead_there_and_back(north: Site) -> None:
    signed_case_b(north)
    by = make_person(Role.SENIOR_REVIEWER, site=north)
    publish(catalog_source("micro"))
    for number in range(4):
        sign_stored(prefilled(read(raw_micro(id=f"m{number}")), north), by)
    whole = [one.call_id for one in all_signed(own(north), SignedNarrowing())]
    first = list_signed(own(north), SignedNarrowing(), limit=2)
    second = list_signed(own(north), SignedNarrowing(), limit=2, place=first.older)
    third = list_signed(own(north), SignedNarrowing(), limit=2, place=second.older)
    back = list_signed(own(north), SignedNarrowing(), limit=2, place=third.newer)
    pages = [[one.call_id for one in page.lines] for page in (first, second, third, back)]
    assert pages == [whole[:2], whole[2:4], whole[4:], whole[2:4]]
    assert (first.newer, third.older) == (None, None)


def test_failures_are_counted_by_selection_and_never_together(north: Site) -> None:
    signed_case_b(north)
    lines = narrow_signed(own(north), SignedNarrowing())
    line = lines.get()
    SignedLine.objects.update(selection="RANDOM")
    [edge] = [one for one in count_failures(lines, Step.MONTH) if one.name == "PID>CSV"]
    assert (edge.tally.selection, edge.tally.failed, edge.tally.judged) == (Selection.RANDOM, 1, 1)
    assert edge.first == line.day.replace(day=1)
    names = {one.name for one in count_failures(lines, Step.WEEK)}
    assert names == set(line.judged)
    SignedLine.objects.update(selection="OTHER")
    assert count_failures(lines, Step.MONTH) == ()
    assert count_by_selection(lines)[Selection.OTHER] == 1


def test_drawn_calls_that_are_not_signed_are_counted(
    north: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefilled(case("case_b_call"), north)
    key = next(bytes([n]) for n in range(256) if is_sampled(Call.objects.get().pk, bytes([n])))
    assert count_drawn_open(own(north), SignedNarrowing(), key) == 1
    assert count_drawn_open(own(north), SignedNarrowing(last="1990-01-01"), key) == 0


def test_a_signature_that_ended_is_counted_no_more_and_told_under_overturned(north: Site) -> None:
    call_id = signed_case_b(north)
    asker, senior = (make_person(Role.SENIOR_REVIEWER, site=north) for _ in "12")
    ask_to_reopen(call_id=call_id, reason="why", by=asker, at=NOON)
    reopen_call(call_id=call_id, reason="why", by=senior, at=NOON + timedelta(minutes=1))
    # It stands until something is changed.
    [line] = list_signed(own(north), SignedNarrowing(), limit=50).lines
    assert line.state == "REOPENED"
    row = PhaseRow.objects.get(call=call_id, phase="CSV")
    turned = VerdictValue(Verdict.FAIL)
    ask = Ask(Kind.SET_VERDICT, "CSV", value=turned, reason="not said")
    act(call_id, ask, senior, at=NOON + timedelta(minutes=2))
    assert row.verdict == "PASS"
    assert list_signed(own(north), SignedNarrowing(), limit=50).lines == ()
    ended, more = list_ended(own(north), limit=50)
    assert [one.what for one in ended] == ["VOID_CHANGED", "REOPENED", "ASKED"]
    assert not more
    [decided], _ = list_overturned(own(north), limit=50)
    assert (decided.phase, decided.proposed, decided.decided) == ("CSV", "pass", "fail")
    assert (decided.has_reason, decided.taken_back) == (True, False)
    assert list_ended(own(make_site("south")), limit=50) == ([], False)
    assert list_overturned(own(make_site("south")), limit=50) == ([], False)


def test_flags_wait_by_class_until_they_are_decided(north: Site) -> None:
    call_id = prefilled(case("case_b_call"), north)
    later = NOON + timedelta(hours=30)
    found = list_open_flags(own(north), at=later, limit=50)
    kinds = {line.phase: line.kind for line in found.lines}
    assert kinds["CSV"] is QueueClass.ORDER
    assert found.lines[0].kind is QueueClass.ORDER
    ages = {one.kind: one for one in found.ages}
    # One day is allowed for order, two for safety-critical rows.
    assert ages[QueueClass.ORDER].late == ages[QueueClass.ORDER].number > 0
    assert ages[QueueClass.CRITICAL].late == 0
    assert ages[QueueClass.ORDER].oldest == ages[QueueClass.ORDER].median == NOON
    late = list_open_flags(own(north), at=later, limit=50, late=True)
    assert {line.kind for line in late.lines} == {QueueClass.ORDER}
    by = make_person(Role.SENIOR_REVIEWER, site=north)
    open_for_review(call_id=call_id, by=by, at=NOON)
    confirm(call_id, "CSV", by)
    now = list_open_flags(own(north), at=later, limit=50)
    assert "CSV" not in {line.phase for line in now.lines}
    assert list_open_flags(own(make_site("south")), at=later, limit=50).lines == ()


def test_pages_of_flags_lead_there_and_back(north: Site) -> None:
    prefilled(case("case_b_call"), north)
    whole = [one.phase for one in list_open_flags(own(north), at=NOON, limit=50).lines]
    first = list_open_flags(own(north), at=NOON, limit=1)
    second = list_open_flags(own(north), at=NOON, limit=1, place=first.older)
    back = list_open_flags(own(north), at=NOON, limit=1, place=second.newer)
    pages = [[one.phase for one in page.lines] for page in (first, second, back)]
    assert pages == [whole[:1], whole[1:2], whole[:1]]
    assert len(whole) > 1


@pytest.fixture
def opened(north: Site) -> tuple[UUID, User, User]:
    """Have a call opened by two people on three days from tomorrow: its chain is of today."""
    call_id = prefilled(case("case_b_call"), north)
    first, second = make_person(Role.REVIEWER, site=north), make_person(Role.AUDITOR, site=north)
    open_for_review(call_id=call_id, by=first, at=TOMORROW)
    open_for_review(call_id=call_id, by=second, at=TOMORROW + timedelta(days=1))
    open_for_review(call_id=call_id, by=first, at=TOMORROW + timedelta(days=2))
    return call_id, first, second


def test_who_opened_which_call_when(opened: tuple[UUID, User, User], north: Site) -> None:
    call_id, first, second = opened
    found = list_access(own(north), AccessAsked(), limit=50).lines
    assert [(one.opening.by, one.opening.role) for one in found] == [
        (str(first.pk), "reviewer"),
        (str(second.pk), "auditor"),
        (str(first.pk), "reviewer"),
    ]
    assert {one.opening.call_id for one in found} == {call_id}
    assert [one.opening.at for one in found] == [TOMORROW + timedelta(days=n) for n in (2, 1, 0)]
    assert [one.opening for one in all_access(own(north), AccessAsked())] == [
        one.opening for one in found
    ]


def test_filters_of_the_access_log(opened: tuple[UUID, User, User], north: Site) -> None:
    call_id, first, second = opened
    south = make_site("south")
    table = [
        (AccessAsked(by=second.pk), 1),
        (AccessAsked(by=first.pk, first=TOMORROW.date(), last=TOMORROW.date()), 1),
        (AccessAsked(first=TOMORROW.date() + timedelta(days=1)), 2),
        (AccessAsked(last=TOMORROW.date()), 1),
        (AccessAsked(call_id=call_id), 3),
        (AccessAsked(call_id=UUID(int=1)), 0),
        (AccessAsked(site=north.pk), 3),
        (AccessAsked(site=south.pk), 0),
        (AccessAsked(first=date(2099, 1, 1)), 0),
    ]
    for asked, number in table:
        assert len(list_access(own(north), asked, limit=50).lines) == number, asked
    assert list_access(own(south), AccessAsked(), limit=50).lines == ()


def test_pages_of_the_access_log(opened: tuple[UUID, User, User], north: Site) -> None:
    whole = [one.opening.at for one in all_access(own(north), AccessAsked())]
    first = list_access(own(north), AccessAsked(), limit=2)
    second = list_access(own(north), AccessAsked(), limit=2, place=first.older)
    back = list_access(own(north), AccessAsked(), limit=2, place=second.newer)
    pages = [[one.opening.at for one in page.lines] for page in (first, second, back)]
    assert pages == [whole[:2], whole[2:], whole[:2]]


@pytest.mark.parametrize(
    ("asked", "index"),
    [
        (AccessAsked(), "entry_openings on entry"),
        # Of two that serve, the planner takes either while the table is small.
        (AccessAsked(by=UUID(int=1)), "entry_openings"),
    ],
)
def test_the_access_log_goes_by_its_index(
    opened: tuple[UUID, User, User], north: Site, asked: AccessAsked, index: str
) -> None:
    with CaptureQueriesContext(connection) as statements:
        list_access(own(north), asked, limit=50)
    [statement] = [one["sql"] for one in statements if "audit.entry" in one["sql"]]
    with connection.cursor() as cursor:
        # So few rows are read faster without an index; what is asked is whether it may serve.
        cursor.execute("set local enable_sort = off; set local enable_seqscan = off")
        cursor.execute(f"explain {statement}")
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert f"using {index}" in plan, plan
    assert "Sort" not in plan, plan
