"""Candidates by wording: found after the pre-fill as a job, shown for what is open, taken by a
person as evidence; by words counted here, and by the real model where it is installed.
"""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.queries import entries_of
from oipsce_site.people.roles import Role
from review.actions.candidates import Found, add_candidates, claim_search
from review.models import (
    CandidateSearch,
    CandidateTurns,
    CatalogWording,
    Decision,
    Evaluation,
    PhaseRow,
)
from review.tasks import candidates, find_candidates, sweep
from tests import wording
from tests.adjudicated import ASKED, BORN, CATALOG, COVERED, SHARE, heard_call
from tests.factories import make_person, make_site, publish, raw_micro, read, take

pytestmark = pytest.mark.django_db

WORKERS = 4
SHOWN = "review.presenters.suggestions.is_shown_blind"
FILLER = ("agent", "Let me see what the plan says about the scan.")
LATER = ("agent", "What you pay is a quarter of it.")
TURNS = (ASKED, BORN, COVERED, FILLER, SHARE, LATER)
REAL = "review.adapters.minilm.MiniLm"
needs_model = pytest.mark.skipif(
    find_spec("onnxruntime") is None, reason="the extra is not installed (make setup-semantic)"
)


@pytest.fixture
def counted(settings: Any) -> list[int]:
    """Turn the search on, by words counted; returns how many texts each asking had."""
    settings.SEMANTIC_ENCODER = wording.NAME
    candidates._wording.cache_clear()
    wording.WordEncoder.asked.clear()
    publish(CATALOG)
    return wording.WordEncoder.asked


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Client:
    """Sign a reviewer in to whom every row shows its candidates."""
    monkeypatch.setattr(SHOWN, lambda *_: False)
    client = Client()
    client.force_login(make_person(Role.REVIEWER, site=make_site()))
    return client


def places(call_id: UUID) -> dict[tuple[str, str], list[int]]:
    """Return what was found for a call, by phase and item."""
    found = CandidateTurns.objects.get(call_id=call_id)
    return {(phase, item): turns for phase, item, turns in found.places}


def told(call_id: UUID, kind: str) -> list[dict[str, Any]]:
    """Return the facts of a call's entries of one kind."""
    bodies: list[dict[str, Any]] = [read_body(entry.body) for entry in entries_of(call_id)]
    return [body["facts"] for body in bodies if body["type"] == kind]


def standing(call_id: UUID) -> tuple[list[Any], list[str]]:
    """Return the rows of a call as they are stored, and the digests of its evaluations."""
    rows = PhaseRow.objects.filter(call_id=call_id).order_by("phase").values()
    digests = Evaluation.objects.filter(call_id=call_id).values_list("digest", flat=True)
    return list(rows), sorted(digests)


def page(browser: Client, call_id: UUID) -> str:
    """Return the call's page."""
    return browser.get(reverse("review:call", args=[call_id])).content.decode()


def press(browser: Client, call_id: UUID, candidate: str, **more: Any) -> Any:
    """Press the button of a candidate, as the page without JavaScript sends it."""
    revision = PhaseRow.objects.get(call_id=call_id, phase="DCC").revision
    given = {
        "kind": "SET_EVIDENCE",
        "revision": revision,
        "form_key": uuid4(),
        "candidate": candidate,
        **more,
    }
    return browser.post(reverse("review:decide_row", args=[call_id, "DCC"]), given)


def test_nothing_is_searched_unless_the_operator_says_so(settings: Any) -> None:
    publish(CATALOG)
    call_id = heard_call(*TURNS)
    sweep()
    assert settings.SEMANTIC_ENCODER == ""
    assert find_candidates() == 0
    assert CandidateSearch.objects.count() == CandidateTurns.objects.count() == 0
    assert claim_search(at=datetime.now(UTC)) is not None, call_id


