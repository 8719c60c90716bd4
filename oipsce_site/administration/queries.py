"""What the pages of people and sites read.

An auditor's reach is the people with a role at a site where they are auditor, those with an
organisation-wide role, and those sites. An administrator's reach is everything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.models import Count, F, Prefetch, Q, QuerySet

from oipsce_site.people.matrix import Act, sites_reached
from oipsce_site.people.models import (
    Adjudicator,
    ApiClient,
    EndedSession,
    EndedWhy,
    Membership,
    PersonAct,
    RoleRequest,
    Site,
    User,
    WebhookEndpoint,
)
from oipsce_site.people.permitted import held_by


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A sign-in that still holds. Without a note of its start (`id` None) only its end is known."""

    id: int | None
    started_at: datetime | None
    seen_at: datetime
    address: str
    browser: str
    key: str


def people_in_reach(user: User) -> QuerySet[User]:
    """Return the people whom `user` may see, by printed name."""
    people = User.objects.order_by("printed_name", "username")
    sites = _seen(user)
    if sites is None:
        return people
    held = Membership.objects.filter(revoked_at__isnull=True)
    near = held.filter(Q(site__in=sites) | Q(site__isnull=True))
    return people.filter(pk__in=near.values("user_id"))


def sites_in_reach(user: User) -> QuerySet[Site]:
    """Return the sites that `user` may see in administration, by name."""
    sites = Site.objects.order_by("name", "slug")
    seen = _seen(user)
    return sites if seen is None else sites.filter(pk__in=seen)


def _seen(user: User) -> frozenset[UUID] | None:
    """Return the ids of the sites whose people `user` sees; None: all of them."""
    return sites_reached(Act.SEE_PEOPLE, held_by(user))


def list_people(user: User) -> list[User]:
    """Return the people in reach, each with the memberships that hold, in two queries."""
    holding = Membership.objects.filter(revoked_at__isnull=True).select_related("site")
    memberships = holding.order_by("site__slug", "role")
    return list(people_in_reach(user).prefetch_related(Prefetch("memberships", memberships)))


def list_requests(person: User | None = None) -> list[RoleRequest]:
    """Return the open requests for roles, the eldest first; of one person or of all."""
    found = RoleRequest.objects.filter(answer="").select_related("user", "site", "asked_by")
    if person is not None:
        found = found.filter(user=person)
    return list(found.order_by("asked_at", "pk"))


def list_memberships(person: User) -> list[Membership]:
    """Return the memberships of a person that hold, whether or not the account is active."""
    held = Membership.objects.filter(user=person, revoked_at__isnull=True)
    return list(held.select_related("site", "granted_by").order_by("site__slug", "role"))


def list_acts(person: User, *, most: int) -> list[PersonAct]:
    """Return what was done to a person, the latest first."""
    found = PersonAct.objects.filter(user=person).select_related("by")
    return list(found.order_by("-at", "-pk")[:most])


def with_second_factor() -> dict[UUID, frozenset[str]]:
    """Return the kinds of second factors per person: "totp", "webauthn"; codes alone are none."""
    kinds: dict[UUID, set[str]] = {}
    strong = Authenticator.objects.exclude(type=Authenticator.Type.RECOVERY_CODES)
    for user_id, kind in strong.values_list("user_id", "type"):
        kinds.setdefault(user_id, set()).add(kind)
    return {user_id: frozenset(found) for user_id, found in kinds.items()}


def list_sites(user: User) -> list[tuple[Site, int]]:
    """Return the sites in reach, each with how many people hold a role there."""
    holding = Q(memberships__revoked_at__isnull=True, memberships__user__is_active=True)
    counted = Count("memberships__user", filter=holding, distinct=True)
    return [(one, one.held) for one in sites_in_reach(user).annotate(held=counted)]


def holders_at(site: Site) -> list[Membership]:
    """Return who holds which role at a site, by name; deactivated accounts left out."""
    held = Membership.objects.filter(site=site, revoked_at__isnull=True, user__is_active=True)
    return list(held.select_related("user").order_by("user__printed_name", "role"))


def open_sites() -> list[Site]:
    """Return the sites where a role can be asked for, by name."""
    return list(Site.objects.filter(retired_at__isnull=True).order_by("name", "slug"))


def list_clients() -> list[ApiClient]:
    """Return every client, those that hold first, then by site and name."""
    found = ApiClient.objects.select_related("site", "made_by", "revoked_by")
    return list(found.order_by(F("revoked_at").desc(nulls_first=True), "site__name", "name", "pk"))


def get_client(client_id: UUID) -> ApiClient | None:
    """Return one client, or None."""
    found = ApiClient.objects.select_related("site", "made_by", "revoked_by")
    return found.filter(pk=client_id).first()


def adjudicator_of(site_id: UUID) -> Adjudicator | None:
    """Return what is set for the adjudicator of a site; None where nobody has set anything."""
    found = Adjudicator.objects.select_related("set_by", "on_by")
    return found.filter(site_id=site_id).first()


def list_webhooks() -> list[WebhookEndpoint]:
    """Return the addresses that alerts are sent to, by site."""
    found = WebhookEndpoint.objects.filter(removed_at__isnull=True)
    return list(found.select_related("site", "made_by").order_by("site__name", "url"))


def sessions_of(person: User, *, at: datetime) -> list[OpenSession]:
    """Return the sessions of a person that hold at `at`, last used first.

    Django's sessions name their person inside only, so all that hold are read: they last fifteen
    idle minutes, so there are no more of them than people at work.
    """
    noted = {one.session_key: one for one in UserSession.objects.filter(user=person)}
    found = [_open(session, noted.get(session.session_key)) for session in _live(person, at)]
    return sorted(found, key=lambda one: one.seen_at, reverse=True)


def has_second_factor(person: User) -> bool:
    """Say whether a person has set up a key or an app; codes alone are none."""
    strong = Authenticator.objects.exclude(type=Authenticator.Type.RECOVERY_CODES)
    return bool(strong.filter(user=person).exists())


def why_ended(session_key: str) -> EndedWhy | None:
    """Return what ended a session before its time; None for any other that holds no more."""
    found = EndedSession.objects.filter(key_digest=digest_of(session_key)).first()
    return None if found is None else EndedWhy(found.why)


def digest_of(session_key: str) -> str:
    """Return how an ended session is remembered, without what signs in."""
    return hashlib.sha256(session_key.encode(errors="replace")).hexdigest()


def _live(person: User, at: datetime) -> Iterator[Session]:
    for session in Session.objects.filter(expire_date__gt=at).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(person.pk):
            yield session


def _open(session: Session, noted: UserSession | None) -> OpenSession:
    return OpenSession(
        id=noted.pk if noted else None,
        started_at=noted.created_at if noted else None,
        # Each request of a person moves the end; so the end tells when the last one came.
        seen_at=session.expire_date - timedelta(seconds=settings.SESSION_COOKIE_AGE),
        address=str(noted.ip) if noted else "",
        browser=noted.user_agent if noted else "",
        key=session.session_key,
    )
