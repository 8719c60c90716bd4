"""Programs at the API: clients with keys, and a browserless way to ask."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from django.test import Client

from oipsce_site.administration.actions.clients import ClientWish, make_client
from oipsce_site.people.models import ApiClient, Scope, Site, WebhookEndpoint
from oipsce_site.people.roles import Role
from tests.factories import NOON, make_person, make_site, raw_micro

BOTH = (Scope.WRITE_CALLS, Scope.READ_VERDICTS)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the status, the JSON body, the headers."""

    status: int
    body: Any
    headers: Mapping[str, str]


@dataclass(slots=True)
class Program:
    """A program that asks with a key."""

    key: str
    browser: Client = field(default_factory=Client)

    def ask(
        self,
        method: str,
        place: str,
        body: bytes | Mapping[str, Any] | None = None,
        *,
        once: str | None = None,
        **headers: str,
    ) -> Answer:
        """Send one request, a POST under a new idempotency key unless `once` names one."""
        data = json.dumps(body).encode() if isinstance(body, Mapping) else body or b""
        sent = {"Authorization": f"Bearer {self.key}", **headers}
        if method == "POST":
            sent.setdefault("Idempotency-Key", once or uuid4().hex)
        got = self.browser.generic(
            method, f"/api/v1/{place}", data, "application/json", headers=sent
        )
        kind = got.headers["Content-Type"]
        wanted = "application/json" if got.status_code < 400 else "application/problem+json"
        assert kind == wanted, (got.status_code, kind)
        assert not got.cookies
        return Answer(got.status_code, json.loads(got.content), got.headers)

    def post(self, place: str, body: Any, once: str | None = None, **headers: str) -> Answer:
        """Send a body."""
        return self.ask("POST", place, body, once=once, **headers)

    def get(self, place: str) -> Answer:
        """Ask for what is there."""
        return self.ask("GET", place)


def program(site: Site | None = None, *scopes: Scope, per_minute: int = 6000) -> Program:
    """Make a client at a site, of both scopes unless some are named."""
    place, by = site or make_site(), make_person(Role.ADMINISTRATOR)
    wish = ClientWish(place.pk, "dialler", scopes or BOTH, 90, per_minute)
    return Program(make_client(client_id=uuid4(), wish=wish, by=by, at=datetime.now(UTC)))


def client_behind(one: Program) -> ApiClient:
    """Return the client of a program."""
    return ApiClient.objects.select_related("site").get(pk=one.key.split("_")[1])


def head(**changes: Any) -> dict[str, Any]:
    """Return the micro case as a running call begins: without turns."""
    raw = raw_micro(**changes)
    kept = ("format", "id", "title", "call", "speakers")
    return {key: raw[key] for key in kept if key in raw}


def turns() -> list[dict[str, Any]]:
    """Return the turns of the micro case: the result is told before the identity is known."""
    return list(raw_micro()["turns"])


def make_webhook(site: Site) -> UUID:
    """Return an address that alerts are sent to; its secret opens nowhere."""
    return WebhookEndpoint.objects.create(
        id=uuid4(),
        site=site,
        url="https://alerts.example.org/",
        wrapped_key=b"",
        sealed_secret=b"",
        made_at=NOON,
        made_by=make_person(Role.ADMINISTRATOR),
    ).pk
