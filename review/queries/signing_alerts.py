"""Proofs of identity that failed in a row, for those who must be told (21 CFR 11.300(d))."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from uuid import UUID

from oipsce_site.people.models import Membership
from review.core.signoff.throttle import FailedRow, alerting_rows
from review.models import ProofKind, SigningProof

#: How far back the page of alerts reaches.
ALERT_DAYS = 30


@dataclass(frozen=True, slots=True)
class SigningAlert:
    """A person whose proofs failed in a row."""

    name: str
    username: str
    row: FailedRow


def list_signing_alerts(sites: frozenset[UUID] | None, at: datetime) -> list[SigningAlert]:
    """Return the alerts of the last thirty days, the latest first.

    They are of people with a role at these sites, now or earlier; None stands for everybody.
    """
    since = at - timedelta(days=ALERT_DAYS)
    wrong = SigningProof.objects.filter(right=False, at__gte=since)
    tried = SigningProof.objects.filter(at__gte=since, by__in=wrong.values("by"))
    if sites is not None:
        tried = tried.filter(by__in=Membership.objects.filter(site__in=sites).values("user_id"))
    # A password alone is no second component and ends no row of failures.
    tried = tried.exclude(right=True, kind=ProofKind.PASSWORD).order_by("by", "id")
    rows = tried.values_list("by_id", "by__printed_name", "by__username", "at", "right")
    found = [
        SigningAlert(name, username, row)
        for (_, name, username), own in groupby(rows, key=lambda one: one[:3])
        for row in alerting_rows((at, right) for *_, at, right in own)
    ]
    return sorted(found, key=lambda one: one.row.last, reverse=True)
