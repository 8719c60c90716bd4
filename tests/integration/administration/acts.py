"""Every act of administration: the kind of its entry, and a state in which it can be done."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID, uuid4

from allauth.mfa.models import Authenticator
from django.test import override_settings

from oipsce_site.administration.actions.adjudicators import (
    set_adjudicator,
    turn_adjudicator_off,
    turn_adjudicator_on,
)
from oipsce_site.administration.actions.attempts import begin_attempt, fail_attempt
from oipsce_site.administration.actions.clients import ClientWish, make_client, revoke_client
from oipsce_site.administration.actions.people import (
    Details,
    create_person,
    deactivate_person,
    describe_person,
    reactivate_person,
)
from oipsce_site.administration.actions.roles import (
    Wish,
    decline_role,
    grant_role,
    request_role,
    revoke_role,
)
from oipsce_site.administration.actions.sessions import (
    begin_session,
    end_own_sessions,
    end_sessions,
)
from oipsce_site.administration.actions.sign_in import (
    choose_password,
    record_factors,
    replace_password,
    reset_second_factor,
)
from oipsce_site.administration.actions.sites import (
    mask_site,
    rename_site,
    reopen_site,
    retire_site,
)
from oipsce_site.administration.actions.webhooks import add_webhook, remove_webhook
from oipsce_site.people.models import Membership, RoleRequest, Scope, Site, User
from oipsce_site.people.roles import Role
from tests.factories import NOON, make_person, make_site
from tests.programs import client_behind, make_webhook, program

Act = Callable[[], object]


def administrator(username: str = "") -> User:
    """Make an administrator."""
    return make_person(Role.ADMINISTRATOR, username=username)


def revision_of(person: User) -> int:
    """Return the stored revision of a person."""
    return User.objects.get(pk=person.pk).revision


def site_revision(site: Site) -> int:
    """Return the stored revision of a site."""
    return Site.objects.get(pk=site.pk).revision


def asked(
    person: User, role: Role = Role.REVIEWER, site: Site | None = None, by: User | None = None
) -> UUID:
    """Have an administrator ask for a role; return the request's id."""
    request_id = uuid4()
    request_role(
        request_id=request_id,
        person_id=person.pk,
        expected_revision=revision_of(person),
        wish=Wish(role, site.pk if site else None, "on the rota"),
        by=by or administrator(),
        at=NOON,
    )
    return request_id


def with_factor(person: User) -> User:
    """Give a person an authenticator app."""
    Authenticator.objects.create(user=person, type=Authenticator.Type.TOTP, data={})
    return person


def deactivated(person: User) -> User:
    """Deactivate a person."""
    deactivate_person(
        person_id=person.pk,
        expected_revision=revision_of(person),
        reason="left",
        by=administrator(),
        at=NOON,
    )
    return person


def _create() -> Act:
    by = administrator()
    details = Details("newcomer", "New Comer", "")
    return lambda: create_person(details=details, password="a-b-c-d", by=by, at=NOON)


def _describe() -> Act:
    by, person = administrator(), make_person()
    details = Details("", "Other Name", "other@example.org")
    return lambda: describe_person(
        person_id=person.pk, expected_revision=1, details=details, by=by, at=NOON
    )


def _deactivate() -> Act:
    by, person = administrator(), make_person()
    return lambda: deactivate_person(
        person_id=person.pk, expected_revision=1, reason="left", by=by, at=NOON
    )


def _reactivate() -> Act:
    by, person = administrator(), deactivated(make_person())
    return lambda: reactivate_person(
        person_id=person.pk, expected_revision=2, reason="came back", by=by, at=NOON
    )


def _replace() -> Act:
    by, person = administrator(), make_person()
    return lambda: replace_password(
        person_id=person.pk, expected_revision=1, password="a-b-c-d", by=by, at=NOON
    )


def _choose() -> Act:
    person = make_person()
    return lambda: choose_password(password="my own secret", by=person, at=NOON)


def _reset() -> Act:
    by, person = administrator(), with_factor(make_person())
    return lambda: reset_second_factor(
        person_id=person.pk, expected_revision=1, reason="phone lost", by=by, at=NOON
    )


def _end() -> Act:
    by, person = administrator(), make_person()
    return lambda: end_sessions(person_id=person.pk, session_id=None, by=by, at=NOON)


def _begin() -> Act:
    person = make_person()
    return lambda: begin_session(by=person, session_key="k", address="10.0.0.1", at=NOON)


def _end_own() -> Act:
    person = make_person()
    return lambda: end_own_sessions(session_id=None, session_key="k", by=person, at=NOON)


def _fail() -> Act:
    attempt = begin_attempt(name="nobody", address="10.0.0.1", step="password", at=NOON)
    return lambda: fail_attempt(attempt=attempt, at=NOON)


def _set_up() -> Act:
    person = make_person()
    return lambda: record_factors(
        by=person, session_key="k", at=NOON, change=lambda: with_factor(person)
    )


def _ask() -> Act:
    person, site, by = make_person(), make_site(), administrator()
    return lambda: asked(person, site=site, by=by)


def _grant() -> Act:
    request_id, by = asked(make_person(), site=make_site()), administrator()
    return lambda: grant_role(request_id=request_id, by=by, at=NOON)


def _decline() -> Act:
    request_id, by = asked(make_person(), site=make_site()), administrator()
    return lambda: decline_role(request_id=request_id, by=by, at=NOON)


def _withdraw() -> Act:
    by = administrator()
    request_id = asked(make_person(), site=make_site(), by=by)
    assert RoleRequest.objects.get(pk=request_id).asked_by == by
    return lambda: decline_role(request_id=request_id, by=by, at=NOON)


