"""Each address times each role, at the own site and at another; addresses are the URL conf's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, reverse

from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.queries import entries_of
from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.actions import opening
from review.actions.batches import Upload, receive_batch
from review.actions.exports import Wish, request_export
from review.actions.role_maps import remember_roles
from review.models import CalibrationRound, Call, ProfileCode, RoleMap
from tests.factories import (
    NOON,
    case,
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
)
from tests.integration.views.permission_table import (
    OTHER_SITE,
    OTHER_SITE_FORMS,
    OWN_SITE,
    OWN_SITE_FORMS,
    ROLES,
    TAKES_FORMS,
)

pytestmark = pytest.mark.django_db(transaction=True)

Case = tuple[str, str, int]


def cases(table: Mapping[str, tuple[int, ...]]) -> list[Case]:
    """Return (address, role, status) of a table; those of other sites have the first roles only."""
    return [
        (name, role, row[k])
        for name, row in table.items()
        for k, role in enumerate(ROLES[: len(row)])
    ]


@pytest.fixture
def call_id(north: Site) -> UUID:
    publish(catalog_source("micro"))
    return prefilled(case(), north)


@pytest.fixture
def north() -> Site:
    return make_site("north")


@pytest.fixture
def map_id(call_id: UUID) -> UUID:
    """Have the roles of the call remembered; return the map's id."""
    call = Call.objects.select_related("catalog_version", "site").get(pk=call_id)
    with transaction.atomic():
        remember_roles(call, case(), {"agent": "agent"}, None, NOON)
    return RoleMap.objects.get().id


SITELESS = (
    *("review:calls", "review:role_maps", "review:imports"),
    *("review:queue", "review:queue_next"),
    *("review:keys", "review:key_sheet", "review:audits"),
    *("review:calibrations", "review:calibration_open", "review:calibration_waive"),
)


#: What an address of a round names within it.
IN_ROUNDS: dict[str, tuple[object, ...]] = {
    "review:differing": (),
    "review:rating": (1,),
    "review:calibration_rate": (1, "PID"),
    "review:calibration_decide": (1, "PID"),
}


def address(name: str, call_id: UUID) -> str:
    if name == "review:role_map_forget":
        found = RoleMap.objects.values_list("id", flat=True).first()
        return reverse(name, args=[found or uuid4()])
    if name in SITELESS:
        return reverse(name)
    if name == "review:notice_dismiss":
        return reverse(name, args=[1])
    if name in ("review:decide_row", "review:row_decided", "review:row_desk"):
        return reverse(name, args=[call_id, "PID"])
    if name in ("review:decide_fact", "review:fact_decided"):
        return reverse(name, args=[call_id, "fact"])
    if name in IN_ROUNDS or "calibration" in name:
        return reverse(name, args=[round_at(call_id), *IN_ROUNDS.get(name, ())])
    if "audit" in name:
        return reverse(name, args=[export_at(Call.objects.get(pk=call_id).site)])
    if "import" in name:
        return reverse(name, args=[batch_at(Call.objects.get(pk=call_id).site)])
    return reverse(name, args=[call_id])


def export_at(site: Site) -> UUID:
    """Return an export that waits at a site."""
    export_id = uuid4()
    wish = Wish(ProfileCode.MINIMUM, "Somebody", "something")
    by = make_person(Role.COMPLIANCE_OFFICER, site=site)
    request_export(export_id=export_id, site=site, wish=wish, by=by, at=NOON)
    return export_id


