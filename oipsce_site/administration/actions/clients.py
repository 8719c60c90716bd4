"""Programs that hand calls in: made with a key that is shown once, admitted by it, revoked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection, transaction

from oipsce_site.administration.actions.acting import Acting, NotThere, UnableToAdminister
from oipsce_site.administration.passwords import digest_of_key, new_client_key
from oipsce_site.people.matrix import Act
from oipsce_site.people.models import ApiClient, Scope, Site, User
from oipsce_site.rows import columns_of, from_row

LONGEST_DAYS = 365
_WINDOW = timedelta(minutes=1)
_KEY = re.compile(r"oip_[0-9a-f]{32}_[A-Za-z0-9_-]{43}", re.ASCII)


class KeyRefused(Exception):
    """No client has this key, or it has ended; who asks is not told which."""


class QuotaSpent(Exception):
    """The client has asked more often than its quota allows; `wait_s` seconds end the minute."""

    def __init__(self, per_minute: int, wait_s: int) -> None:
        super().__init__(
            f"This key may ask {per_minute} times a minute. Ask again in {wait_s} seconds."
        )
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class ClientWish:
    """What a new client is to be: at which site, what its key opens, for how long, how often."""

    site_id: UUID
    name: str
    scopes: tuple[Scope, ...]
    days: int
    per_minute: int


def make_client(*, client_id: UUID, wish: ClientWish, by: User, at: datetime) -> str:
    """Make a client and return its key, which is stored nowhere.

    Raises NotAllowed, or UnableToAdminister for a site that is retired or not there.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at, Act.MANAGE_CLIENTS)
        site = Site.objects.filter(pk=wish.site_id, retired_at__isnull=True).first()
        if site is None:
            raise UnableToAdminister("Choose a site that is open.", field="site")
        key = new_client_key(client_id)
        ApiClient.objects.create(
            id=client_id,
            site=site,
            name=wish.name,
            key_digest=digest_of_key(key),
            scopes=sorted(wish.scopes),
            per_minute=wish.per_minute,
            made_at=at,
            made_by=by,
            expires_at=at + timedelta(days=wish.days),
        )
        acting.record(
            "client.make",
            {
                "client_id": str(client_id),
                "site_id": str(site.pk),
                "scopes": sorted(wish.scopes),
                "days": wish.days,
                "per_minute": wish.per_minute,
            },
        )
    return key


def revoke_client(*, client_id: UUID, by: User, at: datetime) -> None:
    """End a client's key for ever; what is under way with it is refused at its next request.

    Raises NotAllowed, NotThere, or UnableToAdminister when it is revoked already.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at, Act.MANAGE_CLIENTS)
        client = ApiClient.objects.select_for_update(of=("self",)).filter(pk=client_id).first()
        if client is None:
            raise NotThere
        if client.revoked_at is not None:
            raise UnableToAdminister("The key is revoked already.")
        client.revoked_at, client.revoked_by = at, by
        client.save(update_fields=["revoked_at", "revoked_by"])
        acting.record("client.revoke", {"client_id": str(client_id)})


def admit_client(*, key: str, at: datetime) -> ApiClient:
    """Return the client whose key this is, and count the request.

    Raises KeyRefused for a key that is unknown, revoked or past its end, QuotaSpent for one that
    was used too often within a minute.
    """
    if not _KEY.fullmatch(key):
        raise KeyRefused
    with connection.cursor() as cursor:
        # One statement: two requests at once count as two, and a refused key writes nothing.
        cursor.execute(
            _COUNT,
            {"at": at, "digest": digest_of_key(key), "since": at - _WINDOW},
        )
        found = cursor.fetchone()
    if found is None:
        raise KeyRefused
    client = from_row(ApiClient, found)
    if client.window_at is not None and client.window_count > client.per_minute:
        left = (client.window_at + _WINDOW - at).total_seconds()
        raise QuotaSpent(client.per_minute, max(1, int(left) + 1))
    return client


_COUNT = f"""
UPDATE {ApiClient._meta.db_table} SET last_used_at = %(at)s,
  window_at = CASE WHEN window_at > %(since)s THEN window_at ELSE %(at)s END,
  window_count = CASE WHEN window_at > %(since)s THEN window_count + 1 ELSE 1 END
WHERE key_digest = %(digest)s AND revoked_at IS NULL AND expires_at > %(at)s
RETURNING {columns_of(ApiClient)}
"""  # noqa: S608 - names of our own
