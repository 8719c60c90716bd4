"""Programs and webhooks, as their pages show them. No key and no secret is here to be shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from oipsce_site.administration.presenters.wording import show_time
from oipsce_site.people.models import ApiClient, Scope, WebhookEndpoint


@dataclass(frozen=True, slots=True)
class ClientLine:
    """One program. `ended` says why its key opens nothing any more; empty while it does."""

    id: UUID
    name: str
    site: str
    opens: str
    per_minute: int
    made: str
    ends: str
    last_used: str
    ended: str
    revoked: bool


@dataclass(frozen=True, slots=True)
class WebhookLine:
    """One address that alerts of a site are sent to."""

    id: UUID
    url: str
    site: str
    made: str


def show_clients(clients: Iterable[ApiClient], at: datetime) -> tuple[ClientLine, ...]:
    """Draw clients as they stand at a time."""
    return tuple(show_client(one, at) for one in clients)


def show_client(client: ApiClient, at: datetime) -> ClientLine:
    """Draw one client."""
    return ClientLine(
        id=client.pk,
        name=client.name,
        site=client.site.name,
        opens="; ".join(str(Scope(one).label) for one in client.scopes),
        per_minute=client.per_minute,
        made=f"{show_time(client.made_at)} by {client.made_by.printed_name}",
        ends=show_time(client.expires_at),
        last_used=show_time(client.last_used_at),
        ended=_ended(client, at),
        revoked=client.revoked_at is not None,
    )


def show_webhooks(endpoints: Iterable[WebhookEndpoint]) -> tuple[WebhookLine, ...]:
    """Draw the addresses."""
    return tuple(
        WebhookLine(
            one.pk,
            one.url,
            one.site.name,
            f"{show_time(one.made_at)} by {one.made_by.printed_name}",
        )
        for one in endpoints
    )


def _ended(client: ApiClient, at: datetime) -> str:
    if client.revoked_at is not None:
        who = client.revoked_by.printed_name if client.revoked_by else "somebody"
        return f"revoked {show_time(client.revoked_at)} by {who}"
    return f"ended {show_time(client.expires_at)}" if client.expires_at <= at else ""
