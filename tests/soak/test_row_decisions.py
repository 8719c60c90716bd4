"""A thousand random decisions on one call: rows built anew equal the stored ones."""

from __future__ import annotations

import pytest

from oipsce_site.people.roles import Role
from review.actions.rebuilding import differing_rows
from tests.factories import case, catalog_source, make_person, make_site, prefilled, publish
from tests.integration.review.test_decisions import decide_at_random, recheck

pytestmark = pytest.mark.django_db


def test_a_thousand_decisions_fold_to_what_is_stored() -> None:
    publish(catalog_source("benefits_verification"))
    north = make_site()
    call_id = prefilled(case("case_b_call"), north)
    roles = (Role.REVIEWER, Role.REVIEWER, Role.SENIOR_REVIEWER)
    people = [make_person(role, site=north) for role in roles]
    taken = 0
    for part in range(10):
        taken += decide_at_random(call_id, people, seed=part, count=100)
        assert differing_rows(call_id) == ()
    print(f"decisions: 1,000 sent, {taken} taken, rows rebuilt equal the stored ones")  # noqa: T201
    assert taken >= 300
    assert recheck() == 0
