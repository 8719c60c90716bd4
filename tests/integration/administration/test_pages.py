"""The pages of people and sites: what is refused keeps what was typed and says what to do."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from oipsce_site.people.models import Adjudicator, Membership, RoleRequest, Site, User
from oipsce_site.people.roles import Role
from tests.factories import make_person, make_site
from tests.integration.administration.acts import WISH, administrator, asked, with_factor

pytestmark = pytest.mark.django_db

HOST = {"host": "localhost:8000"}
SECRET = "a password"


@pytest.fixture
def adi() -> User:
    return administrator("adi")


@pytest.fixture
def client(adi: User) -> Client:
    client = Client(headers=HOST)
    client.force_login(adi)
    return client


@pytest.fixture
def person() -> User:
    return make_person(Role.REVIEWER, username="rea")


def address(name: str, *args: object) -> str:
    return reverse(f"administration:{name}", args=args)


def sign_in(username: str, password: str) -> Client:
    """Sign in at the door, as a browser does."""
    browser = Client(headers={**HOST, "user-agent": "Some Browser"})
    browser.post(reverse("account_login"), {"login": username, "password": password})
    return browser


def test_a_new_persons_password_is_shown_once_and_leads_to_choosing_their_own(
    client: Client,
) -> None:
    values = {"username": "newcomer", "printed_name": "New Comer", "email": ""}
    made = client.post(address("new-person"), values)
    assert made.status_code == 201
    assert "no-store" in made["Cache-Control"]
    word = made.context["password"]
    assert word in made.content.decode()
    person = User.objects.get(username="newcomer")
    assert word not in client.get(address("person", person.pk)).content.decode()

    browser = sign_in("newcomer", word)
    change = reverse("account_change_password")
    for page in (reverse("review:calls"), reverse("mfa_index"), address("people")):
        assert browser.get(page)["Location"] == change
    assert "was given to you by an administrator" in browser.get(change).content.decode()
    own = "entirely my own words"
    values = {"oldpassword": word, "password1": own, "password2": own}
    assert browser.post(change, values).status_code == 302
    assert browser.get(reverse("review:calls")).status_code == 200
    assert not User.objects.get(pk=person.pk).must_change_password
    assert sign_in("newcomer", own).get(reverse("review:calls")).status_code == 200


def test_who_must_choose_a_password_can_leave(person: User) -> None:
    User.objects.filter(pk=person.pk).update(must_change_password=True)
    browser = sign_in("rea", SECRET)
    assert browser.post(reverse("account_logout"))["Location"] == reverse("account_login")


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"username": "Rea B", "printed_name": "Rea B"}, "Start with a letter or digit"),
        ({"username": "rea", "printed_name": "Rea B"}, "already exists"),
        ({"username": "reb", "printed_name": ""}, "This field is required"),
        ({"username": "reb", "printed_name": "Reb", "email": "no address"}, "valid email"),
    ],
)
def test_a_refused_account_keeps_what_was_typed(
    client: Client, person: User, values: dict[str, str], sentence: str
) -> None:
    answer = client.post(address("new-person"), values)
    assert answer.status_code == 422
    html = answer.content.decode()
    assert sentence in html
    assert f'value="{values["username"]}"' in html
    assert User.objects.count() == 2


def test_two_administrators_at_the_same_name(client: Client, person: User) -> None:
    page = address("person", person.pk)
    values = {"expected_revision": "1", "printed_name": "Rea First", "email": ""}
    assert client.post(page, values)["Location"] == page
    answer = client.post(page, {**values, "printed_name": "Rea Second"})
    assert answer.status_code == 409
    html = answer.content.decode()
    assert "Somebody else was faster, so nothing was stored" in html
    assert "<td>Rea First</td><td>Rea Second</td>" in html
    assert 'value="Rea Second"' in html
    assert 'name="expected_revision" value="2"' in html
    again = {**values, "expected_revision": "2", "printed_name": "Rea Second"}
    assert client.post(page, again).status_code == 302
    assert User.objects.get(pk=person.pk).printed_name == "Rea Second"


def test_a_role_goes_through_two_administrators(client: Client, person: User) -> None:
    north = make_site()
    values = {
        "expected_revision": "1",
        "role": "senior_reviewer",
        "site": str(north.pk),
        "reason": "takes over",
    }
    client.post(address("person-roles", person.pk), values)
    asked_for = RoleRequest.objects.get()
    own = client.get(address("people")).content.decode()
    assert "a second administrator grants it" in own
    assert 'value="grant"' not in own

    second = Client(headers=HOST)
    second.force_login(administrator())
    assert "takes over" in second.get(address("people")).content.decode()
    answer = address("request-answer", person.pk, asked_for.pk)
    assert client.post(answer, {"answer": "grant"}).status_code == 422
    assert second.post(answer, {"answer": "grant"}).status_code == 302
    assert Membership.objects.filter(user=person, role=Role.SENIOR_REVIEWER).exists()
    late = second.post(answer, {"answer": "decline"})
    assert late.status_code == 409


@pytest.mark.parametrize(
    ("role", "at_site", "sentence"),
    [
        ("reviewer", False, "Choose the site where the reviewer works."),
        ("catalog_author", True, "is held in the whole organisation"),
        ("", True, "This field is required."),
    ],
)
def test_a_role_at_the_wrong_place(
    client: Client, person: User, role: str, *, at_site: bool, sentence: str
) -> None:
    values = {
        "expected_revision": "1",
        "role": role,
        "site": str(make_site().pk) if at_site else "",
        "reason": "kept words",
    }
    answer = client.post(address("person-roles", person.pk), values)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert "kept words" in answer.content.decode()


@pytest.mark.parametrize(
    "name",
    ["person-roles", "person-standing", "person-password", "person-second-factor"],
)
def test_a_form_of_an_old_page_does_nothing(client: Client, person: User, name: str) -> None:
    with_factor(person)
    asked(person, Role.AUDITOR, make_site())
    values = {
        "expected_revision": "1",
        "role": "compliance_officer",
        "site": str(make_site().pk),
        "reason": "kept words",
        "active": "no",
    }
    answer = client.post(address(name, person.pk), values)
    assert answer.status_code == 409
    stored = User.objects.get(pk=person.pk)
    assert (stored.is_active, stored.revision) == (True, 2)
    assert Authenticator.objects.filter(user=stored).count() == 1
    assert RoleRequest.objects.count() == 1
    if name != "person-password":
        assert "kept words" in answer.content.decode()


@pytest.mark.parametrize(
    "name",
    ["person", "person-roles", "person-standing", "person-password", "person-second-factor"],
)
def test_an_empty_form_is_refused_with_its_page(client: Client, person: User, name: str) -> None:
    answer = client.post(address(name, person.pk), {})
    assert answer.status_code == 422
    assert "<h1>Some Body</h1>" in answer.content.decode()


@pytest.mark.parametrize("name", ["person", "person-standing", "person-password"])
def test_a_person_who_is_not_there(client: Client, name: str) -> None:
    values = {"expected_revision": "1", "printed_name": "X", "reason": "x", "active": "no"}
    assert client.post(address(name, make_site().pk), values).status_code == 404


def test_a_revocation_from_the_page(client: Client, person: User) -> None:
    held = Membership.objects.get(user=person)
    revocation = address("role-revocation", person.pk, held.pk)
    assert client.post(revocation, {"expected_revision": "1"}).status_code == 302
    assert client.post(revocation, {"expected_revision": "1"}).status_code == 409


def test_sessions_are_listed_and_ended_one_by_one(client: Client, person: User) -> None:
    first, second = sign_in("rea", SECRET), sign_in("rea", SECRET)
    html = client.get(address("person", person.pk)).content.decode()
    assert html.count("Some Browser") == 2
    one = UserSession.objects.filter(user=person).order_by("pk")[0]
    client.post(address("person-sessions", person.pk), {"session": str(one.pk)})
    assert first.get(reverse("review:calls")).status_code == 302
    assert second.get(reverse("review:calls")).status_code == 200
    client.post(address("person-sessions", person.pk), {})
    assert second.get(reverse("review:calls")).status_code == 302
    assert client.post(address("person-sessions", person.pk), {"session": "x"}).status_code == 422


def test_a_session_that_is_over_is_not_listed(client: Client, person: User) -> None:
    sign_in("rea", SECRET)
    keys = UserSession.objects.filter(user=person).values("session_key")
    over = timezone.now() - timedelta(seconds=1)
    Session.objects.filter(session_key__in=keys).update(expire_date=over)
    assert "Some Browser" not in client.get(address("person", person.pk)).content.decode()


def test_a_replaced_password_is_shown_to_the_administrator(client: Client, person: User) -> None:
    answer = client.post(address("person-password", person.pk), {"expected_revision": "1"})
    assert answer.status_code == 200
    word = answer.context["password"]
    assert sign_in("rea", word).get("/")["Location"] == reverse("account_change_password")
    assert sign_in("rea", SECRET).get("/")["Location"].startswith(reverse("account_login"))


def test_deactivated_people_are_told_at_the_door(client: Client, person: User) -> None:
    values = {"expected_revision": "1", "active": "no", "reason": "left"}
    client.post(address("person-standing", person.pk), values)
    assert not User.objects.get(pk=person.pk).is_active
    browser = sign_in("rea", SECRET)
    assert browser.get("/").status_code == 302
    assert "deactivated" in browser.get(reverse("account_inactive")).content.decode()
    back = {"expected_revision": "2", "active": "yes", "reason": "back"}
    client.post(address("person-standing", person.pk), back)
    assert sign_in("rea", SECRET).get("/").status_code == 200


def test_a_site_from_opening_to_opening_again(client: Client) -> None:
    made = client.post(address("new-site"), {"slug": "east", "name": "East clinic"})
    east = Site.objects.get(slug="east")
    page = address("site", east.pk)
    assert made["Location"] == page
    again = client.post(address("new-site"), {"slug": "east", "name": "Other"})
    assert again.status_code == 422
    assert "There is a site east already" in again.content.decode()
    assert client.post(address("new-site"), {"slug": "e t", "name": "x"}).status_code == 422

    client.post(page, {"expected_revision": "1", "name": "East"})
    late = client.post(page, {"expected_revision": "1", "name": "Eastern"})
    assert late.status_code == 409
    assert "<td>East</td><td>Eastern</td>" in late.content.decode()

    standing = address("site-standing", east.pk)
    client.post(standing, {"expected_revision": "2", "retired": "yes"})
    assert "Open it again" in client.get(page).content.decode()
    assert str(east.pk) not in client.get(address("person", make_person().pk)).content.decode()
    assert client.post(standing, {"expected_revision": "2", "retired": "no"}).status_code == 409
    client.post(standing, {"expected_revision": "3", "retired": "no"})
    assert Site.objects.get(slug="east").retired_at is None


def test_the_list_costs_as_many_queries_for_many_people(
    client: Client, django_assert_max_num_queries: object
) -> None:
    for _ in range(12):
        make_person(Role.REVIEWER, Role.CATALOG_AUTHOR)
    assert callable(django_assert_max_num_queries)
    with django_assert_max_num_queries(12):
        assert client.get(address("people")).status_code == 200


def test_an_administrator_reads_why_the_list_of_calls_is_empty(client: Client) -> None:
    html = client.get(reverse("review:calls")).content.decode()
    assert "An administrator reads no calls." in html
    assert "Ask an administrator" not in html


def test_a_site_masks_identifiers_and_shows_them_again(client: Client) -> None:
    site = make_site()
    masking, page = address("site-masking", site.pk), address("site", site.pk)
    assert "Mask identifiers" in client.get(page).content.decode()
    assert client.post(masking, {"expected_revision": 1, "masks": "maybe"}).status_code == 422
    assert client.post(masking, {"expected_revision": 1, "masks": "yes"}).status_code == 302
    assert "identifiers masked" in client.get(page).content.decode()
    assert client.post(masking, {"expected_revision": 1, "masks": "no"}).status_code == 409
    again = client.post(masking, {"expected_revision": 2, "masks": "yes"})
    assert again.status_code == 422
    assert "masks identifiers already" in again.content.decode()
    assert client.post(masking, {"expected_revision": 2, "masks": "no"}).status_code == 302
    site.refresh_from_db()
    assert not site.masks_identifiers


def test_an_adjudicator_is_set_by_one_turned_on_by_another_and_off_by_any(
    client: Client, settings: Any
) -> None:
    site, page = make_site(), address("adjudicator", make_site().pk)
    switch = address("adjudicator-switch", site.pk)
    typed = {**WISH, "phases": "PID CSV PID", "expected_revision": 0}
    assert "allows no host" in client.get(page).content.decode()
    settings.ADJUDICATOR_HOSTS = ["models.example.org"]
    #: what is typed wrongly, at which field
    for wrong, field in (
        ({"url": "http://models.example.org/v1"}, "url"),
        ({"url": "https://elsewhere.example.org/v1"}, "url"),
        ({"url": "https://169.254.169.254/v1"}, "url"),
        ({"url": "https://user@models.example.org/v1"}, "url"),
        ({"agreement": " "}, "agreement"),
        ({"second_model": "m1"}, "second_model"),
        ({"phases": " "}, "phases"),
        ({"model": "a b"}, "model"),
    ):
        got = client.post(page, {**typed, **wrong})
        assert (got.status_code, list(got.context["forms"]["setting"].errors)) == (422, [field])
        assert "Agreement 7" in got.content.decode() or field == "agreement"
    assert client.post(page, typed).status_code == 302
    assert client.post(page, typed).status_code == 409
    # Who set it does not turn it on, and nobody does without having seen the agreement.
    on = {"expected_revision": 1, "on": "yes", "agreed": "on"}
    own = client.post(switch, on)
    assert (own.status_code, "You set this yourself" in own.content.decode()) == (422, True)
    second = Client(headers=HOST)
    second.force_login(administrator("ada"))
    assert second.post(switch, {**on, "agreed": ""}).status_code == 422
    assert second.post(switch, {**on, "expected_revision": 0}).status_code == 409
    assert second.post(switch, on).status_code == 302
    assert "Stop all sending" in client.get(page).content.decode()
    stored = Adjudicator.objects.get(site=site)
    assert (stored.phases, stored.on_by) == (["PID", "CSV"], User.objects.get(username="ada"))
    # Stopping asks for no revision; and whoever sets something else has it off again.
    assert client.post(switch, {"expected_revision": 0, "on": "no"}).status_code == 302
    assert second.post(switch, {**on, "expected_revision": 3}).status_code == 302
    assert client.post(page, {**typed, "expected_revision": 4}).status_code == 302
    stored.refresh_from_db()
    assert (stored.on_at, stored.revision) == (None, 5)
    for setter in (second, client):
        with pytest.raises(IntegrityError), transaction.atomic():
            Adjudicator.objects.update(on_by=stored.set_by, on_at=stored.set_at)
        assert setter.get(switch).status_code == 302
