"""Audits that are exported: each action as the table of `test_every_action_records` does it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkdtemp
from uuid import UUID, uuid4

from django.test import override_settings

from oipsce_site.ledger.checkpoints import seal_heads
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from oipsce_site.signing.store import KeyStore
from review.actions.export_orders import StartedExport, begin_building
from review.actions.exports import (
    Wish,
    approve_export,
    claim_export,
    decline_export,
    fail_export,
    fetch_export,
    finish_export,
    request_export,
)
from review.actions.rosters import sign_site_roster
from review.models import AuditExport, ProfileCode
from review.queries.chains import sites_of_chains
from tests.factories import (
    NOON,
    case,
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
)
from tests.signed import sign_stored

Act = Callable[[], object]


def _asked_export() -> tuple[UUID, User]:
    publish(catalog_source("micro"))
    call_id = prefilled(case())
    sign_stored(call_id, make_person(Role.SENIOR_REVIEWER))
    export_id, by = uuid4(), make_person(Role.COMPLIANCE_OFFICER)
    wish = Wish(ProfileCode.MINIMUM, "Somebody", "something")
    request_export(export_id=export_id, site=make_site(), wish=wish, by=by, at=NOON)
    return export_id, by


def _request_export() -> Act:
    by = make_person(Role.COMPLIANCE_OFFICER)
    wish = Wish(ProfileCode.MINIMUM, "Somebody", "something")
    return lambda: request_export(export_id=uuid4(), site=make_site(), wish=wish, by=by, at=NOON)


def _asked_full() -> tuple[UUID, User]:
    """Ask for a full audit; returns it and a second person."""
    export_id = uuid4()
    wish = Wish(ProfileCode.FULL, "Somebody", "something")
    by = make_person(Role.COMPLIANCE_OFFICER)
    request_export(export_id=export_id, site=make_site(), wish=wish, by=by, at=NOON)
    return export_id, make_person(Role.COMPLIANCE_OFFICER, username="second-officer")


def _approve_export() -> Act:
    export_id, second = _asked_full()
    return lambda: approve_export(export_id=export_id, by=second, at=NOON)


def _decline_export() -> Act:
    export_id, second = _asked_full()
    return lambda: decline_export(export_id=export_id, by=second, at=NOON)


def _claim_export() -> Act:
    _asked_export()
    return lambda: claim_export(by="w", at=NOON)


def _built_export() -> tuple[StartedExport, User]:
    """Begin building an export, keys in a folder of their own."""
    export_id, by = _asked_export()
    claim_export(by="w", at=NOON)
    folder = Path(mkdtemp())
    store = KeyStore(folder / "keys")
    store.make_keys(log="oip-sce.test/log", root_file=None, at=NOON)
    with override_settings(SIGNING_KEY_DIR=str(store.folder)):
        seal = seal_heads(place=sites_of_chains, at=datetime.now(UTC))
    assert seal is not None
    at = datetime.now(UTC)
    started = begin_building(export_id=export_id, seal=seal, store=store, verifier=b"", at=at)
    return started, by


def _finish_export() -> Act:
    started, _ = _built_export()
    at = datetime.now(UTC)
    return lambda: finish_export(started=started, digest="0" * 64, size=1, by="w", at=at)


def _fail_export() -> Act:
    export_id, _ = _asked_export()
    for _attempt in range(3):
        claim_export(by="w", at=NOON)
        AuditExport.objects.filter(attempts__lt=3).update(state="QUEUED", lease_until=None)
    return lambda: fail_export(export_id=export_id, attempt=3, failure="X", by="w", at=NOON)


def _fetch_export() -> Act:
    started, by = _built_export()
    at = datetime.now(UTC)
    finish_export(started=started, digest="0" * 64, size=1, by="w", at=at)
    return lambda: fetch_export(export_id=started.export_id, by=by, at=at)


def _sign_roster() -> Act:
    store = KeyStore(Path(mkdtemp()) / "keys")
    store.make_keys(log="oip-sce.test/log", root_file=None, at=NOON)
    make_person(Role.REVIEWER)
    site = make_site()
    return lambda: sign_site_roster(site=site, store=store, root_file=None, by="w", at=NOON)


EXPORTS: dict[str, tuple[str, Callable[[], Act]]] = {
    "request_export": ("audit.request", _request_export),
    "approve_export": ("audit.approve", _approve_export),
    "decline_export": ("audit.decline", _decline_export),
    "claim_export": ("audit.build", _claim_export),
    "finish_export": ("audit.export call.disclose", _finish_export),
    "fail_export": ("audit.fail", _fail_export),
    "sign_site_roster": ("key.roster", _sign_roster),
    "fetch_export": ("audit.fetch", _fetch_export),
}
