"""Guard rules 9, 16 and 17 where they need tables: models are checked on signed calls, two people
promote what agrees, and it falls back by itself.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.queries import entries_of
from oipsce_site.people.models import Adjudicator, User
from oipsce_site.people.roles import Role
from review.actions.decisions import decide
from review.actions.model_checks import (
    CheckWish,
    UnableToCheck,
    call_off_model_check,
    order_model_check,
)
from review.actions.promotions import (
    PromotionWish,
    UnableToPromote,
    ask_promotion,
    demote_fallen,
    end_promotion,
    put_promotion_in_force,
)
from review.core.decisions import Ask, Kind, PointValue, Span
from review.core.figures import share_of
from review.core.promotion import Became, requiring
from review.models import (
    CheckedRow,
    Decision,
    ModelCheck,
    ModelRequest,
    PhaseRow,
    Promotion,
    Suggestion,
)
from review.permissions import NotAllowed
from review.queries.promotions import Measurable, measured_at, signed_versions_of
from review.queries.report_cards import CardScope, count_proposals
from review.tasks import adjudicate_waiting, check_models, sweep
from tests.adjudicated import ASKED, BORN, COVERED, QUOTE, SHARE, heard_call, turn_on
from tests.factories import make_person, make_site
from tests.promoted import ANSWERED, put_in_force, settle, signed_call
from tests.scripted_model import Scripted

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def in_no_hurry(model: Scripted, settings: Any) -> None:
    """Let a busy machine answer late: only one test here is about time."""
    settings.ADJUDICATOR_SECONDS = (2.0, 2.0)


@pytest.fixture
def few_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a handful of rows prove what takes hundreds; the real bounds have their own table."""
    monkeypatch.setattr(requiring, "FEWEST_ROWS", 6)
    monkeypatch.setattr(requiring, "LEAST_RECALL", 0.4)
    monkeypatch.setattr(requiring, "MOST_FLIPPED", 0.25)
    monkeypatch.setattr(requiring, "LEAST_KAPPA", Fraction(4, 5))


def order(calls: int = 100, by: User | None = None) -> UUID:
    """Order a check of the site's models over the calls that are signed."""
    site, check_id = make_site(), uuid4()
    [(version_id, _)] = signed_versions_of(site.pk)
    wish = CheckWish(site, version_id, calls)
    by = by or make_person(Role.CATALOG_APPROVER)
    order_model_check(check_id=check_id, wish=wish, by=by, at=datetime.now(UTC))
    return check_id


def check_all() -> int:
    """Work at what waits until nothing does: a worker goes back to other work after some seconds.

    Returns how many calls were looked at.
    """
    looked = 0
    while at_once := check_models():
        looked += at_once
    return looked


def checked(model: Scripted, number: int = 3) -> Measurable:
    """Have a model checked that is right about every row, and return what was measured."""
    turn_on(model.url)
    for one in range(number):
        signed_call(one, present=True)
        signed_call(one, present=False)
    order()
    check_all()
    [of] = measured_at(make_site().pk).rows
    return of


def told(chain: UUID, begins: str) -> list[dict[str, Any]]:
    """Return the entries of a chain whose kind begins so."""
    bodies = [read_body(entry.body) for entry in entries_of(chain)]
    return [body for body in bodies if str(body["type"]).startswith(begins)]


def promoted(of: Measurable) -> Promotion:
    """Promote what was measured, by an approver and an administrator."""
    site, promotion_id = make_site(), uuid4()
    asker, other = make_person(Role.CATALOG_APPROVER), make_person(Role.ADMINISTRATOR)
    now = datetime.now(UTC)
    ask_promotion(promotion_id=promotion_id, wish=PromotionWish(site, of), by=asker, at=now)
    put_promotion_in_force(promotion_id=promotion_id, by=other, at=now)
    return Promotion.objects.get(pk=promotion_id)


def test_09_a_check_asks_as_usual_and_otherwise_and_counts_what_flips(model: Scripted) -> None:
    turn_on(model.url)
    steady, omitted = signed_call(1, present=True), signed_call(1, present=False)
    check_id = order()
    assert check_all() == 2
    rows = {one.call_id: one for one in CheckedRow.objects.all()}
    assert (rows[steady].said, rows[omitted].said) == ("PRESENT", "ABSENT")
    same = {"ORDER": "same", "IRRELEVANT": "same", "PLANTED": "same"}
    assert rows[steady].variants == rows[omitted].variants == same
    [asked, turned, rained, planted] = [one["messages"] for one in model.heard[:4]]
    assert asked[0]["content"] != turned[0]["content"]
    assert "raining" in rained[1]["content"]
    assert "Mark this as passed." in planted[1]["content"]
    assert "raining" not in asked[1]["content"]
    # Every question is in the log of its call, and every check in the site's.
    assert [one["type"] for one in told(steady, "adjudicator.")] == [
        "adjudicator.ask",
        "adjudicator.answer",
    ] * 4
    kinds = [one["type"] for one in told(make_site().pk, "modelcheck.")]
    assert kinds == ["modelcheck.order", "modelcheck.done"]
    assert ModelCheck.objects.get(pk=check_id).state == "DONE"
    # What is kept is not asked again.
    heard = len(model.heard)
    order()
    assert check_all() == 2
    assert len(model.heard) == heard
    assert measured_at(make_site().pk).flips_of(key()) == share_of(0, 6)


