"""What a person is, and where. Every answer is no for somebody unknown, inactive or revoked."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from oipsce_site.people.models import Membership, Site, User
from oipsce_site.people.roles import Role


def memberships_of(user: User | AnonymousUser) -> QuerySet[Membership]:
    """Return the memberships that count now: not revoked, of an active user."""
    if isinstance(user, AnonymousUser):
        return Membership.objects.none()
    return Membership.objects.filter(user=user, user__is_active=True, revoked_at__isnull=True)


def sites_of(user: User | AnonymousUser) -> QuerySet[Site]:
    """Return the sites where `user` holds a role, by slug.

    Organisation-wide roles add no site: an administrator or a catalog author sees no call.
    """
    held = memberships_of(user).filter(site__isnull=False)
    return Site.objects.filter(pk__in=held.values("site_id")).order_by("slug")


def roles_of(user: User | AnonymousUser, site: Site | None = None) -> frozenset[Role]:
    """Return the roles of `user` that hold at `site`, organisation-wide ones included.

    Without a site only the organisation-wide roles are returned.
    """
    reach = Q(site__isnull=True) if site is None else Q(site__isnull=True) | Q(site=site)
    held = memberships_of(user).filter(reach).values_list("role", flat=True)
    return frozenset(Role(role) for role in held)


def has_role(user: User | AnonymousUser, site: Site | None, *roles: Role) -> bool:
    """Return whether `user` holds at least one of `roles` at `site` (None: organisation-wide)."""
    return not roles_of(user, site).isdisjoint(roles)
