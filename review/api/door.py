"""The door of the API: a key in the Authorization header, nothing else, opens it."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer

from oipsce_site.administration.actions.clients import KeyRefused, QuotaSpent, admit_client
from oipsce_site.people.models import ApiClient, Scope
from review.api.problems import Problem


class ClientKey(HttpBearer):
    """Admits a client whose key opens one of the scopes, and counts the request."""

    def __init__(self, *scopes: Scope) -> None:
        super().__init__()
        self._scopes = scopes

    def __call__(self, request: HttpRequest) -> ApiClient:
        """Return the client. Raises Problem."""
        scheme, _, key = request.headers.get("Authorization", "").partition(" ")
        return self.authenticate(request, key.strip() if scheme.lower() == "bearer" else "")

    def authenticate(self, request: HttpRequest, token: str) -> ApiClient:
        """Return the client with this key. Raises Problem."""
        try:
            client = admit_client(key=token, at=timezone.now())
        except KeyRefused:
            raise Problem(
                401,
                "key",
                "Send a client's key that is in force: Authorization: Bearer oip_… . An "
                "administrator makes one on the page Clients.",
                headers={"WWW-Authenticate": "Bearer"},
            ) from None
        except QuotaSpent as refusal:
            wait = {"Retry-After": str(refusal.wait_s)}
            raise Problem(429, "quota", str(refusal), headers=wait) from None
        if not set(self._scopes).intersection(client.scopes):
            wanted = " or ".join(str(one.label) for one in self._scopes)
            raise Problem(403, "scope", f"This key may not {wanted}.")
        request.client = client  # type: ignore[attr-defined]
        return client


def client_of(request: HttpRequest) -> ApiClient:
    """Return the client that was admitted."""
    return cast("ApiClient", request.client)  # type: ignore[attr-defined]
