"""Where this installation may connect to: an address is judged when it is stored and again when it
is used, after its name was resolved (audit_security 4: A35).

Nothing is allowed unless the operator of the machine says so in the environment.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

_LONGEST = 500
_PORTS = {"https": 443, "http": 80}
# `is_global` says yes to these, which lead to other addresses or to many at once.
_LEADING_ELSEWHERE = tuple(map(ipaddress.ip_network, ("64:ff9b::/96", "2002::/16", "2001::/32")))


class RefusedAddress(ValueError):
    """The address may not be connected to; the sentence says why and what to do."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the operator allows: host names, and whether they may lie in private networks; `setting`
    is where the operator says so.
    """

    hosts: Collection[str]
    private: bool = False
    setting: str = "OIPSCE_WEBHOOK_HOSTS"


@dataclass(frozen=True, slots=True)
class Target:
    """An address taken apart, with the one IP address that is connected to."""

    host: str
    port: int
    path: str
    is_secure: bool
    ip: str


def check_address(url: str, allowed: Allowed) -> SplitResult:
    """Return the parts of a URL that may be stored. Raises RefusedAddress."""
    if len(url) > _LONGEST or not url.isascii() or any(one <= " " for one in url):
        raise RefusedAddress(
            f"The address has blanks, other characters than ASCII, or more than {_LONGEST}."
        )
    parts = _split(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and allowed.private):
        raise RefusedAddress("The address must begin with https://.")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise RefusedAddress("The address may have no user name, password or fragment.")
    host = parts.hostname or ""
    if host not in allowed.hosts:
        raise RefusedAddress(
            f"The host {host or '(none)'} is not allowed. The operator of this installation lists "
            f"the hosts that may be connected to in {allowed.setting}."
        )
    return parts


def resolve(url: str, allowed: Allowed) -> Target:
    """Return where to connect to for a URL: every address of its name must be allowed.

    Connect to `ip`, not to the name: a name may mean another place a moment later. Raises
    RefusedAddress, or OSError when the name is not found.
    """
    parts = check_address(url, allowed)
    host, is_secure = parts.hostname or "", parts.scheme == "https"
    port = parts.port or _PORTS[parts.scheme]
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [ipaddress.ip_address(one[4][0]) for one in found]
    for address in addresses:
        if not is_allowed(address, allowed):
            raise RefusedAddress(f"The host {host} leads into a private network.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(host, port, path, is_secure, str(addresses[0]))


def is_allowed(address: IPAddress, allowed: Allowed) -> bool:
    """Say whether an IP address may be connected to.

    >>> is_allowed(ipaddress.ip_address("169.254.169.254"), Allowed(()))
    False
    """
    if isinstance(address, ipaddress.IPv6Address):
        if any(address in network for network in _LEADING_ELSEWHERE):
            return False
        if address.ipv4_mapped is not None:
            return is_allowed(address.ipv4_mapped, allowed)
    if address.is_multicast or address.is_unspecified or address.is_link_local:
        return False
    return address.is_global or allowed.private


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise RefusedAddress("The address cannot be read; write https://host/path.") from None
    return parts
