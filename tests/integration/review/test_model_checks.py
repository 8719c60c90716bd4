"""Checks of models where something comes between: an erasure, another worker, a call that fails."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from oipsce_site.people.roles import Role
from review.actions.erasing import approve_erasure, ask_erasure
from review.actions.model_requests import StillAsked, end_request
from review.models import CheckedRow, Ground, ModelCheck
from review.tasks import check_models, model_questions
from review.tasks import model_checks as model_check_task
from tests.adjudicated import turn_on
from tests.factories import make_person
from tests.integration.review.test_promotions import check_all, order, told
from tests.promoted import signed_call
from tests.scripted_model import Scripted

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def in_no_hurry(model: Scripted, settings: Any) -> None:
    """Let a busy machine answer late."""
    settings.ADJUDICATOR_SECONDS = (5.0, 5.0)


def erase(call_id: UUID) -> None:
    """Erase a call, as two people do."""
    asker, other = make_person(Role.COMPLIANCE_OFFICER), make_person(Role.ADMINISTRATOR)
    erasure_id, now = uuid4(), datetime.now(UTC)
    ground = Ground.PERSON_ASKED
    ask_erasure(erasure_id=erasure_id, call_id=call_id, ground=ground, by=asker, at=now)
    approve_erasure(erasure_id=erasure_id, by=other, at=now)


def test_a_call_that_is_erased_while_a_check_waits_is_passed_over(model: Scripted) -> None:
    turn_on(model.url)
    calls = [signed_call(number, present=True) for number in range(3)]
    check_id = order()
    [first, middle, _] = ModelCheck.objects.get(pk=check_id).calls
    assert {first, middle} < set(calls)
    erase(middle)
    check_all()
    stored = ModelCheck.objects.get(pk=check_id)
    assert (stored.state, stored.done, stored.why) == ("DONE", 3, "")
    asked = set(CheckedRow.objects.values_list("call_id", flat=True))
    assert asked == set(calls) - {middle}
    # The last one too.
    check_id = order()
    erase(ModelCheck.objects.get(pk=check_id).calls[-1])
    check_all()
    assert ModelCheck.objects.get(pk=check_id).state == "DONE"


def test_of_a_call_that_is_erased_between_two_questions_no_more_is_sent(
    model: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_on(model.url)
    call_id = signed_call(1, present=True)
    order()
    end = end_request

    def ended(**what: Any) -> None:
        end(**what)
        if len(model.heard) == 1:
            erase(call_id)

    monkeypatch.setattr(model_questions, "end_request", ended)
    check_all()
    assert len(model.heard) == 1
    kinds = [one["type"] for one in told(call_id, "")]
    assert kinds[-1] == "call.erase", kinds


def test_what_another_worker_asks_at_this_moment_does_not_end_a_check(
    model: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_on(model.url)
    signed_call(1, present=True)
    check_id = order()

    def still_asked(*_: object, **__: object) -> Any:
        raise StillAsked

    with monkeypatch.context() as busy:
        busy.setattr(model_check_task, "ask_models", still_asked)
        assert check_all() == 1
    stored = ModelCheck.objects.get(pk=check_id)
    assert (stored.state, stored.done, stored.attempts) == ("RUNNING", 0, 1)
    # It is taken up again after a while, not at once; three times in all.
    assert check_models() == 0
    ModelCheck.objects.update(lease_until=datetime.now(UTC) - timedelta(seconds=1))
    assert check_all() == 1
    assert ModelCheck.objects.get(pk=check_id).state == "DONE"
