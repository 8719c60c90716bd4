"""Asking a language model: one POST to an address that is allowed, with an end to its time and to
the size of what it answers. This and the webhooks are all that ever connects outwards.
"""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Timer
from typing import Final, NamedTuple

from oipsce_site.outbound import Allowed, RefusedAddress, resolve
from review.adapters.pinned import PinnedConnection
from review.core.cascade.adjudication import Reason

MOST_READ: Final = 1_000_000
_PIECE: Final = 65_536
_ENDED: Final = {401: Reason.REFUSED, 403: Reason.REFUSED, 402: Reason.BILLING, 429: Reason.BUSY}


class Limits(NamedTuple):
    """Seconds to connect in, and seconds for all of it."""

    connect: float = 5.0
    total: float = 30.0


class Heard(NamedTuple):
    """What came back: a body where the status was 200, else why there is none."""

    reason: Reason | None
    body: bytes = b""


def ask_model(
    url: str, body: bytes, *, key: str, once: str, allowed: Allowed, limits: Limits
) -> Heard:
    """Send one request and return what was answered; nothing is raised and nothing followed.

    `key` is the endpoint's key, "" for none; `once` is the same for the same question, for
    endpoints that know how to be paid once.
    """
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "User-Agent": "oip-sce-review",
        "Idempotency-Key": once,
        # Azure reads the second one.
        **({"Authorization": f"Bearer {key}", "api-key": key} if key else {}),
    }
    try:
        target = resolve(url, allowed)
        connection = PinnedConnection(target, limits.connect)
        try:
            connection.connect()
            with _ending_in(connection.sock, limits.total):
                connection.request("POST", target.path, body, headers)
                return _read(connection.getresponse())
        finally:
            connection.close()
    except RefusedAddress:
        return Heard(Reason.ADDRESS)
    except TimeoutError:
        return Heard(Reason.TIMEOUT)
    except (OSError, http.client.HTTPException, ValueError):
        return Heard(Reason.UNREACHABLE)


@contextmanager
def _ending_in(sock: socket.socket, seconds: float) -> Iterator[None]:
    """Shut a socket down after so many seconds, however slowly something comes in."""
    fired: list[bool] = []

    def end() -> None:
        fired.append(True)
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)

    timer = Timer(seconds, end)
    timer.daemon = True
    sock.settimeout(seconds)
    timer.start()
    try:
        yield
    except (OSError, http.client.HTTPException, ValueError):
        if fired:
            raise TimeoutError from None
        raise
    finally:
        timer.cancel()
    if fired:
        # What was read until then looks whole where the answer said no length.
        raise TimeoutError


def _read(answer: http.client.HTTPResponse) -> Heard:
    if answer.status != 200:
        return Heard(_ended(answer.status))
    if (answer.length or 0) > MOST_READ:
        return Heard(Reason.TOO_LARGE)
    pieces, size = [], 0
    while piece := answer.read(_PIECE):
        size += len(piece)
        if size > MOST_READ:
            return Heard(Reason.TOO_LARGE)
        pieces.append(piece)
    return Heard(None, b"".join(pieces))


def _ended(status: int) -> Reason:
    if 300 <= status < 400:
        return Reason.REDIRECTED
    if status >= 500:
        return Reason.FAILED
    return _ENDED.get(status, Reason.REFUSED)
