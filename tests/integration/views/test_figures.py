"""Figures of review: who sees which, and that they are what the decisions add up to."""

from __future__ import annotations

import csv
import html
import io
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from statistics import median
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from catalogs.models import CatalogVersion
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions.decisions import decide
from review.actions.undoing import undo_last
from review.core.decisions import Ask, Attention, Kind, PointValue, Value
from review.models import Call, Decision, PhaseRow, ProposedRow
from review.queries.figures import Span, rows_settled, rows_unseen, time_spent
from tests.bulk import fill_calls, fill_decisions
from tests.factories import (
    case,
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def north() -> Site:
    publish(catalog_source("benefits_verification"))
    return make_site("north")


@pytest.fixture
def call_id(north: Site) -> UUID:
    return prefilled(case("case_b_call"), north)


def person(name: str, role: Role, site: Site) -> User:
    found = make_person(role, site=site)
    User.objects.filter(pk=found.pk).update(printed_name=name)
    return found


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def take(
    call_id: UUID,
    by: User,
    phase: str,
    kind: Kind = Kind.CONFIRM,
    value: Value = None,
    *,
    spent: int | None = None,
    seen: bool | None = None,
    at: datetime | None = None,
) -> None:
    """Have a person decide a row as it is now."""
    row = PhaseRow.objects.get(call=call_id, phase=phase)
    reason = "why" if kind is not Kind.CONFIRM else ""
    asked = Ask(kind, phase, None, None, value, reason, Attention(seen, spent))
    decide(
        call_id=call_id,
        decision=asked,
        expected_revision=row.revision,
        key=uuid4(),
        by=by,
        at=at or timezone.now(),
    )


def page_of(client: Client, asked: str = "") -> str:
    answer = client.get(reverse("review:figures") + asked)
    assert answer.status_code == 200
    return " ".join(html.unescape(answer.content.decode()).split())


def table_of(client: Client, asked: str = "") -> dict[tuple[str, str], list[str]]:
    """Return the lines of the CSV by table and name."""
    answer = client.get(reverse("review:figures_csv") + asked)
    assert answer.status_code == 200
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    return {(row[0], row[1]): row[2:] for row in rows[1:]}


@pytest.fixture
def work(call_id: UUID, north: Site) -> tuple[User, User]:
    """Have Ann and Ben decide rows of Case B: 7 decisions, 5 rows, 76 seconds."""
    ann, ben = person("Ann", Role.REVIEWER, north), person("Ben", Role.SENIOR_REVIEWER, north)
    take(call_id, ann, "PID", spent=10_000, seen=False)
    take(call_id, ann, "CSV", Kind.SET_START, PointValue(60), spent=30_400, seen=True)
    take(call_id, ann, "CSV", spent=2_600, seen=True)
    take(call_id, ann, "CRN", spent=5_000, seen=False)
    Call.objects.update(held_by=None, held_until=None)
    take(call_id, ben, "CSV", spent=20_000, seen=True)
    take(call_id, ben, "CRN", spent=8_000, seen=False)
    take(call_id, ben, _other(call_id))
    return ann, ben


def _other(call_id: UUID) -> str:
    rows = PhaseRow.objects.filter(call=call_id).exclude(phase__in=("PID", "CSV", "CRN"))
    return str(rows.order_by("position").values_list("phase", flat=True)[0])


def test_times_are_the_sums_by_call_row_and_person(work: tuple[User, User]) -> None:
    _, ben = work
    table = table_of(client_of(ben))
    assert table["Time per call", "all"][0] == "1 min 16 s"
    [version] = [one for what, one in table if what == "Time per call" and one != "all"]
    assert version.startswith("benefits")
    assert table["Time per call", version][::2] == ["1 min 16 s", "1"]
    assert table["Time per row", "PID"] == ["10 s", "fewer than 6: no interval", "1"]
    assert table["Time per row", "CSV"][0] == "53 s"
    assert table["Time per row", "CRN"][0] == "13 s"
    assert table["Time per row", "all"][::2] == ["13 s", "3"]
    assert table["Time per call, by reviewer", "Ann"][0] == "48 s"
    assert table["Time per call, by reviewer", "Ben"][0] == "28 s"
    assert "1 of 7 decisions came without a time" in page_of(client_of(ben))


def test_shares_say_what_stands_as_proposed(work: tuple[User, User]) -> None:
    table = table_of(client_of(work[1]))
    title = "Pre-fill that stands, by phase"
    assert table[title, "PID"][::2] == ["100 % (1)", "1"]
    assert table[title, "CSV"][::2] == ["0 % (0)", "1"]
    assert table[title, "all"][::2] == ["75 % (3)", "4"]
    assert table[title, "all"][1] == "30.1 % to 95.4 %"
    kinds = {name: one[2] for (what, name), one in table.items() if "gave the start" in what}
    assert kinds["all"] == "4"
    assert sum(int(n) for name, n in kinds.items() if name != "all") == 4


def test_critical_rows_out_of_view_are_listed_as_the_call_page_marks_them(
    work: tuple[User, User], call_id: UUID
) -> None:
    ann, ben = work
    client = client_of(ben)
    critical = set(
        PhaseRow.objects.filter(flags__contains=["SAFETY_CRITICAL"]).values_list("phase", flat=True)
    )
    assert "PID" in critical
    shown = page_of(client)
    listed = {phase for phase in ("PID", "CSV", "CRN") if f"?row={phase}#row-{phase}" in shown}
    marked = client.get(reverse("review:call", args=[call_id])).content.decode()
    rows = marked.split('id="phase-row-')[1:]
    unseen = {one.split('"')[0] for one in rows if "evidence out of view" in one.split("</tr>")[0]}
    assert listed == unseen
    assert "PID" in listed
    # Confirmed again with the evidence in view, it is on neither.
    Call.objects.update(held_by=None, held_until=None)
    take(call_id, ann, "PID", spent=1_000, seen=True)
    assert f"/calls/{call_id}/?row=PID" not in page_of(client)
    undo_last(call_id=call_id, key=uuid4(), by=ann, at=timezone.now())
    assert f"/calls/{call_id}/?row=PID" in page_of(client)


SEES = [
    (Role.REVIEWER, False),
    (Role.SENIOR_REVIEWER, True),
    (Role.COMPLIANCE_OFFICER, True),
    (Role.AUDITOR, True),
]


@pytest.mark.parametrize(("role", "others"), SEES)
def test_who_sees_figures_of_others(
    role: Role, others: bool, work: tuple[User, User], north: Site
) -> None:
    eve = client_of(person("Eve", role, north))
    shown = page_of(eve)
    assert ("Ann" in shown) is others
    assert ("Figures of everybody" in shown) is others
    assert ("Nobody has decided a row" in shown) is not others
    assert (b"Ann" in eve.get(reverse("review:figures_csv")).content) is others


def test_a_reviewer_sees_the_own_figures_alone(work: tuple[User, User]) -> None:
    table = table_of(client_of(work[0]))
    assert table["Time per call", "all"][0] == "48 s"
    assert not [key for key in table if key[0] == "Time per call, by reviewer"]
    assert "Ben" not in page_of(client_of(work[0]))


def test_another_site_and_an_unknown_one_are_not_there(
    work: tuple[User, User], north: Site
) -> None:
    far = client_of(person("Far", Role.AUDITOR, make_site("south")))
    assert "Nobody has decided a row" in page_of(far)
    for slug in ("north", "nowhere"):
        assert far.get(reverse("review:figures") + f"?site={slug}").status_code == 404
    assert "Ann" in page_of(client_of(work[1]), "?site=north")


def test_nonsense_in_the_address_is_not_asked_for(work: tuple[User, User]) -> None:
    client = client_of(work[1])
    for asked in ("?days=7", "?days=1000", "?days=x", "?days=365&site="):
        assert "Time per call" in page_of(client, asked)
    assert page_of(client, "?days=90").count('aria-current="true"') == 1


def test_no_cell_of_the_table_is_a_formula(call_id: UUID, north: Site) -> None:
    eve = person("=2+5", Role.SENIOR_REVIEWER, north)
    take(call_id, eve, "PID", spent=1_000, seen=False)
    answer = client_of(eve).get(reverse("review:figures_csv")).content.decode()
    cells = [cell for row in csv.reader(io.StringIO(answer)) for cell in row]
    assert "'=2+5" in cells
    assert not [cell for cell in cells if cell.lstrip()[:1] in tuple("=+-@\t\r") and cell]


def test_figures_are_what_an_independent_count_says(north: Site) -> None:
    """Random work of three people on several calls, counted again from the rows of the tables."""
    publish(catalog_source("micro"))
    people = [person(f"P{n}", Role.REVIEWER, north) for n in range(3)]
    calls = [prefilled(read(raw_micro(id=f"micro-{n}")), north) for n in range(6)]
    for number, call_id in enumerate(calls):
        by = people[number % 3]
        for place, phase in enumerate(
            PhaseRow.objects.filter(call=call_id).values_list("phase", flat=True)
        ):
            if (number + place) % 3 == 0:
                take(call_id, by, phase, Kind.SET_START, PointValue(1), spent=700 * number)
            if (number + place) % 4:
                taken_ms = None if number == 5 else 1_000 * number + 377 * place
                take(call_id, by, phase, spent=taken_ms, seen=bool(number % 2))
    now = timezone.now()
    span = Span(frozenset({north.pk}), frozenset(), None, now - timedelta(days=1), now)
    spent = time_spent(span)
    made = list(Decision.objects.all())
    assert (spent.decisions, spent.timed) == (
        len(made),
        sum(one.spent_ms is not None for one in made),
    )
    assert spent.calls == summed(made, lambda one: one.call_id)
    assert median(Counter(spent.calls).elements()) == median(
        Counter(summed(made, lambda one: one.call_id)).elements()
    )
    for phase, histogram in spent.by_phase.items():
        mine = [one for one in made if one.phase == phase]
        assert histogram == summed(mine, lambda one: one.call_id)
    expected: dict[tuple[str, bool], int] = Counter()
    for row in PhaseRow.objects.filter(standing="CONFIRMED"):
        proposed = ProposedRow.objects.get(run__call=row.call_id, phase=row.phase)
        names = ("start_state", "start_turn", "finish_state", "finish_turn", "verdict")
        same = all(getattr(row, name) == getattr(proposed, name) for name in names)
        expected[row.phase, same] += 1
    found: dict[tuple[str, bool], int] = Counter()
    for one in rows_settled(span):
        found[one.phase, one.same] += one.count
    assert found == expected


def summed(made: list[Decision], key: Any) -> dict[int, int]:
    """Return how often each sum of whole seconds comes, by a key of the decisions."""
    sums: dict[object, int] = defaultdict(int)
    for one in made:
        if one.spent_ms is not None:
            sums[key(one)] += one.spent_ms
    return dict(Counter((ms + 500) // 1000 for ms in sums.values()))


def test_over_many_calls_every_statement_goes_by_an_index() -> None:
    publish(catalog_source("micro"))
    site = make_site("north")
    by = make_person(Role.REVIEWER, site=site)
    versions = list(CatalogVersion.objects.values_list("pk", flat=True))
    name = str(connection.settings_dict["NAME"])
    fill_calls(name, 10_000, sites=[site.pk], versions=versions)
    fill_decisions(name, by=by.pk)
    last = Decision.objects.order_by("-at").values_list("at", flat=True)[0]
    span = Span(frozenset({site.pk}), frozenset(), None, last - timedelta(hours=3), last)
    with CaptureQueriesContext(connection) as asked:
        assert time_spent(span).decisions
        assert rows_settled(span)
        rows_unseen(span)
    for statement in (one["sql"] for one in asked if "review_decision" in one["sql"]):
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}")
            [plan] = cursor.fetchone() or [None]
        for node in walk((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]):
            through = node["Node Type"] == "Seq Scan" and node["Relation Name"]
            assert through not in ("review_decision", "review_phaserow", "review_proposedrow"), (
                statement
            )


def walk(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a node of a plan and everything below it."""
    yield node
    for child in node.get("Plans", ()):
        yield from walk(child)
