"""Report cards: what they count is what an independent count says; who sees which; and filters."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions.decisions import decide
from review.core.decisions import Ask, Attention, Kind, PointValue, Value
from review.models import PhaseRow, PrefillRun, ProposedRow, SignedLine
from review.queries.report_cards import (
    CardScope,
    count_cells,
    count_edges,
    count_groups,
    count_outcomes,
    count_time,
)
from tests.factories import (
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)
from tests.signed import sign_stored

pytestmark = pytest.mark.django_db(transaction=True)

NUMBER = 6
CARD = ("member-benefits-micro", "2.0.0")
#: What a call says of itself: never a formula, nor a sentence in a list of filters.
ODD = "=1+1 she said that nobody knows"


@pytest.fixture
def north() -> Site:
    """Six signed calls of today; in every second one a person moved the start of the first row, and
    in the first call nobody decided anything.
    """
    publish(catalog_source("micro"))
    north = make_site("north")
    ann = make_person(Role.SENIOR_REVIEWER, site=north)
    for number in range(NUMBER):
        sign_one(number, north, ann)
    return north


def sign_one(number: int, site: Site, by: User) -> None:
    """Have a call of today read, decided and signed."""
    raw = raw_micro(id=f"micro-{number}")
    raw["call"] |= {
        "date": timezone.localdate().isoformat(),
        "language": "es-US" if number < 2 else "en-US",
        "age_group": "65+" if number == 5 else ODD,
    }
    call_id = prefilled(read(raw), site)
    phases = PhaseRow.objects.filter(call=call_id).order_by("position")
    for place, phase in enumerate(phases.values_list("phase", flat=True)):
        if number % 2 and not place:
            take(call_id, by, phase, Kind.SET_START, PointValue(1))
        if number:
            take(call_id, by, phase)
    sign_stored(call_id, by)


def take(
    call_id: UUID, by: User, phase: str, kind: Kind = Kind.CONFIRM, value: Value = None
) -> None:
    """Have a person decide a row as it is now, in a second and a half."""
    row = PhaseRow.objects.get(call=call_id, phase=phase)
    reason = "why" if kind is not Kind.CONFIRM else ""
    decide(
        call_id=call_id,
        decision=Ask(kind, phase, None, None, value, reason, Attention(True, 1_500)),
        expected_revision=row.revision,
        key=uuid4(),
        by=by,
        at=timezone.now(),
    )


def client_of(role: Role, site: Site | None = None) -> Client:
    client = Client()
    client.force_login(make_person(role, site=site) if site else make_person(role))
    return client


def table_of(client: Client, name: str, *args: str, asked: str = "") -> dict[tuple[str, ...], Any]:
    """Return the file's figures: value, interval and n by table, thing and figure."""
    answer = client.get(reverse(name, args=args) + asked)
    assert answer.status_code == 200
    rows = list(csv.reader(io.StringIO(answer.getvalue().decode())))
    assert rows[0] == ["table", "of", "note", "figure", "value", "interval at 95 percent", "n"]
    return {(row[0], row[1], row[3]): tuple(row[4:]) for row in rows[1:]}


