"""Versions on trial, as the tests make them."""

from __future__ import annotations

from datetime import date
from uuid import UUID

from catalogs.actions.versions import publish_version
from catalogs.core.document.trials import Trial, TrialMode
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from tests.factories import NOON, catalog_source, in_review, make_person

FIRST_DAY = date(2026, 1, 1)
IN_SHADOW = Trial(TrialMode.SHADOW, 0, FIRST_DAY)


def canary(share: int) -> Trial:
    """Return a trial for a share of calls."""
    return Trial(TrialMode.CANARY, share, FIRST_DAY)


def loose(number: str = "3.0.0") -> bytes:
    """Return the micro catalog without its critical edges: what was told too early passes."""
    lines = catalog_source("micro").decode().splitlines()
    edges = [line for line in lines if line.startswith("    critical_parents")]
    return catalog_source(
        "micro", ("version: 2.0.0", f"version: {number}"), *((line, "    ") for line in edges)
    )


def publish_on_trial(source: bytes, trial: Trial, approver: User | None = None) -> UUID:
    """Publish a document by two people, on trial."""
    approver = approver or make_person(Role.CATALOG_APPROVER)
    version_id = in_review(source, make_person(Role.CATALOG_AUTHOR), approver)
    publish_version(version_id=version_id, by=approver, at=NOON, trial=trial)
    return version_id
