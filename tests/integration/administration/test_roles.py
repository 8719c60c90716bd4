"""Roles: two administrators grant, nobody grants to themselves, administrators read no calls."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction

from oipsce_site.administration.actions.acting import ChangedMeanwhile, NotThere, UnableToAdminister
from oipsce_site.administration.actions.roles import (
    Wish,
    decline_role,
    grant_role,
    request_role,
    revoke_role,
)
from oipsce_site.administration.actions.sites import open_site, rename_site, retire_site
from oipsce_site.people.models import Answer, Membership, RoleRequest, Site, User
from oipsce_site.people.queries import roles_of
from oipsce_site.people.roles import SITE_ROLES, Role
from review.permissions import NotAllowed as NotAllowedToImport
from tests.factories import NOON, case, make_person, make_site, take
from tests.integration.administration.acts import (
    WITHDRAWAL,
    administrator,
    asked,
    deactivated,
    site_revision,
)

pytestmark = pytest.mark.django_db


def held_by(person: User, role: Role) -> Membership:
    return Membership.objects.get(user=person, role=role, revoked_at__isnull=True)


def test_a_role_counts_when_a_second_administrator_has_granted_it() -> None:
    person, north, second = make_person(), make_site(), administrator()
    request_id = asked(person, Role.REVIEWER, north)
    assert roles_of(person, north) == frozenset()
    grant_role(request_id=request_id, by=second, at=NOON)
    assert roles_of(person, north) == {Role.REVIEWER}
    assert held_by(person, Role.REVIEWER).granted_by == second


def test_who_asked_does_not_grant() -> None:
    person, first = make_person(), administrator()
    request_id = asked(person, Role.AUDITOR, make_site(), by=first)
    with pytest.raises(UnableToAdminister, match="A second administrator grants the role"):
        grant_role(request_id=request_id, by=first, at=NOON)
    assert roles_of(person, make_site()) == frozenset()


def test_nobody_asks_for_themselves_or_grants_to_themselves() -> None:
    first, second = administrator(), administrator()
    with pytest.raises(UnableToAdminister, match="for themselves"):
        asked(first, Role.CATALOG_AUTHOR, by=first)
    request_id = asked(second, Role.CATALOG_AUTHOR, by=first)
    with pytest.raises(UnableToAdminister, match="Nobody grants a role to themselves"):
        grant_role(request_id=request_id, by=second, at=NOON)


def test_the_database_refuses_a_grant_by_one_person_too() -> None:
    first, person = administrator(), make_person()
    request_id = asked(person, Role.AUDITOR, make_site(), by=first)
    with (
        pytest.raises(IntegrityError, match="role_request_granted_by_a_second"),
        transaction.atomic(),
    ):
        RoleRequest.objects.filter(pk=request_id).update(
            answer=Answer.GRANTED, answered_by=first, answered_at=NOON
        )
    with pytest.raises(IntegrityError, match="role_request_not_for_self"), transaction.atomic():
        RoleRequest.objects.filter(pk=request_id).update(asked_by=person)


@pytest.mark.parametrize("role", SITE_ROLES)
def test_an_administrator_gets_no_role_at_a_site(role: Role) -> None:
    with pytest.raises(UnableToAdminister, match="never reads calls"):
        asked(administrator(), role, make_site())


def test_who_has_a_role_at_a_site_becomes_no_administrator() -> None:
    person = make_person(Role.REVIEWER)
    with pytest.raises(UnableToAdminister, match="never reads calls"):
        asked(person, Role.ADMINISTRATOR)


def test_what_does_not_fit_any_more_is_not_granted() -> None:
    person, north = make_person(), make_site()
    reading = asked(person, Role.REVIEWER, north)
    administering = asked(person, Role.ADMINISTRATOR)
    grant_role(request_id=reading, by=administrator(), at=NOON)
    with pytest.raises(UnableToAdminister, match="revoke the roles at sites first"):
        grant_role(request_id=administering, by=administrator(), at=NOON)


def test_a_role_is_asked_for_once_and_held_once() -> None:
    person, north = make_person(), make_site()
    request_id = asked(person, Role.REVIEWER, north)
    with pytest.raises(UnableToAdminister, match="asked for already"):
        asked(person, Role.REVIEWER, north)
    grant_role(request_id=request_id, by=administrator(), at=NOON)
    with pytest.raises(UnableToAdminister, match="holds this role already"):
        asked(person, Role.REVIEWER, north)
    asked(person, Role.CATALOG_AUTHOR)
    with pytest.raises(UnableToAdminister, match="asked for already"):
        asked(person, Role.CATALOG_AUTHOR)


def test_an_answered_request_is_not_answered_again() -> None:
    request_id = asked(make_person(), site=make_site())
    decline_role(request_id=request_id, by=administrator(), at=NOON)
    with pytest.raises(ChangedMeanwhile):
        grant_role(request_id=request_id, by=administrator(), at=NOON)
    assert RoleRequest.objects.get().answer == Answer.DECLINED
    with pytest.raises(NotThere):
        grant_role(request_id=uuid4(), by=administrator(), at=NOON)


def test_who_asked_withdraws() -> None:
    WITHDRAWAL()()
    assert RoleRequest.objects.get().answer == Answer.WITHDRAWN


def test_a_deactivated_account_is_granted_nothing() -> None:
    person = make_person()
    request_id = asked(person, site=make_site())
    deactivated(person)
    with pytest.raises(UnableToAdminister, match="activate it first"):
        grant_role(request_id=request_id, by=administrator(), at=NOON)


def test_a_revoked_role_counts_no_more_and_can_be_granted_again() -> None:
    person, north, by = make_person(Role.REVIEWER), make_site(), administrator()
    held = held_by(person, Role.REVIEWER)
    revoke_role(membership_id=held.pk, expected_revision=1, by=by, at=NOON)
    assert roles_of(person, north) == frozenset()
    with pytest.raises(ChangedMeanwhile):
        revoke_role(membership_id=held.pk, expected_revision=2, by=by, at=NOON)
    grant_role(request_id=asked(person, site=north), by=by, at=NOON)
    assert roles_of(person, north) == {Role.REVIEWER}


def test_the_last_administrator_stays_one() -> None:
    by = administrator()
    held = held_by(by, Role.ADMINISTRATOR)
    with pytest.raises(UnableToAdminister, match="last administrator"):
        revoke_role(membership_id=held.pk, expected_revision=1, by=by, at=NOON)
    assert roles_of(by) == {Role.ADMINISTRATOR}


def test_a_stale_page_asks_for_nothing() -> None:
    person = make_person()
    asked(person, Role.REVIEWER, make_site())
    wish = Wish(Role.AUDITOR, make_site().pk, "x")
    with pytest.raises(ChangedMeanwhile):
        request_role(
            request_id=uuid4(),
            person_id=person.pk,
            expected_revision=1,
            wish=wish,
            by=administrator(),
            at=NOON,
        )


def test_a_retired_site_takes_no_role_and_no_call_and_keeps_its_people() -> None:
    north, by, reader = make_site(), administrator(), make_person(Role.REVIEWER)
    retire_site(site_id=north.pk, expected_revision=1, by=by, at=NOON)
    with pytest.raises(UnableToAdminister, match="takes no new role"):
        asked(make_person(), site=north)
    stored = Site.objects.get(pk=north.pk)
    with pytest.raises(NotAllowedToImport, match="takes no new call"):
        take(case(), stored)
    with pytest.raises(NotAllowedToImport, match="takes no new call"):
        take(case(), stored, by=make_person(Role.COMPLIANCE_OFFICER))
    assert roles_of(reader, stored) == {Role.REVIEWER}
    with pytest.raises(UnableToAdminister, match="retired already"):
        retire_site(site_id=north.pk, expected_revision=2, by=by, at=NOON)


def test_a_site_is_renamed_once_per_page_and_opened_once_per_name() -> None:
    north, by = make_site(), administrator()
    rename_site(site_id=north.pk, expected_revision=1, name="Far North", by=by, at=NOON)
    with pytest.raises(ChangedMeanwhile):
        rename_site(site_id=north.pk, expected_revision=1, name="Other", by=by, at=NOON)
    assert (Site.objects.get(pk=north.pk).name, site_revision(north)) == ("Far North", 2)
    with pytest.raises(UnableToAdminister) as refusal:
        open_site(site_id=uuid4(), slug="north", name="Again", by=by, at=NOON)
    assert refusal.value.field == "slug"


def test_an_act_locks_all_administrators() -> None:
    """Without that lock, two administrators could deactivate each other at the same moment."""
    administrator()
    with connection.execute_wrapper(Watch()) as _:
        asked(make_person(), site=make_site())
    assert any("FOR UPDATE" in sql and "people_membership" in sql for sql in Watch.seen)


class Watch:
    """Keeps the statements that were run."""

    seen: list[str] = []

    def __call__(self, execute: object, sql: str, *rest: object) -> object:
        assert callable(execute)
        Watch.seen.append(sql)
        return execute(sql, *rest)
