"""The pages of calibration, as people with and without rights get them; no script is needed."""

from __future__ import annotations

import html
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from catalogs.models import CalibrationReport
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.models import CalibrationRound, Call
from review.queries.ratings import differences_of_round, round_document
from tests.factories import NOON, make_person, make_site
from tests.integration.review.calibration_acts import World, make_world, opened, rate_all, rated

pytestmark = pytest.mark.django_db


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def text(client: Client, name: str, *args: object) -> str:
    return html.unescape(client.get(reverse(name, args=args)).content.decode())


def row_form(world: World, phase: str, **changes: str) -> dict[str, str]:
    items = round_document(world.round_id).phase(phase).accept
    given = {"form_key": str(uuid4()), "required": "yes", "start": "1", "finish": "2"}
    given |= {"verdict": "pass", **{f"item_{one.id}": "2" for one in items}}
    return {**given, **changes}


def test_a_whole_round_by_its_pages() -> None:
    world = make_world()
    senior = signed_in(world.senior)
    where = f"?site={world.site.pk}&version={world.version_id}"
    address = reverse("review:calibration_open") + where
    assert "call 0" in senior.get(address).content.decode()
    sent = {
        "calls": [str(one) for one in world.calls],
        "raters": [str(one.pk) for one in world.raters],
        "draw": "3",
    }
    answer = senior.post(address, sent)
    stored = CalibrationRound.objects.get()
    assert answer["Location"] == reverse("review:calibration", args=[stored.pk])
    world.round_id = stored.pk
    phases = [phase.id for phase in round_document(stored.pk).phases]
    for rater, start in zip(world.raters, ("1", "2"), strict=True):
        client = signed_in(rater)
        assert "waits for you" in text(client, "review:calibrations")
        for position in (1, 2):
            desk = text(client, "review:rating", stored.pk, position)
            assert "knee scan" in desk
            for phase in phases:
                sent_to = reverse("review:calibration_rate", args=[stored.pk, position, phase])
                answer = client.post(sent_to, row_form(world, phase, start=start))
                assert answer.status_code == 302, html.unescape(answer.content.decode())
        answer = client.post(reverse("review:calibration_done", args=[stored.pk]))
        assert answer.status_code == 302
    page = text(senior, "review:differing", stored.pk)
    assert f"{2 * len(phases)} rows rated differently" in page
    for one in differences_of_round(stored.pk):
        sent_to = reverse(
            "review:calibration_decide", args=[stored.pk, one.position, one.difference.phase]
        )
        said = {"form_key": str(uuid4()), "right": "none", "why": "Unclear.", "change": "Say it."}
        assert senior.post(sent_to, said).status_code == 302
    assert "all decided" in text(senior, "review:differing", stored.pk)
    senior.post(reverse("review:calibration_close", args=[stored.pk]))
    page = text(senior, "review:calibration", stored.pk)
    assert "Gwet AC1" in page
    assert "not defined (one category)" in page
    assert "are few" in page
    assert "Next round" in page
    assert CalibrationReport.objects.filter(round_id=stored.pk).count() == 1


def test_before_all_are_done_nobody_sees_what_another_said() -> None:
    world = opened()
    rate_all(world, world.raters[0])
    for person in (world.senior, *world.raters):
        answer = signed_in(person).get(reverse("review:differing", args=[world.round_id]))
        assert answer["Location"] == reverse("review:calibration", args=[world.round_id])
    desk = text(signed_in(world.raters[1]), "review:rating", world.round_id, 1)
    assert "<strong>0</strong> of" in desk


def test_what_was_typed_comes_back_with_the_sentence() -> None:
    world = opened()
    phase = round_document(world.round_id).phases[0].id
    address = reverse("review:calibration_rate", args=[world.round_id, 1, phase])
    client = signed_in(world.raters[0])
    answer = client.post(address, row_form(world, phase, start="soon", finish="2"))
    assert answer.status_code == 422
    page = html.unescape(answer.content.decode())
    assert "Write a turn number, never, or ?." in page
    assert 'value="soon"' in page
    answer = client.post(address, row_form(world, phase, start="77"))
    assert (answer.status_code, b"The call has no turn 77" in answer.content) == (422, True)


def test_an_author_draws_calls_and_is_shown_no_word_of_them() -> None:
    world = make_world(3)
    author = signed_in(make_person(Role.CATALOG_AUTHOR))
    address = reverse("review:calibration_open")
    where = f"{address}?site={world.site.pk}&version={world.version_id}"
    page = author.get(where).content.decode()
    assert "call 0" not in page
    raters = [str(one.pk) for one in world.raters]
    assert author.post(where, {"draw": "2", "raters": raters}).status_code == 302
    world.round_id = CalibrationRound.objects.get().pk
    page = text(author, "review:calibration", world.round_id)
    assert "call 0" not in page
    assert author.get(reverse("review:rating", args=[world.round_id, 1])).status_code == 404


def test_a_wrong_wish_comes_back_with_its_sentence() -> None:
    world = make_world()
    senior = signed_in(world.senior)
    where = f"?site={world.site.pk}&version={world.version_id}"
    answer = senior.post(
        reverse("review:calibration_open") + where,
        {"calls": [str(world.calls[0])], "raters": [str(one.pk) for one in world.raters]},
    )
    assert (answer.status_code, b"2 to 5 calls, not 1" in answer.content) == (422, True)
    assert senior.post(reverse("review:calibration_open")).status_code == 422


def test_an_approver_waives_with_a_reason_and_nobody_else() -> None:
    world = make_world()
    approver = signed_in(make_person(Role.CATALOG_APPROVER))
    address = reverse("review:calibration_waive")
    said = {"version": str(world.version_id), "reason": " "}
    assert b"needs its reason" in approver.post(address, said).content
    assert approver.post(address, {**said, "reason": "Pilot."}).status_code == 302
    assert CalibrationReport.objects.filter(reason="Pilot.").count() == 1
    assert signed_in(world.senior).post(address, said).status_code == 403


def test_a_round_of_another_site_is_not_there() -> None:
    world = rated()
    for role in (Role.REVIEWER, Role.SENIOR_REVIEWER, Role.AUDITOR):
        client = signed_in(make_person(role, site=make_site("south")))
        for name in ("review:calibration", "review:differing"):
            assert client.get(reverse(name, args=[world.round_id])).status_code == 404
        assert ", round 1" not in text(client, "review:calibrations")


def test_what_a_person_types_is_shown_as_text() -> None:
    world = rated()
    first = differences_of_round(world.round_id)[0]
    address = reverse(
        "review:calibration_decide",
        args=[world.round_id, first.position, first.difference.phase],
    )
    said = {"form_key": str(uuid4()), "right": "1", "why": "<script>x</script>", "change": ""}
    signed_in(world.senior).post(address, said)
    page = signed_in(world.senior).get(reverse("review:differing", args=[world.round_id]))
    assert b"<script>x" not in page.content


def test_a_call_whose_words_were_erased_leads_back_with_a_sentence() -> None:
    world = opened()
    Call.objects.filter(pk=world.calls[0]).update(
        erased_at=NOON, wrapped_key=b"", title="", attributes={}
    )
    client = signed_in(world.raters[0])
    answer = client.get(reverse("review:rating", args=[world.round_id, 1]), follow=True)
    assert b"words of this call were erased" in answer.content