def _revoke() -> Act:
    by, person = administrator(), make_person(Role.REVIEWER)
    held = Membership.objects.get(user=person)
    return lambda: revoke_role(membership_id=held.pk, expected_revision=1, by=by, at=NOON)


def _rename() -> Act:
    by, site = administrator(), make_site()
    return lambda: rename_site(site_id=site.pk, expected_revision=1, name="Far", by=by, at=NOON)


def _retire() -> Act:
    by, site = administrator(), make_site()
    return lambda: retire_site(site_id=site.pk, expected_revision=1, by=by, at=NOON)


def _reopen() -> Act:
    by, site = administrator(), make_site()
    retire_site(site_id=site.pk, expected_revision=1, by=by, at=NOON)
    return lambda: reopen_site(site_id=site.pk, expected_revision=2, by=by, at=NOON)


def _mask() -> Act:
    by, site = make_person(Role.ADMINISTRATOR), make_site()
    return lambda: mask_site(site_id=site.pk, expected_revision=1, masks=True, by=by, at=NOON)


#: What is set for an adjudicator.
WISH = {
    "url": "https://models.example.org/v1",
    "model": "m1",
    "second_model": "m2",
    "phases": ["PID"],
    "agreement": "Agreement 7",
    "tokens_per_call": 1,
    "tokens_per_day": 1,
    "tokens_per_catalog": 1,
    "cents_per_million": 1,
    "cents_per_day": 1,
}


def adjudicator_set(site: Site, by: User | None = None, revision: int = 0) -> None:
    """Set the adjudicator of a site, where the operator allows its host."""
    with override_settings(ADJUDICATOR_HOSTS=["models.example.org"]):
        set_adjudicator(
            adjudicator_id=uuid4(),
            site_id=site.pk,
            expected_revision=revision,
            wish=WISH,
            by=by or administrator(),
            at=NOON,
        )


def adjudicator_on(site: Site, by: User | None = None, revision: int = 1) -> None:
    """Turn it on, by somebody else."""
    with override_settings(ADJUDICATOR_HOSTS=["models.example.org"]):
        turn_adjudicator_on(
            site_id=site.pk, expected_revision=revision, by=by or administrator(), at=NOON
        )


def _set_adjudicator() -> Act:
    by, site = administrator(), make_site()
    return lambda: adjudicator_set(site, by)


def _turn_on() -> Act:
    by, site = administrator(), make_site()
    adjudicator_set(site)
    return lambda: adjudicator_on(site, by)


def _turn_off() -> Act:
    by, site = administrator(), make_site()
    adjudicator_set(site)
    return lambda: turn_adjudicator_off(site_id=site.pk, by=by, at=NOON)


def _make_client() -> Act:
    by, site = administrator(), make_site()
    wish = ClientWish(site.pk, "dialler", (Scope.WRITE_CALLS,), 90, 60)
    return lambda: make_client(client_id=uuid4(), wish=wish, by=by, at=NOON)


def _revoke_client() -> Act:
    by, client_id = administrator(), client_behind(program()).pk
    return lambda: revoke_client(client_id=client_id, by=by, at=NOON)


def _add_webhook() -> Act:
    by, site = administrator(), make_site()

    def act() -> None:
        with override_settings(WEBHOOK_HOSTS=["alerts.example.org"]):
            url = "https://alerts.example.org/x"
            add_webhook(endpoint_id=uuid4(), site_id=site.pk, url=url, by=by, at=NOON)

    return act


def _remove_webhook() -> Act:
    by, endpoint_id = administrator(), make_webhook(make_site())
    return lambda: remove_webhook(endpoint_id=endpoint_id, by=by, at=NOON)


ADMINISTRATION: dict[str, tuple[str, Callable[[], Act]]] = {
    "create_person": ("person.create", _create),
    "describe_person": ("person.describe", _describe),
    "deactivate_person": ("person.deactivate", _deactivate),
    "reactivate_person": ("person.reactivate", _reactivate),
    "replace_password": ("person.password", _replace),
    "choose_password": ("person.own_password", _choose),
    "reset_second_factor": ("person.second_factor_reset", _reset),
    "end_sessions": ("person.sessions_end", _end),
    "begin_session": ("sign_in.done", _begin),
    "end_own_sessions": ("person.own_sessions_end", _end_own),
    "fail_attempt": ("sign_in.fail", _fail),
    "record_factors": ("person.factor_add", _set_up),
    "request_role": ("role.request", _ask),
    "grant_role": ("role.grant", _grant),
    "decline_role": ("role.decline", _decline),
    "revoke_role": ("role.revoke", _revoke),
    "rename_site": ("site.rename", _rename),
    "mask_site": ("site.mask", _mask),
    "retire_site": ("site.retire", _retire),
    "reopen_site": ("site.reopen", _reopen),
    "set_adjudicator": ("adjudicator.set", _set_adjudicator),
    "turn_adjudicator_on": ("adjudicator.on", _turn_on),
    "turn_adjudicator_off": ("adjudicator.off", _turn_off),
    "make_client": ("client.make", _make_client),
    "revoke_client": ("client.revoke", _revoke_client),
    "add_webhook": ("webhook.add", _add_webhook),
    "remove_webhook": ("webhook.remove", _remove_webhook),
}

#: Public functions beside these acts: each is called by one, and its entry stands for both.
PARTS_OF_ADMINISTRATION = {
    "check_not_oneself": "deactivate_person",
    "delete_sessions": "end_sessions",
    "begin_attempt": "fail_attempt",
    "pass_attempt": "begin_session",
    "forget_failures": "begin_session",
    # Counts a request; what is done by it has its entries.
    "admit_client": "make_client",
}

#: Acts on one's own account, which ask for no role.
OWN = {"choose_password", "begin_session", "end_own_sessions", "fail_attempt", "record_factors"}

WITHDRAWAL = _withdraw