def test_candidates_stand_beside_the_rows_with_what_found_them(counted: list[int]) -> None:
    call_id = heard_call(*TURNS)
    before = standing(call_id)
    assert find_candidates() == 1
    found = CandidateTurns.objects.get(call_id=call_id)
    assert set(places(call_id)) == {("DCC", "told")}
    assert 1 <= len(places(call_id)["DCC", "told"]) <= 3
    # No row, no flag and no evaluation is another; no word of the call is stored or told.
    assert standing(call_id) == before
    [facts] = told(call_id, "candidates.find")
    assert facts["model_sha256"] == found.model_digest == wording.WordEncoder.digest
    assert facts["texts_digest"] == found.texts_digest
    assert facts["transcript_digest"] == found.transcript_digest
    assert not [said for _, said in TURNS if said in json.dumps([facts, found.places])]
    assert find_candidates() == 0


def test_the_texts_of_a_catalog_are_encoded_once(counted: list[int]) -> None:
    heard_call(*TURNS, name="first")
    heard_call(*TURNS, name="second")
    assert [find_candidates() for _ in range(3)] == [1, 1, 0]
    candidates._wording.cache_clear()
    heard_call(*TURNS, name="third")
    assert find_candidates() == 1
    texts, *turns = counted
    assert turns == [len(TURNS)] * 3
    assert texts > len(TURNS)
    assert CatalogWording.objects.count() == 1


def test_prefills_go_first_and_one_call_is_searched_at_a_time(counted: list[int]) -> None:
    heard_call(*TURNS, name="first")
    take(read(raw_micro(id="waits", events=[])))
    assert find_candidates() == 0
    heard_call(*TURNS, name="second")
    now = datetime.now(UTC)
    from_now = claim_search(at=now)
    assert from_now is not None
    assert claim_search(at=now) is None


@pytest.mark.django_db(transaction=True)
def test_workers_that_come_at_once_search_one_call(counted: list[int]) -> None:
    for number in range(WORKERS):
        heard_call(*TURNS, name=f"call-{number}")
    at, ready = datetime.now(UTC), Barrier(WORKERS)

    def claim(_: int) -> bool:
        try:
            ready.wait(timeout=30)
            return claim_search(at=at) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(WORKERS) as pool:
        claimed = list(pool.map(claim, range(WORKERS)))
    assert claimed.count(True) == CandidateSearch.objects.count() == 1


