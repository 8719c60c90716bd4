"""Sending a webhook: to the address that was judged, by its number, without following anything."""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Mapping

from oipsce_site.outbound import Allowed, RefusedAddress, Target, resolve

_SECONDS = 10
_MOST_READ = 65_536


class _Connection(http.client.HTTPConnection):
    """Connects to the number that was judged; the name is only said."""

    def __init__(self, target: Target) -> None:
        super().__init__(target.host, target.port, timeout=_SECONDS)
        self._target = target

    def connect(self) -> None:
        """Open the connection, with TLS for the name where the address says so."""
        plain = socket.create_connection((self._target.ip, self._target.port), self.timeout)
        if not self._target.is_secure:
            self.sock = plain
            return
        try:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(plain, server_hostname=self._target.host)
        except BaseException:
            plain.close()
            raise


def post(url: str, body: bytes, headers: Mapping[str, str], allowed: Allowed) -> str:
    """Send a body; return "" when it was taken, else what went wrong in a few words.

    A redirect is no acceptance and is not followed. What was answered is read for its status alone.
    """
    try:
        target = resolve(url, allowed)
        connection = _Connection(target)
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