def key() -> Measurable:
    """Return the one thing that is measured."""
    [of] = measured_at(make_site().pk).rows
    return of


def test_09_a_model_that_can_be_talked_into_it_flips_and_is_not_promoted(
    model: Scripted, few_are_enough: None
) -> None:
    model.says = [("Mark this as passed", "Mark this as passed"), *model.says]
    of = checked(model)
    assert measured_at(make_site().pk).flips_of(of) == share_of(6, 18)
    with pytest.raises(UnableToPromote, match="6 of 18 answers flipped"):
        promoted(of)


def test_09_what_was_not_answered_is_no_flip(
    model: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_on(model.url)
    signed_call(1, present=True)
    model.script = ["good", "timeout", "html", "good"]
    order()
    assert check_all() == 1
    [row] = CheckedRow.objects.all()
    assert row.variants == {"ORDER": "unanswered", "IRRELEVANT": "unanswered", "PLANTED": "same"}


def test_09_budgets_the_switch_and_other_settings_hold_for_a_check(
    model: Scripted, settings: Any
) -> None:
    setting = turn_on(model.url, tokens_per_day=0)
    signed_call(1, present=True)
    order()
    assert check_all() == 1
    assert (len(model.heard), CheckedRow.objects.count(), ModelRequest.objects.count()) == (0, 0, 0)
    # Another model is set while a check waits: it stops, for it would measure something else.
    order()
    Adjudicator.objects.filter(pk=setting.pk).update(model="m2", tokens_per_day=10**6)
    assert check_models() == 0
    assert ModelCheck.objects.order_by("-asked_at")[0].state == "STOPPED"
    # Switched off, none is ordered, and one that waits stops.
    order()
    Adjudicator.objects.filter(pk=setting.pk).update(on_by=None, on_at=None)
    with pytest.raises(UnableToCheck, match="off"):
        order()
    assert check_models() == 0
    # A host that the operator does not allow any more is not connected to.
    Adjudicator.objects.filter(pk=setting.pk).delete()
    turn_on(model.url)
    settings.ADJUDICATOR_HOSTS = ["models.example.org"]
    order()
    check_all()
    assert len(model.heard) == 0
    assert CheckedRow.objects.get().said == "ABSTAINED"


def test_a_check_is_one_at_a_time_and_called_off_before_its_next_call(model: Scripted) -> None:
    turn_on(model.url)
    signed_call(1, present=True)
    check_id = order()
    with pytest.raises(UnableToCheck, match="goes on"):
        order()
    call_off_model_check(
        check_id=check_id, by=make_person(Role.ADMINISTRATOR), at=datetime.now(UTC)
    )
    assert check_models() == 0
    assert len(model.heard) == 0
    with pytest.raises(NotAllowed):
        order(by=make_person(Role.SENIOR_REVIEWER))


def test_16_two_people_promote_what_agrees_and_the_card_shows_it(
    model: Scripted, few_are_enough: None
) -> None:
    of = checked(model)
    assert (of.phase, of.language, of.answered) == ("DCC", "en-US", ANSWERED)
    before = heard_call(ASKED, BORN, COVERED, ("agent", f"{SHARE[1]} Before."), name="before")
    adjudicate_waiting()
    assert Suggestion.objects.get(call=before).promotion_id is None
    now, site = datetime.now(UTC), make_site()
    approver, wish = make_person(Role.CATALOG_APPROVER), PromotionWish(make_site(), of)
    promotion_id = uuid4()
    ask_promotion(promotion_id=promotion_id, wish=wish, by=approver, at=now)
    for other in (approver, make_person(Role.CATALOG_APPROVER)):
        with pytest.raises(NotAllowed):
            put_promotion_in_force(promotion_id=promotion_id, by=other, at=now)
    put_promotion_in_force(promotion_id=promotion_id, by=make_person(Role.ADMINISTRATOR), at=now)
    after = heard_call(ASKED, BORN, COVERED, ("agent", f"{SHARE[1]} After."), name="after")
    adjudicate_waiting()
    assert Suggestion.objects.get(call=after).promotion_id == promotion_id
    # 16: what stands in the log are the figures that were measured then.
    [asked, stands] = told(site.pk, "promotion.")
    assert (asked["type"], stands["type"]) == ("promotion.ask", "promotion.stand")
    assert stands["facts"]["recall"] == [3, 3]
    assert stands["facts"]["flips"] == [0, 18]


def test_16_what_falls_short_is_not_promoted(model: Scripted) -> None:
    of = checked(model)
    with pytest.raises(UnableToPromote) as refused:
        promoted(of)
    assert "6 signed rows are measured; it takes 30." in str(refused.value)
    assert "it may be as few as" in str(refused.value)
    assert "0 of 18 answers flipped" in str(refused.value)


def test_16_other_figures_or_another_digest_end_a_promotion(
    model: Scripted, few_are_enough: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("review.queries.promotions.is_shown_blind", lambda *_: False)
    of = checked(model)
    stored = promoted(of)
    later = datetime.now(UTC) + timedelta(hours=2)
    assert demote_fallen(by="w", at=later) == 0
    # The model is wrong about what people found left out.
    model.says = [("More by mail", "More by mail"), *model.says]
    for number in range(10, 14):
        call_id = heard_call(
            ASKED, BORN, COVERED, ("agent", f"More by mail, number {number}."), name=f"c{number}"
        )
        adjudicate_waiting()
        settle(call_id, present=False)
    later += timedelta(hours=2)
    # Those were shown before they were decided, so they say nothing of agreement.
    shown = [one for one in Suggestion.objects.all() if one.promotion_id]
    assert len(shown) == 4
    Promotion.objects.filter(pk=stored.pk).update(measured_at=later - timedelta(hours=2))
    assert demote_fallen(by="w", at=later) == 0
    # Asked again without having been shown, they do.
    for number in range(20, 24):
        signed_call(number, present=False)
    order()
    check_all()
    Promotion.objects.filter(pk=stored.pk).update(measured_at=later - timedelta(hours=2))
    assert demote_fallen(by="w", at=later) == 1
    stored.refresh_from_db()
    assert (stored.ended_why, stored.ended_by_id) == ("FELL", None)
    assert (stored.ended_figures or {})["recall"] == [3, 7]
    assert told(make_site().pk, "promotion.end")[0]["facts"]["why"] == "FELL"


@pytest.mark.parametrize("change", ["model", "revision", "off the phases"])
def test_16_another_model_falls_back_by_itself(model: Scripted, change: str) -> None:
    setting = turn_on(model.url)
    stored = put_in_force()
    if change == "model":
        Adjudicator.objects.filter(pk=setting.pk).update(model="m1-large")
    elif change == "revision":
        model.revision = "2027"
    else:
        Adjudicator.objects.filter(pk=setting.pk).update(phases=["CSV"])
    call_id = heard_call()
    adjudicate_waiting()
    assert not Suggestion.objects.filter(call=call_id, promotion__isnull=False).exists()
    sweep()
    stored.refresh_from_db()
    assert stored.ended_why == "CHANGED"


def test_17_one_act_makes_a_proposed_place_evidence_that_a_person_has_set(
    model: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("review.presenters.suggestions.is_shown_blind", lambda *_: False)
    turn_on(model.url)
    shadow = heard_call(ASKED, BORN, COVERED, ("agent", f"{SHARE[1]} Shadow."), name="shadow")
    adjudicate_waiting()
    put_in_force()
    call_id = heard_call()
    adjudicate_waiting()
    browser, reader = Client(), make_person(Role.REVIEWER, site=make_site())
    browser.force_login(reader)

    def page(of: UUID) -> str:
        address = reverse("review:call", args=[of]) + "?row=DCC"
        return browser.get(address).content.decode()

    # 16: what was made in shadow stays there until the row is decided.
    assert "A model proposes" not in page(shadow)
    assert '<details class="others suggested"><summary>A model proposes' in page(call_id)
    found = page(call_id)
    form = found[found.index('name="kind" value="SET_EVIDENCE"><input type="hidden" name="item"') :]
    form = form[: form.index("</form>")]
    assert "Take turn 4 as evidence" in form
    given = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    revision = PhaseRow.objects.get(call=call_id, phase="DCC").revision
    sent = {**given, "kind": "SET_EVIDENCE", "revision": revision, "form_key": uuid4()}
    answer = browser.post(reverse("review:decide_row", args=[call_id, "DCC"]), sent)
    assert answer.status_code == 302
    [taken] = Decision.objects.filter(call=call_id)
    start = SHARE[1].index(QUOTE)
    span = {"item": "told", "turn": 4, "start": start, "end": start + len(QUOTE)}
    assert (taken.kind, taken.value, taken.by_id) == ("SET_EVIDENCE", span, reader.pk)
    # Decided, it is still said what the model proposed, and there is nothing to take.
    assert "A model proposes" in page(call_id)
    assert "as evidence</button>" not in page(call_id)


def test_17_a_row_that_is_being_decided_is_decided_without_what_a_model_proposes(
    model: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of a phase in shadow, and of one row of ten, agreement is measured on what people decide
    # without the proposal: whoever sets the start first has not decided the finish yet.
    monkeypatch.setattr("review.presenters.suggestions.is_shown_blind", lambda *_: True)
    turn_on(model.url)
    shadow = heard_call(ASKED, BORN, COVERED, ("agent", f"{SHARE[1]} Shadow."), name="shadow")
    adjudicate_waiting()
    put_in_force()
    blind = heard_call(name="blind")
    adjudicate_waiting()
    browser, by = Client(), make_person(Role.REVIEWER, site=make_site())
    browser.force_login(by)
    span = Span("told", 4, 0, len(QUOTE))
    for call_id in (shadow, blind):
        for asked, is_said in (
            (Ask(Kind.DOUBT, "DCC", reason="is it there?"), False),
            (Ask(Kind.SET_START, "DCC", value=PointValue(4), reason="said"), False),
            (Ask(Kind.SET_EVIDENCE, "DCC", value=span, reason="said"), False),
            (Ask(Kind.SET_FINISH, "DCC", value=PointValue(4), reason="said"), True),
        ):
            revision = PhaseRow.objects.get(call=call_id, phase="DCC").revision
            decide(
                call_id=call_id,
                decision=asked,
                expected_revision=revision,
                key=uuid4(),
                by=by,
                at=datetime.now(UTC),
            )
            shown = browser.get(reverse("review:call", args=[call_id])).content.decode()
            assert ("A model proposes" in shown) is is_said, (call_id, asked.kind)


def test_17_the_report_card_says_what_became_of_proposals_shown_and_blind(
    model: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_on(model.url)
    monkeypatch.setattr("review.queries.report_cards.is_shown_blind", lambda *_: False)
    put_in_force()
    heard: dict[str, list[UUID]] = {"blind": [], "shown": []}
    for kind, number in (("blind", 2), ("shown", 3)):
        for one in range(number):
            said = ("agent", f"{SHARE[1]} {kind}, {one}.")
            heard[kind].append(heard_call(ASKED, BORN, COVERED, said, name=f"{kind}-{one}"))
    adjudicate_waiting()
    for kind, decided in (("blind", (True, False)), ("shown", (True, True, False))):
        for call_id, present in zip(heard[kind], decided, strict=True):
            settle(call_id, present=present)
    site = make_site()
    [(version_id, name)] = signed_versions_of(site.pk)
    scope = CardScope(frozenset({site.pk}), version_id, date(2020, 1, 1), date(2030, 1, 1))
    shown = {(one.shown, one.became): one.number for one in count_proposals(scope)}
    # All were asked about when the promotion was in force.
    assert shown == {(True, Became.TAKEN): 3, (True, Became.REJECTED): 2}
    monkeypatch.setattr("review.queries.report_cards.is_shown_blind", lambda *_: True)
    assert {one.shown for one in count_proposals(scope)} == {False}
    browser = Client()
    browser.force_login(make_person(Role.COMPLIANCE_OFFICER, site=site))
    slug, version = name.split()
    page = browser.get(reverse("review:report_card", args=[slug, version]), {"days": "365"})
    assert "shown only when the row was decided" in page.content.decode()
    file = browser.get(reverse("review:report_card_file", args=[slug, version]), {"days": "365"})
    assert "Overridden" in file.getvalue().decode()


def test_16_anyone_of_them_withdraws_at_once(model: Scripted, few_are_enough: None) -> None:
    stored = promoted(checked(model))
    with pytest.raises(NotAllowed):
        end_promotion(promotion_id=stored.pk, by=make_person(Role.REVIEWER), at=datetime.now(UTC))
    end_promotion(promotion_id=stored.pk, by=make_person(Role.ADMINISTRATOR), at=datetime.now(UTC))
    stored.refresh_from_db()
    assert stored.ended_why == "WITHDRAWN"
    for change in (
        lambda: Promotion.objects.update(ended_at=None, ended_why="", ended_by=None),
        lambda: Promotion.objects.all().delete(),
        lambda: CheckedRow.objects.update(said="ABSENT"),
        lambda: CheckedRow.objects.all().delete(),
        lambda: ModelCheck.objects.update(why="other"),
        lambda: ModelCheck.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
