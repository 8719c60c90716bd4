"""A connection to the number that was judged; the name is only said."""

from __future__ import annotations

import http.client
import socket
import ssl

from oipsce_site.outbound import Target


class PinnedConnection(http.client.HTTPConnection):
    """Connects to the IP address of a target, with TLS for its name where the address says so."""

    def __init__(self, target: Target, seconds: float) -> None:
        super().__init__(target.host, target.port, timeout=seconds)
        self._target = target

    def connect(self) -> None:
        """Open the connection."""
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
