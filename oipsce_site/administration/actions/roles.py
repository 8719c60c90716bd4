"""Roles: asked for by one administrator, granted by a second one, revoked by any.

Granting needs two people (audit_security 2d), taking away one: less can be done afterwards.
Neither the asker nor the granter is who gets the role. An administrator holds no role at a site:
they never read a call.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from oipsce_site.administration.actions.acting import (
    Acting,
    ChangedMeanwhile,
    NotThere,
    UnableToAdminister,
)
from oipsce_site.administration.actions.people import check_not_oneself
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import commit_text
from oipsce_site.ledger.record import new_nonce
from oipsce_site.people.matrix import BY_A_SECOND_PERSON, Act
from oipsce_site.people.models import Answer, Membership, RoleRequest, Site, User
from oipsce_site.people.roles import SITE_ROLES, Role


@dataclass(frozen=True, slots=True)
class Wish:
    """A role at a site (None: in the organisation), and why."""

    role: Role
    site_id: UUID | None
    reason: str


def request_role(
    *,
    request_id: UUID,
    person_id: UUID,
    expected_revision: int,
    wish: Wish,
    by: User,
    at: datetime,
) -> None:
    """Ask for a role for somebody; a second administrator grants it.

    Raises NotAllowed, NotThere, ChangedMeanwhile, or UnableToAdminister: for oneself, for a role
    that is held or asked for, that does not fit what is held, or at a site that takes none.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        user = acting.load_person(person_id, expected_revision)
        if user.pk == by.pk:
            raise UnableToAdminister("Nobody asks for a role for themselves.")
        site = _open_site(wish)
        _check_fits(user, wish.role, site)
        same = RoleRequest.objects.filter(user=user, role=wish.role, answer="")
        if wish.site_id in set(same.values_list("site_id", flat=True)):
            raise UnableToAdminister("This role is asked for already.", field="role")
        nonce = new_nonce()
        RoleRequest.objects.create(
            id=request_id,
            user=user,
            site_id=wish.site_id,
            role=wish.role,
            reason=wish.reason,
            nonce=nonce,
            asked_by=by,
            asked_at=at,
        )
        acting.store(user)
        facts = {**_what(wish.role, wish.site_id), "request_id": str(request_id)}
        facts["reason"] = commit_text(nonce, wish.reason)
        acting.note(user, "role.request", facts, words=_in_words(wish.role, site))


def grant_role(*, request_id: UUID, by: User, at: datetime) -> None:
    """Grant what another administrator asked for.

    Raises NotAllowed, NotThere, ChangedMeanwhile when it has been answered, or UnableToAdminister:
    for who asked, for who gets it, or when it does not fit any more.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at, Act.GRANT_ROLES)
        asked, user = _load_open(acting, request_id)
        if Act.GRANT_ROLES in BY_A_SECOND_PERSON and by.pk == asked.asked_by_id:
            raise UnableToAdminister(
                "A second administrator grants the role; you asked for it. With only one "
                "administrator, run manage.py appoint_administrator for another."
            )
        if by.pk == user.pk:
            raise UnableToAdminister("Nobody grants a role to themselves.")
        if not user.is_active:
            raise UnableToAdminister("The account is deactivated; activate it first.")
        wish = Wish(Role(asked.role), asked.site_id, asked.reason)
        site = _open_site(wish)
        _check_fits(user, wish.role, site)
        Membership.objects.create(
            user=user, site_id=asked.site_id, role=asked.role, granted_by=by, granted_at=at
        )
        _answer(acting, asked, Answer.GRANTED)
        acting.store(user)
        facts = {**_what(wish.role, wish.site_id), "request_id": str(request_id)}
        acting.note(user, "role.grant", facts, words=_in_words(wish.role, site))


def decline_role(*, request_id: UUID, by: User, at: datetime) -> None:
    """Decline a request; its own asker withdraws it.

    Raises NotAllowed, NotThere, or ChangedMeanwhile when it has been answered.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        asked, user = _load_open(acting, request_id)
        is_own = by.pk == asked.asked_by_id
        _answer(acting, asked, Answer.WITHDRAWN if is_own else Answer.DECLINED)
        acting.store(user)
        facts = {**_what(Role(asked.role), asked.site_id), "request_id": str(request_id)}
        words = _in_words(Role(asked.role), asked.site)
        acting.note(user, "role.withdraw" if is_own else "role.decline", facts, words=words)


def revoke_role(*, membership_id: UUID, expected_revision: int, by: User, at: datetime) -> None:
    """Take a role away. `expected_revision` is the person's.

    Raises NotAllowed, NotThere, ChangedMeanwhile, or UnableToAdminister for one's own role.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        found = Membership.objects.filter(pk=membership_id).first()
        if found is None:
            raise NotThere
        user = acting.load_person(found.user_id, expected_revision)
        check_not_oneself(user, by, "Another administrator revokes your roles.")
        held = Membership.objects.select_for_update(of=("self",)).get(pk=membership_id)
        if held.revoked_at is not None:
            raise ChangedMeanwhile
        held.revoked_at = max(at, held.granted_at)
        held.save(update_fields=["revoked_at"])
        acting.store(user)
        facts = {**_what(Role(held.role), held.site_id), "membership_id": str(membership_id)}
        acting.note(user, "role.revoke", facts, words=_in_words(Role(held.role), held.site))


def _what(role: Role, site_id: UUID | None) -> dict[str, Value]:
    return {"role": role.value, "site_id": str(site_id) if site_id else None}


def _in_words(role: Role, site: Site | None) -> str:
    """Return the role and its place as the account's history shows them."""
    return f"{role.label} at {site.name if site else 'the organisation'}"


def _open_site(wish: Wish) -> Site | None:
    """Return the site of a wish. Raises NotThere, UnableToAdminister for a retired one."""
    if wish.site_id is None:
        return None
    site = Site.objects.select_for_update(of=("self",)).filter(pk=wish.site_id).first()
    if site is None:
        raise NotThere
    if site.retired_at is not None:
        raise UnableToAdminister(
            f"The site {site.name} is retired and takes no new role.", field="site"
        )
    return site


def _check_fits(user: User, role: Role, site: Site | None) -> None:
    held = set(
        Membership.objects.filter(user=user, revoked_at__isnull=True).values_list("role", "site_id")
    )
    if (role.value, site.pk if site else None) in held:
        raise UnableToAdminister("The person holds this role already.", field="role")
    roles = {name for name, _ in held}
    if role is Role.ADMINISTRATOR and roles & {one.value for one in SITE_ROLES}:
        raise UnableToAdminister(
            "An administrator never reads calls: revoke the roles at sites first.", field="role"
        )
    if role in SITE_ROLES and Role.ADMINISTRATOR.value in roles:
        raise UnableToAdminister(
            "The person is an administrator, who never reads calls: revoke that role first.",
            field="role",
        )


def _load_open(acting: Acting, request_id: UUID) -> tuple[RoleRequest, User]:
    """Return a request that waits, and its person, both locked."""
    found = RoleRequest.objects.filter(pk=request_id).first()
    if found is None:
        raise NotThere
    user = acting.load_person(found.user_id)
    asked = RoleRequest.objects.select_for_update(of=("self",)).get(pk=request_id)
    if asked.answer:
        raise ChangedMeanwhile
    return asked, user


def _answer(acting: Acting, asked: RoleRequest, answer: Answer) -> None:
    asked.answer = answer
    asked.answered_by = acting.by
    asked.answered_at = acting.at
    asked.save(update_fields=["answer", "answered_by", "answered_at"])
