"""Attempts to sign in: counted before they are tried, so that many at once count as well."""

from __future__ import annotations

import hashlib
import ipaddress
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Q

from oipsce_site.administration.actions.acting import Acting
from oipsce_site.administration.throttle import (
    ALERT_AT,
    MOST_OF_PAIR,
    WINDOW,
    refused_until,
)
from oipsce_site.people.models import SignInAttempt, User

_KEPT = timedelta(days=1)
#: IPv6 gives a household this many bits; all its addresses are one place.
_IPV6_PREFIX = 64

logger = logging.getLogger(__name__)


class TryLater(Exception):
    """Too many attempts failed; the sentence says until when the next one waits."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt that counts as failed until it is said to have passed."""

    id: int
    step: str
    user: User | None
    whose: str
    address: str


def begin_attempt(*, name: str, address: str, step: str, at: datetime) -> Attempt:
    """Count an attempt at a step ("password" or "code") of signing in. Raises TryLater.

    `name` is what was typed, a user name or an email address; `address` the browser's IP address.
    """
    user = _account(name)
    place = _place(address)
    whose = _digest(step, str(user.pk) if user else name.strip().lower())
    with transaction.atomic():
        # Attempts from one place wait for each other: none passes while another is being counted.
        with connection.cursor() as cursor:
            cursor.execute("select pg_advisory_xact_lock(hashtextextended(%s, 13))", [place])
        recent = SignInAttempt.objects.filter(address=place, at__gt=at - WINDOW)
        times = list(recent.values_list("whose", "at"))
        pair = [when for one, when in times if one == whose]
        until = refused_until(pair, [when for _, when in times], at)
        if until is not None:
            raise TryLater(_sentence(until, of_pair=len(pair) >= MOST_OF_PAIR))
        SignInAttempt.objects.filter(at__lt=at - _KEPT).delete()
        made = SignInAttempt.objects.create(whose=whose, address=place, at=at)
    return Attempt(made.pk, step, user, whose, place)


def pass_attempt(*, attempt: Attempt) -> None:
    """Take an attempt back that was right. Failures before it stay counted."""
    SignInAttempt.objects.filter(pk=attempt.id).delete()


def fail_attempt(*, attempt: Attempt, at: datetime) -> None:
    """Record that an attempt failed, how many have, and whether the next one waits."""
    with transaction.atomic():
        same = SignInAttempt.objects.filter(whose=attempt.whose, address=attempt.address)
        count = same.filter(at__gt=at - WINDOW).count()
        facts = {
            "user_id": str(attempt.user.pk) if attempt.user else None,
            "step": attempt.step,
            "address": attempt.address,
            "count": count,
            "alert": count >= ALERT_AT,
            "waits": count >= MOST_OF_PAIR,
        }
        Acting.command("sign-in", at).record("sign_in.fail", facts)
    if count >= ALERT_AT:
        logger.warning("sign-ins fail", extra={"step": attempt.step, "count": count})


def forget_failures(*, user: User, address: str) -> None:
    """Take the failures of an account at a place back, once its person has signed in there."""
    own = [_digest(step, str(user.pk)) for step in ("password", "code")]
    SignInAttempt.objects.filter(whose__in=own, address=_place(address)).delete()


def _account(name: str) -> User | None:
    return User.objects.filter(Q(username__iexact=name.strip()) | Q(email__iexact=name)).first()


def _digest(step: str, whose: str) -> str:
    return hashlib.sha256(f"{step}\0{whose}".encode(errors="replace")).hexdigest()


def _place(address: str) -> str:
    found = ipaddress.ip_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        network = ipaddress.IPv6Network((found, _IPV6_PREFIX), strict=False)
        return str(network.network_address)
    return str(found)


def _sentence(until: datetime, *, of_pair: bool) -> str:
    minute = until + timedelta(minutes=1)
    what = "for this account from here" if of_pair else "from here"
    return (
        f"Too many wrong attempts {what}. Try again after {minute:%H:%M} UTC. Nothing is locked: a "
        "passkey signs in now, and so does the password from another place."
    )
