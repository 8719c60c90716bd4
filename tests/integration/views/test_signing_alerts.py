"""Who is told, on which page, that somebody fails to prove who they are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions.proving import Proofs, prove_signer
from review.actions.refused_signing import UnableToSign
from tests.factories import make_person, make_site
from tests.signers import SESSION

pytestmark = pytest.mark.django_db(transaction=True)


def fail(person: User, times: int) -> None:
    for number in range(times):
        at = datetime.now(UTC) - timedelta(minutes=1, seconds=-number)
        with pytest.raises(UnableToSign):
            prove_signer(proofs=Proofs(SESSION, password="not it"), by=person, at=at)


def told(role: Role, site: Site) -> str:
    client = Client()
    client.force_login(make_person(role, site=site))
    return client.get(reverse("review:signing_alerts")).content.decode()


@pytest.mark.parametrize(
    ("role", "own_site", "sees"),
    [
        (Role.COMPLIANCE_OFFICER, True, True),
        (Role.COMPLIANCE_OFFICER, False, False),
        (Role.ADMINISTRATOR, False, True),
    ],
)
@pytest.mark.parametrize(("times", "is_told"), [(2, False), (3, True), (5, True)])
def test_the_third_failure_in_a_row_reaches_its_officer_and_every_administrator(
    role: Role, own_site: bool, sees: bool, times: int, is_told: bool
) -> None:
    north, south = make_site("north"), make_site("south")
    ann = make_person(Role.REVIEWER, site=north, username="ann-archer")
    fail(ann, times)
    html = told(role, north if own_site else south)
    assert ("ann-archer" in html) is (sees and is_told)
    assert ("suspended until" in html) is (sees and times == 5)
