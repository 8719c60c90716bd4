"""Sending a webhook: to the address that was judged, by its number, without following anything."""

from __future__ import annotations

import http.client
from collections.abc import Mapping

from oipsce_site.outbound import Allowed, RefusedAddress, resolve
from review.adapters.pinned import PinnedConnection

_SECONDS = 10
_MOST_READ = 65_536


def post(url: str, body: bytes, headers: Mapping[str, str], allowed: Allowed) -> str:
    """Send a body; return "" when it was taken, else what went wrong in a few words.

    A redirect is no acceptance and is not followed. What was answered is read for its status alone.
    """
    try:
        target = resolve(url, allowed)
        connection = PinnedConnection(target, _SECONDS)
        try:
            connection.request("POST", target.path, body, {**_FIXED, **headers})
            answer = connection.getresponse()
            answer.read(_MOST_READ)
            return "" if 200 <= answer.status < 300 else f"answered {answer.status}"
        finally:
            connection.close()
    except RefusedAddress:
        return "address refused"
    except (OSError, http.client.HTTPException) as error:
        return type(error).__name__


_FIXED = {"Content-Type": "application/json", "User-Agent": "oip-sce-review"}
