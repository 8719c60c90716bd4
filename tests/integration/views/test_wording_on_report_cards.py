"""Candidates by wording on the report card: counted as an independent count does, and only where
calls were searched.
"""

from __future__ import annotations

from collections import Counter
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions.decisions import decide
from review.core.cascade.adjudication import is_shown_blind
from review.core.decisions import Ask, Kind, PointValue, Value
from review.core.report_card import Place
from review.models import CandidateTurns, PhaseRow, ProposedRow
from review.queries.report_cards import CardScope, count_wording
from review.tasks import find_candidates
from tests import wording
from tests.adjudicated import ASKED, BORN, CATALOG, COVERED, SHARE
from tests.factories import make_person, make_site, prefilled, publish, raw_micro, read
from tests.signed import sign_stored

pytestmark = pytest.mark.django_db(transaction=True)
CARD = ("member-benefits-micro", "2.0.0")
ELSE = ("agent", "Is there anything else I can do for you today?")


@pytest.fixture
def north(settings: Any) -> Site:
    """Twelve signed calls, of which the last two were not searched."""
    publish(CATALOG)
    north = make_site("north")
    ann = make_person(Role.SENIOR_REVIEWER, site=north)
    for number in range(12):
        settings.SEMANTIC_ENCODER = wording.NAME if number < 10 else ""
        _sign_one(number, north, ann)
    return north


def _sign_one(number: int, site: Site, by: User) -> None:
    """Have a call read, searched, and decided at a turn that nobody had proposed, and signed."""
    turns = (ASKED, BORN, COVERED, *[ELSE] * 4, SHARE)
    said = [
        {"n": place, "speaker": speaker, "kind": "speech", "text": f"{text} {number}."}
        for place, (speaker, text) in enumerate(turns, start=1)
    ]
    raw = raw_micro(id=f"call-{number}", turns=said, events=[])
    raw["call"]["date"] = timezone.localdate().isoformat()
    call_id = prefilled(read(raw), site)
    find_candidates()
    turn = 1 + number % len(turns)
    for kind in (Kind.SET_START, Kind.SET_FINISH):
        _take(call_id, by, "DCC", kind, PointValue(turn))
    _take(call_id, by, "PID", Kind.CONFIRM, None)
    sign_stored(call_id, by)


def _take(call_id: Any, by: User, phase: str, kind: Kind, value: Value) -> None:
    row = PhaseRow.objects.get(call=call_id, phase=phase)
    decide(
        call_id=call_id,
        decision=Ask(kind, phase, None, None, value, "why" if value else ""),
        expected_revision=row.revision,
        key=uuid4(),
        by=by,
        at=timezone.now(),
    )


def test_what_is_counted_is_what_an_independent_count_says(north: Site) -> None:
    expected: Counter[tuple[Any, ...]] = Counter()
    for found in CandidateTurns.objects.all():
        for row in PhaseRow.objects.filter(call=found.call_id, standing="CONFIRMED"):
            was = ProposedRow.objects.get(run=found.run_id, phase=row.phase)
            lists = [turns for phase, _, turns in found.places if phase == row.phase]
            turns = [turn for one in lists for turn in one]
            for place in Place:
                decided = getattr(row, f"{place.value}_turn")
                proposed = getattr(was, f"{place.value}_turn")
                if decided is None:
                    continue
                rules = proposed is not None and abs(decided - proposed) <= 1
                near = any(abs(decided - turn) <= 1 for turn in turns)
                kept = is_shown_blind(str(found.call_id), row.phase)
                expected[row.phase, place, kept, rules, bool(lists), near] += 1
    today = timezone.localdate()
    cells = count_wording(CardScope(frozenset({north.pk}), None, today, today))
    assert {one[:-1]: one.number for one in cells} == dict(expected)
    assert sum(one.number for one in cells if one.phase == "DCC") == 20
    assert {one.by_wording for one in cells if one.phase == "DCC"} == {True, False}


def test_the_card_shows_both_beside_each_other(north: Site) -> None:
    browser = Client()
    browser.force_login(make_person(Role.SENIOR_REVIEWER, site=north))
    page = browser.get(reverse("review:report_card", args=CARD)).content.decode()
    assert "Candidates by wording" in page
    assert "decided without seeing them" in page


def test_where_nothing_was_searched_the_card_says_nothing_of_it(settings: Any) -> None:
    publish(CATALOG)
    site = make_site("north")
    _sign_one(1, site, make_person(Role.SENIOR_REVIEWER, site=site))
    browser = Client()
    browser.force_login(make_person(Role.SENIOR_REVIEWER, site=site))
    page = browser.get(reverse("review:report_card", args=CARD)).content.decode()
    assert "Candidates by wording" not in page