def test_what_is_counted_is_what_an_independent_count_says(north: Site) -> None:
    today = timezone.localdate()
    scope = CardScope(frozenset({north.pk}), None, today, today)
    expected: Counter[tuple[Any, ...]] = Counter()
    starts: Counter[tuple[Any, ...]] = Counter()
    names = ("start_state", "start_turn", "finish_state", "finish_turn", "verdict")
    for row in PhaseRow.objects.all():
        was = ProposedRow.objects.get(run__call=row.call_id, phase=row.phase)
        same = all(getattr(row, name) == getattr(was, name) for name in names)
        settled = row.standing == "CONFIRMED"
        expected[row.phase, settled, bool(was.flags), same] += 1
        then, now = was.start_turn, row.start_turn
        off = None if then is None or now is None else now - then
        starts[row.phase, was.row["start_source"] or "", off] += 1
    cells, groups = count_cells(scope), count_groups(scope)
    found: Counter[tuple[Any, ...]] = Counter()
    told: Counter[tuple[Any, ...]] = Counter()
    for one in cells:
        found[one.phase, one.settled, one.flagged, one.same] += one.number
        told[one.phase, one.start.source, one.start.turns] += one.number
    assert found == expected
    assert told == starts
    assert {one.model for one in cells} == set(PrefillRun.objects.values_list("engine", flat=True))
    assert any(not one.same for one in cells)
    assert sum(one.number for one in groups) == PhaseRow.objects.count()
    spanish = PhaseRow.objects.filter(call__language="es-US").count()
    assert sum(one.number for one in groups if one.language == "es-US") == spanish > 0
    lines = list(SignedLine.objects.all())
    outcomes = count_outcomes(scope)
    assert sum(one.number for one in outcomes) == len(lines) == NUMBER
    assert {(one.coverage, one.order_safe) for one in outcomes} == {
        (line.coverage, line.order_safe) for line in lines
    }
    judged = Counter(name for line in lines for name in line.judged if ">" in name)
    failed = Counter(name for line in lines for name in line.failed if ">" in name)
    edges = count_edges(scope)
    assert {one.edge: (one.failed, one.judged) for one in edges} == {
        name: (failed[name], n) for name, n in judged.items()
    }
    [spent] = count_time(scope).values()
    rows = PhaseRow.objects.filter(call=lines[0].call_id).count()
    assert spent.untimed == 1
    # Two calls of confirmed rows alone, three with one decision more; to the whole second.
    assert spent.seconds == {(3 * rows + 1) // 2: 2, (3 * (rows + 1) + 1) // 2: 3}
    for narrower, number in (
        ({"language": "es-US"}, 2),
        ({"age": "65+"}, 1),
        ({"first": today + timedelta(days=1), "last": today + timedelta(days=2)}, 0),
        ({"sites": frozenset({make_site("south").pk})}, 0),
        ({"most": 4}, 4),
    ):
        asked = replace(scope, **narrower)
        assert sum(one.number for one in count_outcomes(asked)) == number, narrower
        assert bool(count_cells(asked)) is bool(number)
    _goes_by_indexes(scope)


def _goes_by_indexes(scope: CardScope) -> None:
    """Have every statement planned as over many rows: none may have to read a table whole."""
    with connection.cursor() as cursor, CaptureQueriesContext(connection) as asked:
        cursor.execute("set enable_seqscan = off")
        for count in (count_cells, count_groups, count_outcomes, count_edges, count_time):
            count(scope)
        for statement in [one["sql"] for one in asked if one["sql"].lstrip().startswith("with")]:
            cursor.execute(f"explain (format json) {statement}")
            [plan] = cursor.fetchone() or [None]
            for node in walk((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]):
                assert node["Node Type"] != "Seq Scan", node.get("Relation Name")
        cursor.execute("reset enable_seqscan")


def walk(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a node of a plan and everything below it."""
    yield node
    for child in node.get("Plans", ()):
        yield from walk(child)


def test_the_card_shows_figures_with_n_and_interval(north: Site) -> None:
    author = client_of(Role.CATALOG_AUTHOR)
    address = reverse("review:report_card", args=CARD)
    page = author.get(address)
    words = page.content.decode()
    assert page.status_code == 200
    assert "6 signed calls of the last 90 days. So few calls say little" in words
    # A catalog's author sees counts of every site, and no call.
    assert not [line for line in words.split('"') if line.startswith("/calls/")]
    assert ODD not in words
    assert "something else" in words

    table = table_of(author, "review:report_card_file", *CARD)
    first = PhaseRow.objects.order_by("position").values_list("phase", flat=True)[0]
    # Of five settled rows of the first phase, people moved the starts of three.
    assert table["Rows by phase", first, "Exact match"] == ("40 % (2)", "11.8 % to 76.9 %", "5")
    assert table["Rows by phase", first, "Changed by people"][::2] == ("60 % (3)", "5")
    assert table["Starts by phase", first, "Precision"][::2] == ("40 % (2)", "5")
    assert table["Starts by phase", first, "Boundary error"][2] == "5"
    assert table["Reviewers' time", "calls with a time", "Median per call"][2] == "5"
    assert not [one for row in table.values() for one in row if one[:1] in tuple("=+@")]
    assert {key[1] for key in table if key[0] == "Rows by age group"} == {"65+", "something else"}

    dear = table_of(author, "review:report_card_file", *CARD, asked="?rate=2")
    mean = dear["Reviewers' time", "calls with a time", "Mean per call"][0]
    seconds = dear["Reviewers' time", "calls with a time", "Cost of 100 calls"]
    assert mean.endswith(" s")
    assert seconds[1:] == ("fewer than 20: no interval", "5")
    for wrong, sentence in (("x", "as a number"), ("-1", "from 0"), ("NaN", "as a number")):
        answer = author.get(f"{address}?rate={wrong}&days=30")
        assert answer.status_code == 422
        assert sentence in answer.content.decode()
        assert f'value="{wrong}"' in answer.content.decode()
    spanish = author.get(f"{address}?language=es-US").content.decode()
    assert "2 signed calls" in spanish
    for nothing in ("?language=xx", "?sample=random", "?age=%3Cscript%3E"):
        empty = author.get(address + nothing)
        assert empty.status_code == 200
        assert "No call was signed that is as asked" in empty.content.decode()
    for odd in ("?days=x&sample=no", "?days=%00", "?rate=" + "9" * 90):
        assert author.get(address + odd).status_code in (200, 422)


def test_the_governance_page_has_every_version_beside_the_others(north: Site) -> None:
    south = make_site("south")
    senior = client_of(Role.SENIOR_REVIEWER, north)
    words = senior.get(reverse("review:report_cards")).content.decode()
    assert reverse("review:report_card", args=CARD) in words
    table = table_of(senior, "review:report_cards_file")
    name = " ".join(CARD)
    assert (
        table["Rows by version", name, "Exact match"][2]
        == table_of(senior, "review:report_card_file", *CARD)[
            "Rows by phase", "all", "Exact match"
        ][2]
    )
    assert table["Calls that pass, selected by risk", name, "OrderSafe"][::2] == ("0 % (0)", "6")
    assert table["Critical edges that were violated, selected by risk", name, "Violated"][2] == "6"
    assert table_of(senior, "review:report_cards_file", asked="?catalog=other") == {}

    far = client_of(Role.COMPLIANCE_OFFICER, south)
    assert "No call was signed" in far.get(reverse("review:report_cards")).content.decode()
    for client, slug in ((far, "north"), (senior, "south"), (senior, "nowhere")):
        asked = reverse("review:report_cards") + f"?site={slug}"
        assert client.get(asked).status_code == 404
    assert senior.get(reverse("review:report_card", args=[CARD[0], "9.9.9"])).status_code == 404

    # A newer version whose anchors are the same: its one start was moved, of the old ones three.
    newer = (("version: 2.0.0", "version: 2.1.0"), ("from: 2026-01-01", "from: 2026-06-01"))
    publish(catalog_source("micro", *newer))
    sign_one(7, north, User.objects.get(pk=SignedLine.objects.values_list("by", flat=True)[0]))
    first = PhaseRow.objects.order_by("position").values_list("phase", flat=True)[0]
    fell = table_of(senior, "review:report_card_file", CARD[0], "2.1.0")
    title = "Anchors whose precision fell against version 2.0.0, last 365 days"
    anchor = next(name for what, name, _ in fell if what == title)
    assert anchor.startswith(f"{first}.starts")
    assert [fell[title, anchor, one][0] for one in ("Before", "Now")] == ["40 % (2)", "0 % (0)"]
    assert fell[title, anchor, "Difference"][::2] == ("\N{MINUS SIGN}40 points", "5 and 1")
    shown = senior.get(reverse("review:report_card", args=[CARD[0], "2.1.0"])).content.decode()
    assert "may be chance" in shown
    assert "No anchor&#x27;s precision fell against the 90 days before." in shown
    assert "2.1.0" in senior.get(reverse("review:report_cards")).content.decode()