def round_at(call_id: UUID) -> UUID:
    """Return a round at a call's site that is being rated."""
    call = Call.objects.select_related("catalog_version").get(pk=call_id)
    version = call.catalog_version
    assert version is not None
    return CalibrationRound.objects.create(
        id=uuid4(),
        site_id=call.site_id,
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


def batch_at(site: Site) -> UUID:
    """Return a batch that waits at a site."""
    batch_id = uuid4()
    receive_batch(
        batch_id=batch_id,
        site=site,
        uploads=[Upload("micro example.json", b"{}")],
        by=make_person(Role.COMPLIANCE_OFFICER, site=site),
        at=NOON,
    )
    return batch_id


def client_of(role: str, site: Site) -> Client:
    client = Client()
    client.force_login(make_person(Role(role), site=site))
    return client


def test_the_table_names_every_address_of_review() -> None:
    _, resolver = get_resolver().namespace_dict["review"]
    names = {f"review:{name}" for name in resolver.reverse_dict if isinstance(name, str)}
    assert names == OWN_SITE.keys() | OWN_SITE_FORMS.keys()
    assert OTHER_SITE.keys() == OWN_SITE.keys()
    assert OTHER_SITE_FORMS.keys() == OWN_SITE_FORMS.keys()


@pytest.mark.parametrize(("name", "role", "status"), cases(OWN_SITE))
def test_at_the_own_site(name: str, role: str, status: int, call_id: UUID, north: Site) -> None:
    answer = client_of(role, north).get(address(name, call_id))
    assert answer.status_code == status


@pytest.mark.parametrize(("name", "role", "status"), cases(OTHER_SITE))
def test_at_another_site(name: str, role: str, status: int, call_id: UUID) -> None:
    answer = client_of(role, make_site("south")).get(address(name, call_id))
    assert answer.status_code == status
    assert b"micro example" not in answer.content


@pytest.mark.usefixtures("map_id")
@pytest.mark.parametrize(("name", "role", "status"), cases(OWN_SITE_FORMS))
def test_forms_at_the_own_site(
    name: str, role: str, status: int, call_id: UUID, north: Site
) -> None:
    answer = client_of(role, north).post(address(name, call_id))
    assert answer.status_code == status


@pytest.mark.usefixtures("map_id")
@pytest.mark.parametrize(("name", "role", "status"), cases(OTHER_SITE_FORMS))
def test_forms_at_another_site(name: str, role: str, status: int, call_id: UUID) -> None:
    answer = client_of(role, make_site("south")).post(address(name, call_id))
    assert answer.status_code == status
    assert RoleMap.objects.count() == 1


@pytest.mark.parametrize("name", OWN_SITE_FORMS)
@pytest.mark.parametrize("method", ["get", "put", "delete", "patch"])
def test_what_takes_a_form_shows_nothing(
    name: str, method: str, call_id: UUID, north: Site
) -> None:
    client = client_of("senior_reviewer", north)
    assert getattr(client, method)(address(name, call_id)).status_code == 405


@pytest.mark.parametrize("name", [*OWN_SITE, *OWN_SITE_FORMS])
def test_a_stranger_is_sent_to_sign_in(name: str, call_id: UUID) -> None:
    answer = Client().get(address(name, call_id))
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_login"))


@pytest.mark.parametrize("name", sorted(OWN_SITE.keys() - TAKES_FORMS))
@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_pages_only_show(name: str, method: str, call_id: UUID, north: Site) -> None:
    client = client_of("reviewer", north)
    assert getattr(client, method)(address(name, call_id)).status_code == 405


@pytest.mark.parametrize("name", [*OWN_SITE, *OWN_SITE_FORMS])
def test_a_fragment_asked_by_a_stranger_is_401_and_no_page(name: str, call_id: UUID) -> None:
    answer = Client().get(address(name, call_id), headers={"HX-Request": "true"})
    assert (answer.status_code, b"<" in answer.content) == (401, False)


def test_a_call_that_is_not_there_looks_like_one_that_is_not_theirs(
    call_id: UUID, north: Site
) -> None:
    missing = client_of("reviewer", north).get(address("review:call", uuid4()))
    foreign = client_of("reviewer", make_site("south")).get(address("review:call", call_id))
    assert (missing.status_code, foreign.status_code) == (404, 404)


def test_opening_a_call_is_in_the_log_before_its_words_are_read(
    call_id: UUID, north: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise opening.UnableToOpen("the seal is broken")

    client = client_of("auditor", north)
    monkeypatch.setattr(opening, "unseal_call", broken)
    assert client.get(address("review:call", call_id)).status_code == 404
    last: Any = read_body(list(entries_of(call_id))[-1].body)
    assert last["type"] == "call.open"
    assert last["actor"]["role"] == "auditor"


def test_a_list_opens_no_call(call_id: UUID, north: Site) -> None:
    before = len(list(entries_of(call_id)))
    client_of("reviewer", north).get(address("review:calls", call_id))
    assert len(list(entries_of(call_id))) == before


def test_a_page_with_words_of_a_call_is_kept_nowhere(call_id: UUID, north: Site) -> None:
    answer = client_of("reviewer", north).get(address("review:call", call_id))
    assert "no-store" in answer["Cache-Control"]
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert b"knee scan" in answer.content
