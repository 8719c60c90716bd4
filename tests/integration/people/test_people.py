"""Who holds which role where, and what the database refuses to believe about people."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError

from oipsce_site.people.models import Membership, Site, User
from oipsce_site.people.queries import has_role, roles_of, sites_of
from oipsce_site.people.roles import ORGANISATION_ROLES, SITE_ROLES, Role

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna", "Anna Bell", "a long password")


@pytest.fixture
def root() -> User:
    return User.objects.create_user("root", "Rita Root")


@pytest.fixture
def north() -> Site:
    return Site.objects.create(slug="north", name="North")


@pytest.fixture
def south() -> Site:
    return Site.objects.create(slug="south", name="South")


def grant(user: User, role: Role, site: Site | None = None, **more: Any) -> Membership:
    return Membership.objects.create(user=user, role=role, site=site, granted_at=NOON, **more)


def test_a_role_holds_at_its_site_only(anna: User, north: Site, south: Site) -> None:
    grant(anna, Role.REVIEWER, south)
    grant(anna, Role.AUDITOR, south)
    assert list(sites_of(anna)) == [south]
    assert roles_of(anna, south) == {Role.REVIEWER, Role.AUDITOR}
    assert roles_of(anna, north) == frozenset()
    assert has_role(anna, south, Role.SENIOR_REVIEWER, Role.REVIEWER)
    assert not has_role(anna, south, Role.SENIOR_REVIEWER)
    assert not has_role(anna, south)


def test_sites_come_once_and_by_slug(anna: User, north: Site, south: Site) -> None:
    grant(anna, Role.REVIEWER, south)
    grant(anna, Role.SENIOR_REVIEWER, south)
    grant(anna, Role.REVIEWER, north)
    assert list(sites_of(anna)) == [north, south]


@pytest.mark.parametrize("role", ORGANISATION_ROLES)
def test_an_organisation_wide_role_holds_everywhere_and_shows_no_site(
    anna: User, north: Site, role: Role
) -> None:
    grant(anna, role)
    assert roles_of(anna) == roles_of(anna, north) == {role}
    assert list(sites_of(anna)) == []


def test_without_a_site_only_organisation_wide_roles_count(anna: User, north: Site) -> None:
    grant(anna, Role.REVIEWER, north)
    assert not has_role(anna, None, Role.REVIEWER)


def test_revoked_inactive_and_anonymous_hold_nothing(anna: User, north: Site) -> None:
    membership = grant(anna, Role.REVIEWER, north)
    anna.is_active = False
    anna.save()
    assert roles_of(anna, north) == frozenset()
    anna.is_active = True
    anna.save()
    assert roles_of(anna, north) == {Role.REVIEWER}
    membership.revoked_at = NOON
    membership.save()
    assert roles_of(anna, north) == frozenset()
    assert list(sites_of(anna)) == []
    assert not has_role(AnonymousUser(), north, *Role)
    assert list(sites_of(AnonymousUser())) == []


def test_a_revoked_role_may_be_granted_again(anna: User, north: Site) -> None:
    grant(anna, Role.REVIEWER, north, revoked_at=NOON)
    grant(anna, Role.REVIEWER, north, revoked_at=NOON)
    grant(anna, Role.REVIEWER, north)
    assert roles_of(anna, north) == {Role.REVIEWER}


def test_an_active_role_is_held_once(anna: User, north: Site) -> None:
    grant(anna, Role.REVIEWER, north)
    with pytest.raises(IntegrityError, match="membership_active_once"):
        grant(anna, Role.REVIEWER, north)


def test_an_active_organisation_wide_role_is_held_once(anna: User) -> None:
    grant(anna, Role.ADMINISTRATOR)
    with pytest.raises(IntegrityError, match="membership_active_once"):
        grant(anna, Role.ADMINISTRATOR)


@pytest.mark.parametrize("role", SITE_ROLES)
def test_a_site_role_needs_a_site(anna: User, role: Role) -> None:
    with pytest.raises(IntegrityError, match="membership_site_as_role_says"):
        grant(anna, role)


@pytest.mark.parametrize("role", ORGANISATION_ROLES)
def test_an_organisation_wide_role_has_no_site(anna: User, north: Site, role: Role) -> None:
    with pytest.raises(IntegrityError, match="membership_site_as_role_says"):
        grant(anna, role, north)


def test_an_unknown_role_is_refused(anna: User, north: Site) -> None:
    with pytest.raises(IntegrityError, match="membership_site_as_role_says"):
        Membership.objects.create(user=anna, role="owner", site=north, granted_at=NOON)


def test_nobody_grants_to_themselves(anna: User, root: User, north: Site) -> None:
    grant(anna, Role.REVIEWER, north, granted_by=root)
    with pytest.raises(IntegrityError, match="membership_not_granted_to_self"):
        grant(anna, Role.AUDITOR, north, granted_by=anna)


def test_a_role_is_not_revoked_before_it_was_granted(anna: User, north: Site) -> None:
    with pytest.raises(IntegrityError, match="membership_revoked_after_grant"):
        grant(anna, Role.REVIEWER, north, revoked_at=NOON - timedelta(seconds=1))


def test_a_user_is_made_lower_case_with_a_working_password() -> None:
    user = User.objects.create_user("Anna", " Anna Bell ", "a long password", "Anna@EXAMPLE.org")
    assert (user.username, user.get_full_name(), user.email) == (
        "anna",
        "Anna Bell",
        "Anna@example.org",
    )
    assert user.check_password("a long password")
    assert not user.is_superuser
    assert not User.objects.create_user("bert", "Bert").has_usable_password()


@pytest.mark.parametrize("name", ["", "a b", "ann\u0430", "-a", "a" * 65, "anna\n"])
def test_malformed_user_names_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        User.objects.create_user(name, "Anna Bell")


@pytest.mark.parametrize("name", ["Anna", "a b", "anna\n"])
def test_the_database_refuses_malformed_user_names_too(name: str) -> None:
    with pytest.raises(IntegrityError, match="user_username_form"):
        User.objects.create(username=name, printed_name="Anna Bell")


def test_user_names_and_given_addresses_are_unique(anna: User) -> None:
    with pytest.raises(ValidationError, match="already exists"):
        User.objects.create_user("ANNA", "Another")
    User.objects.create_user("bert", "Bert", email="b@example.org")
    User.objects.create_user("carl", "Carl")
    with pytest.raises(IntegrityError, match="user_email_once"):
        User.objects.create(username="dora", printed_name="Dora", email="B@example.org")


def test_a_signature_needs_a_printed_name() -> None:
    with pytest.raises(IntegrityError, match="user_printed_name_given"):
        User.objects.create(username="anna", printed_name=" ")


def test_superusers_do_not_exist(anna: User) -> None:
    with pytest.raises(ValueError, match="grant the role administrator"):
        User.objects.create_superuser("boss", password="a long password")
    anna.is_superuser = True
    with pytest.raises(IntegrityError, match="user_never_superuser"):
        anna.save()