def test_f4_a_lost_worker_loses_nothing_and_doubles_nothing(
    counted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    call_id = heard_call(*TURNS)
    lost = claim_search(at=datetime.now(UTC))
    assert lost is not None
    assert find_candidates() == 0
    CandidateSearch.objects.update(lease_until=datetime.now(UTC) - timedelta(seconds=1))
    assert find_candidates() == 1
    found = CandidateTurns.objects.get(call_id=call_id)
    # The one that was thought lost comes back: what is there stands.
    late = Found("late", "a" * 64, "b" * 64, ())
    assert not add_candidates(started=lost, found=late, by="w", at=datetime.now(UTC))
    assert CandidateTurns.objects.get(call_id=call_id).at == found.at
    # What fails three times is left alone, and other calls go on.
    bad_id = heard_call(*TURNS, name="bad")
    with monkeypatch.context() as broken:
        broken.setattr(candidates, "rank_turns", _killed)
        assert [find_candidates() for _ in range(4)] == [1, 1, 1, 0]
    assert CandidateSearch.objects.get(run__call_id=bad_id).state == "DONE"
    assert not CandidateTurns.objects.filter(call_id=bad_id).exists()
    heard_call(*TURNS, name="good")
    assert find_candidates() == 1
    # A worker that is killed each time ends as well.
    heard_call(*TURNS, name="killed")
    for minutes in (0, 10, 20):
        later = datetime.now(UTC) + timedelta(minutes=minutes)
        assert claim_search(at=later) is not None
    assert claim_search(at=later + timedelta(minutes=10)) is None


def _killed(*_: object, **__: object) -> Any:
    raise MemoryError


def test_what_was_found_does_not_change(counted: list[int]) -> None:
    heard_call(*TURNS)
    find_candidates()
    for change in (
        lambda: CandidateTurns.objects.update(places=[]),
        lambda: CandidateTurns.objects.all().delete(),
        lambda: CatalogWording.objects.update(vectors=b""),
        lambda: CatalogWording.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


def test_the_card_shows_the_first_three_and_costs_no_query(
    counted: list[int], browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    call_id = heard_call(*TURNS)
    queries = []
    for _ in range(2):
        page(browser, call_id)
        with CaptureQueriesContext(connection) as asked:
            shown = page(browser, call_id)
        queries.append(len(asked))
        find_candidates()
    assert queries[0] == queries[1]
    assert shown.count("Candidates by wording</h4>") == 1
    turns = places(call_id)["DCC", "told"]
    assert re.findall(r'name="candidate" value="([^"]+)"', shown) == [
        f"{place}:{turn}:told" for place, turn in enumerate(turns, start=1)
    ]
    for turn in turns:
        assert f'<a href="#t{turn}">{turn}</a> <q>{TURNS[turn - 1][1]}</q>' in shown
    # Rule 17: one row of ten is read without them, also while it is being decided.
    monkeypatch.setattr(SHOWN, lambda *_: True)
    assert "Candidates by wording</h4>" not in page(browser, call_id)
    given = {"kind": "SET_START", "revision": 1, "form_key": uuid4(), "start": "5", "reason": "so"}
    decide = reverse("review:decide_row", args=[call_id, "DCC"])
    assert browser.post(decide, given).status_code == 302
    assert "Candidates by wording</h4>" not in page(browser, call_id)


def test_one_press_takes_a_candidate_as_evidence_by_its_name(
    counted: list[int], browser: Client
) -> None:
    call_id = heard_call(*TURNS)
    find_candidates()
    first, turn = 1, places(call_id)["DCC", "told"][0]
    answer = press(browser, call_id, f"{first}:{turn}:told")
    assert answer.status_code == 302, answer.content.decode()
    made = Decision.objects.get(call_id=call_id)
    assert (made.kind, made.candidate) == ("SET_EVIDENCE", 1)
    whole = {"item": "told", "turn": turn, "start": 0, "end": len(TURNS[turn - 1][1])}
    assert made.value == whole
    [facts] = told(call_id, "row.decide")
    assert (facts["candidate"], facts["candidate_of"]) == (1, str(made.run_id))
    assert facts["candidate_model_sha256"] == wording.WordEncoder.digest
    shown = page(browser, call_id)
    assert "candidate 1 by wording" in shown
    assert "Taken from the candidates by wording" in shown
    # The item is decided: nothing is proposed for it any more.
    assert "Candidates by wording</h4>" not in shown
    # Taken back, it is open again.
    fragment = reverse("review:decision_undone", args=[call_id])
    assert browser.post(fragment, {"form_key": uuid4()}).status_code == 200
    assert "Candidates by wording</h4>" in page(browser, call_id)


@pytest.mark.parametrize("wrong", ["1:1:told", "3:99:told", "2:5:dob", "no", ""])
def test_what_the_search_did_not_find_is_not_taken(
    counted: list[int], browser: Client, wrong: str
) -> None:
    call_id = heard_call(*TURNS)
    find_candidates()
    assert press(browser, call_id, wrong).status_code == 422
    assert not Decision.objects.filter(call_id=call_id).exists()


def test_a_candidate_that_comes_late_is_shown_beside_a_decision(
    counted: list[int], browser: Client
) -> None:
    call_id = heard_call(*TURNS)
    decide = reverse("review:decide_row", args=[call_id, "DCC"])
    given = {"kind": "CONFIRM", "revision": 1, "form_key": uuid4()}
    assert browser.post(decide, given).status_code == 302
    before = standing(call_id)
    assert find_candidates() == 1
    assert standing(call_id) == before
    # A row that somebody confirmed as it stands has nothing open.
    assert "Candidates by wording</h4>" not in page(browser, call_id)


@needs_model
def test_the_real_model_finds_wording_that_the_patterns_never_saw(settings: Any) -> None:
    settings.SEMANTIC_ENCODER = REAL
    candidates._wording.cache_clear()
    publish(CATALOG)
    call_id = heard_call(*TURNS)
    assert find_candidates() == 1
    assert set(places(call_id)["DCC", "told"][:2]) == {5, 6}
    found = CandidateTurns.objects.get(call_id=call_id)
    assert found.model == "all-MiniLM-L6-v2-int8"
    candidates._wording.cache_clear()
