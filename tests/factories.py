"""States for tests, built through the product's own actions wherever there is one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from uuid import UUID, uuid4

from catalogs.actions.calibration import waive_calibration
from catalogs.actions.versions import create_draft, publish_version, submit_version
from catalogs.core.document import Document, load_document
from catalogs.shipped import SHIPPED_CATALOGS
from oipsce_site.people.models import Membership, Site, User
from oipsce_site.people.roles import ORGANISATION_ROLES, Role
from review.actions.call_line import sample_key
from review.actions.claims import claim_prefills
from review.actions.intake import Imported, Offer, import_call
from review.actions.log_checks import (
    Found,
    ask_nightly_check,
    claim_log_check,
    finish_log_check,
)
from review.actions.mapping import Reading
from review.actions.prefill import fail_prefill
from review.actions.rehearsal import store_rehearsal
from review.core.parsers import parse_calls
from review.core.queue import is_sampled
from review.core.rehearsal import Rehearsal, rehearse
from review.core.rehearsal.seen import Coverage
from review.core.transcript import Call, Settings
from review.models import PrefillRun, RunState
from review.models.proposal import MOST_ATTEMPTS
from review.shipped import SHIPPED_CASES, shipped_case
from review.tasks import prefill_waiting

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
SHARED = Path(__file__).resolve().parents[2] / "shared"


def make_site(slug: str = "north") -> Site:
    """Return a site, made if it is missing."""
    return Site.objects.get_or_create(slug=slug, defaults={"name": slug.title()})[0]


def make_person(*roles: Role, site: Site | None = None, username: str = "") -> User:
    """Make a person with these roles, at the site where a role is held at one."""
    user = User.objects.create_user(username or f"u{uuid4().hex[:12]}", "Some Body", "a password")
    for role in roles:
        held = None if role in ORGANISATION_ROLES else (site or make_site())
        Membership.objects.create(user=user, site=held, role=role, granted_at=NOON)
    return user


def catalog_source(name: str = "benefits_verification", *changes: tuple[str, str]) -> bytes:
    """Return a shipped catalog's bytes, with these texts replaced."""
    [path] = [path for path in SHIPPED_CATALOGS if path.stem == name]
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text.encode("utf-8")


def draft(source: bytes, author: User) -> UUID:
    """Make a draft."""
    return create_draft(source=source, catalog_id=uuid4(), version_id=uuid4(), by=author, at=NOON)


def in_review(source: bytes, author: User, approver: User) -> UUID:
    """Make a version in review that has its calibration waived."""
    version_id = draft(source, author)
    submit_version(version_id=version_id, by=author, at=NOON)
    waive_calibration(
        version_id=version_id, report_id=uuid4(), reason="for a test", by=approver, at=NOON
    )
    rehearsed(version_id, source)
    return version_id


def rehearsed(version_id: UUID, source: bytes) -> None:
    """Store a green rehearsal of a version, which takes no time: nothing is run for it."""
    store_rehearsal(
        version_id=version_id,
        report_id=uuid4(),
        rehearsal=waved_through(source),
        by="test",
        at=NOON,
    )


def waved_through(source: bytes) -> Rehearsal:
    """Return a green rehearsal of a document that was not rehearsed."""
    document = readable(source)
    seen = Coverage(runs=1, edges=(), requirements=(), phases=())
    return Rehearsal(document.digest, document.slug, document.version, (), seen, (), (), ())


@cache
def readable(source: bytes) -> Document:
    """Load a document that can be read; each text once in a test run."""
    document, findings = load_document(source)
    assert document is not None, findings
    return document


@cache
def rehearsal_of(source: bytes) -> Rehearsal:
    """Rehearse a document on the shipped cases."""
    return rehearse(readable(source), calls=shipped_case)


