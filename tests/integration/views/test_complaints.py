"""What users of other tools complain of, as it is here. The numbers are those of the reference
(peers.md, section 2); complaints that have tests among those of a feature stand there.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.actions.rebuilding import differing_rows
from review.models import Call, Decision, PhaseRow, ProposedRow
from tests.factories import case, catalog_source, make_person, make_site, prefilled, publish, read
from tests.golden.judged import raw_case

pytestmark = pytest.mark.django_db(transaction=True)

REVIEWERS = 15
SAVES = 20


@pytest.fixture
def north() -> Site:
    publish(catalog_source("benefits_verification"))
    return make_site("north")


@pytest.fixture
def call_id(north: Site) -> UUID:
    return prefilled(case("case_b_call"), north)


@pytest.fixture
def ann(north: Site) -> Client:
    return client_of(north)


def client_of(site: Site) -> Client:
    client = Client()
    client.force_login(make_person(Role.REVIEWER, site=site))
    return client


def send(client: Client, call_id: UUID, phase: str, kind: str, **typed: Any) -> Any:
    given = {"kind": kind, "form_key": uuid4(), "revision": 1, **typed}
    path = reverse("review:row_decided", args=[call_id, phase])
    return client.post(path, given, headers={"HX-Request": "true"})


def page_of(client: Client, call_id: UUID) -> str:
    answer = client.get(reverse("review:call", args=[call_id]))
    assert answer.status_code == 200
    return answer.content.decode()


def cells(html: str) -> dict[str, list[str]]:
    """Return what the line of each row says: start, finish, verdict, by the phase."""
    lines = re.findall(r'<tr[^>]*id="phase-row-(\w+)"(.*?)</tr>', html, re.DOTALL)
    return {
        phase: [
            " ".join(unescape(re.sub(r"<[^>]+>", " ", cell)).split())
            for cell in re.findall(r"<td[^>]*>(.*?)</td>", line, re.DOTALL)
        ][:3]
        for phase, line in lines
    }


def test_c10_fifteen_reviewers_at_once_lose_and_double_nothing(north: Site) -> None:
    raw = raw_case("case_b_call")
    calls = [prefilled(read({**raw, "id": f"c{k}"}), north) for k in range(REVIEWERS)]
    clients = [client_of(north) for _ in calls]

    def review(client: Client, call_id: UUID) -> list[int]:
        try:
            return [
                send(client, call_id, phase, "CONFIRM").status_code
                for phase in ("PID", "CSV", "CRN")
            ]
        finally:
            connection.close()

    with ThreadPoolExecutor(REVIEWERS) as pool:
        found = list(pool.map(review, clients, calls))
    assert found == [[200, 200, 200]] * REVIEWERS
    assert Decision.objects.count() == 3 * REVIEWERS
    assert [differing_rows(call_id) for call_id in calls] == [()] * REVIEWERS


def test_c12_saving_again_is_another_revision_of_one_row(ann: Client, call_id: UUID) -> None:
    rows = PhaseRow.objects.count()
    for number in range(SAVES):
        moved = send(
            ann, call_id, "CSV", "SET_START", start=50 + number, reason="why", revision=1 + number
        )
        assert moved.status_code == 200
    assert PhaseRow.objects.count() == rows
    row = PhaseRow.objects.get(phase="CSV")
    assert (row.revision, row.start_turn) == (1 + SAVES, 49 + SAVES)
    assert Decision.objects.filter(phase="CSV").count() == SAVES


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM review_decision",
        "UPDATE review_decision SET by_id = NULL",
        "UPDATE review_decision SET kind = 'DOUBT'",
        "DELETE FROM audit.entry",
        "UPDATE audit.entry SET body = ''",
    ],
)
def test_c18_no_decision_is_deleted_or_rewritten(
    ann: Client, call_id: UUID, statement: str
) -> None:
    send(ann, call_id, "CSV", "SET_START", start=60, reason="She greets first.")
    refusal = pytest.raises(DatabaseError, match=r"never|only|denied|append")
    with refusal, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert Decision.objects.get().kind == "SET_START"


def test_c18_what_was_taken_back_is_still_told_and_can_be_had_again(
    ann: Client, call_id: UUID
) -> None:
    send(ann, call_id, "CSV", "SET_START", start=60, reason="She greets first.")
    ann.post(reverse("review:decision_undone", args=[call_id]), {"form_key": uuid4()})
    assert "She greets first." in page_of(ann, call_id)
    ann.post(reverse("review:decision_redone", args=[call_id]), {"form_key": uuid4()})
    assert PhaseRow.objects.get(phase="CSV").start_turn == 60


def test_c19_a_reload_at_any_moment_shows_the_same(ann: Client, call_id: UUID) -> None:
    for phase in ("PID", "CSV", "CRN"):
        send(ann, call_id, phase, "CONFIRM")
        first, second = page_of(ann, call_id), page_of(ann, call_id)
        assert cells(first) == cells(second)
        assert re.findall(r'data-revision="(\d+)"', first) == (
            re.findall(r'data-revision="(\d+)"', second)
        )
    assert Decision.objects.count() == 3


def test_c22_the_page_shows_each_row_as_the_cascade_found_it(ann: Client, call_id: UUID) -> None:
    shown = cells(page_of(ann, call_id))
    proposed = {
        one.phase: [str(one.start_turn), str(one.finish_turn), one.verdict.lower()]
        for one in ProposedRow.objects.all()
    }
    assert shown.keys() == proposed.keys()
    for phase, (start, finish, verdict) in shown.items():
        assert [start, finish] == proposed[phase][:2], phase
        assert verdict.endswith(proposed[phase][2]), phase


def test_c23_rows_and_the_marks_in_the_words_come_in_one_answer(ann: Client, call_id: UUID) -> None:
    html = page_of(ann, call_id)
    for phase, (start, finish, _) in cells(html).items():
        for turn in (start, finish):
            [shown] = re.findall(rf'<li id="t{turn}"(.*?)(?=<li id="t|</ol>)', html, re.DOTALL)
            assert phase in shown, (phase, turn)


def test_c29_a_comment_is_on_the_page_and_found_by_a_search(
    ann: Client, call_id: UUID, north: Site
) -> None:
    send(ann, call_id, "CSV", "COMMENT", reason="Zanzibar is not on the list of plans.")
    other = client_of(north)
    assert "Zanzibar is not on the list" in page_of(other, call_id)
    found = other.get(reverse("review:calls"), {"q": "zanzibar"}).content.decode()
    assert str(call_id) in found


def test_c32_every_count_of_calls_is_the_same_count(ann: Client, north: Site) -> None:
    raw = raw_case("case_b_call")
    for number in range(3):
        prefilled(read({**raw, "id": f"c{number}"}), north)
    prefilled(case("case_b_call"), make_site("south"))
    html = ann.get(reverse("review:calls")).content.decode()
    assert len(set(re.findall(r'href="?(/calls/[0-9a-f-]{36}/)', html))) == 3
    assert Call.objects.filter(site=north).count() == 3
    assert re.search(r"\b3 calls\b", unescape(re.sub(r"<[^>]+>", "", html)))
