"""One small installation for the tests of permissions, built once and never changed by them.

It lives inside a transaction that is rolled back when the module's tests are over; each request is
made in a savepoint of its own (`apart`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from http.cookies import SimpleCookie
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse

from catalogs.actions.drafts import Beginning, start_draft
from oipsce_site.people.models import Membership, Site, User
from oipsce_site.people.roles import Role
from review.actions.batches import Upload, receive_batch
from review.actions.compliance_exceptions import ExceptionWish, ask_exception
from review.actions.disputing import DisputeWish, file_dispute
from review.actions.exports import Wish, request_export
from review.actions.retaining import propose_rule
from review.actions.role_maps import remember_roles
from review.actions.what_ifs import WhatIfWish, order_what_if
from review.core.transcript import Call
from review.models import (
    CalibrationRound,
    DisputeKind,
    ExceptionReason,
    ModelCheck,
    ModelCheckState,
    ProfileCode,
    Promotion,
    RoleMap,
)
from review.models import Call as StoredCall
from tests.factories import (
    NOON,
    case,
    catalog_source,
    draft,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)
from tests.integration.administration.acts import asked
from tests.integration.review.retention_acts import ask, hold
from tests.programs import client_behind, make_webhook, program
from tests.promoted import PROVEN
from tests.signed import sign_stored
from tests.signers import attest, with_app

DRAFT_VERSION = "3.0.0"


@dataclass(frozen=True, slots=True)
class World:
    """The two sites, and what the parameters of addresses stand for at the site north."""

    north: Site
    south: Site
    parameters: Mapping[str, Any]

    def visitor(self, *roles: tuple[str, Site]) -> Visitor:
        """Return a new person with these roles, each at its site, at a browser."""
        person = make_person()
        for name, site in roles:
            role = Role(name)
            place = None if role in _ORGANISATION else site
            Membership.objects.create(user=person, site=place, role=role, granted_at=NOON)
        return Visitor(person)

    def address(self, name: str, **other: Any) -> str:
        """Return the address of what there is at the site north."""
        wanted = addresses()[name]
        known = {**self.parameters, **other}
        return reverse(name, kwargs={key: known[key] for key in wanted})

    def missing(self, name: str) -> str | None:
        """Return an address of the same form with ids that are nobody's; None without any id."""
        wanted = addresses()[name]
        if not wanted & NOWHERE.keys():
            return None
        return self.address(name, **{key: NOWHERE[key] for key in wanted & NOWHERE.keys()})


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: status, the whole body, and the headers."""

    status: int
    body: bytes
    headers: Mapping[str, str]


class Visitor:
    """Somebody at a browser that forgets between two requests what it was told in the first."""

    def __init__(self, person: User | None = None) -> None:
        self.person = person
        self._client = Client()
        if person is not None:
            self._client.force_login(person)
        self._cookies = {key: one.value for key, one in self._client.cookies.items()}

    def ask(
        self, method: str, address: str, inside: Callable[[], None] = lambda: None, **more: Any
    ) -> Answer:
        """Send one request, and undo what it did; `inside` may look at it before."""
        self._client.cookies = SimpleCookie(self._cookies)
        with apart():
            answer = self._client.generic(method, address, **more)
            inside()
            words = answer.getvalue() if answer.streaming else answer.content
        return Answer(answer.status_code, words, answer.headers)


_ORGANISATION = (Role.CATALOG_AUTHOR, Role.CATALOG_APPROVER, Role.ADMINISTRATOR)

#: Ids that are nobody's. A call that is not there has no phases: those stay as they are.
NOWHERE: Mapping[str, Any] = {
    **{
        name: UUID(int=0xDEAD)
        for name in (
            *("call_id", "map_id", "batch_id", "export_id", "exception_id", "attestation_id"),
            *("hold_id", "erasure_id", "rule_id", "dispute_id", "draft_id"),
            *("round_id", "client_id", "webhook_id", "what_if_id"),
            *("check_id", "promotion_id"),
            *("person_id", "membership_id", "request_id", "site_id"),
        )
    },
    "version": "9.9.9",
}


def build(heard: Call | None = None) -> World:
    """Make the sites, a call of one of them (the micro case, or as `heard`), and one of each thing
    that has an address.
    """
    north, south = make_site("north"), make_site("south")
    publish(catalog_source("micro"))
    draft(
        catalog_source("micro", ("version: 2.0.0", f"version: {DRAFT_VERSION}")),
        make_person(Role.CATALOG_AUTHOR),
    )
    call_id = prefilled(heard or case(), north)
    nora = make_person(Role.REVIEWER, site=north, username="nora")
    call = StoredCall.objects.select_related("catalog_version", "site").get(pk=call_id)
    with transaction.atomic():
        remember_roles(call, case(), {"agent": "agent"}, None, NOON)
    parameters = {
        "call_id": call_id,
        "phase": "PID",
        "fact": "fact",
        "notice_id": 1,
        "map_id": RoleMap.objects.get().pk,
        "batch_id": _batch(north),
        "export_id": _export(north),
        "round_id": _round(call),
        "position": 1,
        "exception_id": _exception(north),
        "attestation_id": attest(with_app(make_person(Role.COMPLIANCE_OFFICER, site=north)), north),
        **_retention(call_id, north),
        "dispute_id": _dispute(north),
        "person_id": nora.pk,
        "membership_id": Membership.objects.get(user=nora).pk,
        "request_id": asked(nora, Role.AUDITOR, north),
        "site_id": north.pk,
        "client_id": client_behind(program(north)).pk,
        "webhook_id": make_webhook(north),
        "draft_id": _draft(),
        "what_if_id": _what_if(call),
        "check_id": _check(call),
        "promotion_id": _promotion(north),
        "number": 1,
        "slug": "member-benefits-micro",
        "version": "2.0.0",
        "rest": "x",
        "key": "x:y",
        "uidb36": "x",
        "pk": 1,
    }
    return World(north, south, parameters)


def _draft() -> UUID:
    return start_draft(
        draft_id=uuid4(),
        catalog_id=uuid4(),
        beginning=Beginning("A draft", catalog_source("micro")),
        by=make_person(Role.CATALOG_AUTHOR),
        at=NOON,
    )


def _check(call: StoredCall) -> UUID:
    """Have a check of models wait."""
    version = call.catalog_version
    assert version is not None
    made = ModelCheck.objects.create(
        id=uuid4(),
        site=call.site,
        version=version,
        host="models.example.org",
        asked_models="m1",
        phases=["PID"],
        calls=[call.pk],
        state=ModelCheckState.WAITING,
        asked_by=make_person(Role.CATALOG_APPROVER),
        role=Role.CATALOG_APPROVER,
        asked_at=NOON,
    )
    return made.pk


def _promotion(site: Site) -> UUID:
    """Have a promotion wait that an approver asked for."""
    made = Promotion.objects.create(
        id=uuid4(),
        site=site,
        phase="PID",
        language="en",
        digest="0" * 64,
        answered="m1",
        asked_by=make_person(Role.CATALOG_APPROVER),
        asked_role=Role.CATALOG_APPROVER,
        asked_at=NOON,
        asked_figures=PROVEN,
        measured_at=NOON,
    )
    return made.pk


def _what_if(call: StoredCall) -> UUID:
    """Ask what the version that judges a call would change, by somebody who visits nothing here."""
    what_if_id, version = uuid4(), call.catalog_version
    assert version is not None
    wish = WhatIfWish("DECIDE", call.site, version.catalog.slug, None, None, version_id=version.pk)
    by = make_person(Role.CATALOG_AUTHOR)
    order_what_if(what_if_id=what_if_id, wish=wish, by=by, at=NOON)
    return what_if_id


def _round(call: StoredCall) -> UUID:
    """Return a round that is being rated, by people who visit nothing here."""
    version = call.catalog_version
    assert version is not None
    return CalibrationRound.objects.create(
        id=uuid4(),
        site=call.site,
        kind="CATALOG",
        state="RATING",
        number=1,
        title="micro example",
        version=version,
        source=bytes(version.source),
        document_digest=version.digest,
        set_digest="0" * 64,
        phases=["PID"],
        opened_at=NOON,
    ).pk


def _batch(site: Site) -> UUID:
    batch_id, by = uuid4(), make_person(Role.COMPLIANCE_OFFICER, site=site)
    uploads = [Upload("micro example.json", b"{}")]
    receive_batch(batch_id=batch_id, site=site, uploads=uploads, by=by, at=NOON)
    return batch_id


def _export(site: Site) -> UUID:
    export_id, by = uuid4(), make_person(Role.COMPLIANCE_OFFICER, site=site)
    wish = Wish(ProfileCode.MINIMUM, "Somebody", "something")
    request_export(export_id=export_id, site=site, wish=wish, by=by, at=NOON)
    return export_id


def _exception(site: Site) -> UUID:
    exception_id, by = uuid4(), make_person(Role.COMPLIANCE_OFFICER, site=site)
    now = datetime.now(UTC)
    wish = ExceptionWish("micro", "PID", ExceptionReason.OTHER, "why", now.date(), now.date())
    ask_exception(exception_id=exception_id, site=site, wish=wish, by=by, at=now)
    return exception_id


def _dispute(site: Site) -> UUID:
    """Dispute another call of the site, which is signed, in words of the call."""
    dispute_id, by = uuid4(), make_person(Role.COMPLIANCE_OFFICER, site=site)
    call_id = prefilled(read(raw_micro(id="disputed")), site)
    sign_stored(call_id, make_person(Role.SENIOR_REVIEWER, site=site))
    wish = DisputeWish(DisputeKind.EVIDENCE, "PID", None, "A knee scan is no identity.")
    file_dispute(dispute_id=dispute_id, call_id=call_id, wish=wish, by=by, at=NOON)
    return dispute_id


def _retention(call_id: UUID, site: Site) -> dict[str, UUID]:
    """Make a wish to erase the call, a legal hold of it, and a rule that waits."""
    by, rule_id = make_person(Role.COMPLIANCE_OFFICER, site=site), uuid4()
    erasure_id = ask(call_id, by)
    propose_rule(rule_id=rule_id, site=site, days=730, most=10, by=by, at=NOON)
    return {"erasure_id": erasure_id, "hold_id": hold(call_id, by), "rule_id": rule_id}


@contextmanager
def apart() -> Iterator[None]:
    """Undo at the end what is written inside, also by what insists on a transaction of its own."""
    with transaction.atomic() as _:
        transaction.get_connection().atomic_blocks[-1]._from_testcase = True
        yield
        transaction.set_rollback(True)


@cache
def addresses() -> Mapping[str, frozenset[str]]:
    """Return every address of the URL conf by its name: the names of its parameters."""
    return dict(_walk(get_resolver(), "", frozenset()))


def _walk(
    resolver: URLResolver, prefix: str, above: frozenset[str]
) -> Iterator[tuple[str, frozenset[str]]]:
    for entry in resolver.url_patterns:
        names = above | entry.pattern.regex.groupindex.keys()
        if isinstance(entry, URLResolver):
            inside = f"{prefix}{entry.namespace}:" if entry.namespace else prefix
            yield from _walk(entry, inside, names)
        else:
            yield f"{prefix}{entry.name}", names