def publish(
    source: bytes, author: User | None = None, approver: User | None = None, at: datetime = NOON
) -> UUID:
    """Publish a document by two people."""
    author = author or make_person(Role.CATALOG_AUTHOR)
    approver = approver or make_person(Role.CATALOG_APPROVER)
    version_id = in_review(source, author, approver)
    publish_version(version_id=version_id, by=approver, at=at)
    return version_id


def publish_shipped() -> None:
    """Publish every shipped catalog."""
    author, approver = make_person(Role.CATALOG_AUTHOR), make_person(Role.CATALOG_APPROVER)
    for path in SHIPPED_CATALOGS:
        publish(path.read_bytes(), author, approver)


def case(name: str = "case_micro") -> Call:
    """Return a shipped case as read from its file."""
    [path] = [path for path in SHIPPED_CASES if path.stem == name]
    [call] = parse_calls(path.read_bytes(), name=path.name).calls
    return call


def raw_micro(**changes: Any) -> dict[str, Any]:
    """Return the micro case as a raw object with top-level fields replaced."""
    [path] = [path for path in SHIPPED_CASES if path.stem == "case_micro"]
    raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return {**deepcopy(raw), **changes}


def read(raw: Mapping[str, Any]) -> Call:
    """Read one raw object as a file that holds it alone."""
    [call] = parse_calls(json.dumps(raw).encode(), name="test.json").calls
    return call


def take(call: Call, site: Site | None = None, by: User | None = None) -> Imported:
    """Import a call through the action, one that the draw of the random sample leaves alone."""
    ids = (uuid4() for _ in count())
    call_id = next(one for one in ids if not is_sampled(one, sample_key()))
    return import_call(
        site=site or make_site(), offer=Offer(call_id, uuid4(), call), by=by, at=NOON
    )


def prefilled(call: Call, site: Site | None = None) -> UUID:
    """Import a call and fill its rows, in this process unless a site's own worker was quicker."""
    call_id = take(call, site).call_id
    fill_all(call=call_id)
    return call_id


def fill_all(patience_s: float = 120, **of: UUID) -> None:
    """Fill what waits, beside a site's own worker; returns when that has ended its share too."""
    open_runs = PrefillRun.objects.filter(state__in=(RunState.QUEUED, RunState.RUNNING), **of)
    until = monotonic() + patience_s
    while open_runs.exists():
        assert monotonic() < until, f"calls were still being filled after {patience_s} s"
        if not prefill_waiting():
            sleep(0.1)


def unmapped_call(**changes: Any) -> Call:
    """Return the micro case with its agent called doctor: no role of its catalog."""
    raw = raw_micro(**changes)
    raw["speakers"] = {"doctor": {}, "patient": {}}
    for turn in raw["turns"]:
        turn["speaker"] = turn["speaker"].replace("agent", "doctor")
    return read(raw)


def read_as(roles: Mapping[str, str], **changes: Any) -> Reading:
    """Return what a person says of the micro case: these roles, and it ended."""
    said: dict[str, Any] = {
        "settings": Settings({}, ended=True, language=None),
        "roles": dict(roles),
        "accepted": frozenset(),
        "version_id": None,
        "remember": True,
        "expected": 1,
    }
    return Reading(**{**said, **changes})


def given_up(call: Call | None = None) -> UUID:
    """Import the micro case and let its pre-fill fail for good."""
    call_id = take(call or case()).call_id
    for _ in range(MOST_ATTEMPTS):
        [started] = claim_prefills(most=1, at=NOON)
        fail_prefill(started=started, failure="SealBroken", by="w", at=NOON)
    return call_id


def verified_today() -> None:
    """Have the decision log verified just now, so that the sweep does not ask for it."""
    started = None
    if ask_nightly_check(check_id=uuid4(), by="test", at=datetime.now(UTC)):
        started = claim_log_check(at=datetime.now(UTC))
    assert started is not None
    finish_log_check(
        started=started,
        found=Found(0, [], {}, {}, ""),
        by="test",
        at=datetime.now(UTC),
    )
