"""A violated critical edge is told once, signed, without a word of the call, and tried again."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.urls import reverse
from pytest_socket import enable_socket, socket_allow_hosts

from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.queries import entries_of
from oipsce_site.people.models import WebhookEndpoint
from oipsce_site.people.roles import Role
from review.actions.delivering import claim_deliveries, finish_delivery
from review.core.webhooks import WAITS
from review.models import Alert, Delivery, DeliveryState
from review.tasks import send_webhooks
from tests.factories import catalog_source, make_person, make_site, publish
from tests.integration.api.sending import listening, webhook_at
from tests.programs import head, program, turns

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def loopback(settings: Any) -> None:
    """Let this test listen on loopback, and the product send there."""
    enable_socket()
    socket_allow_hosts(["127.0.0.1"], allow_unix_socket=True)
    settings.WEBHOOK_HOSTS = ["127.0.0.1"]
    settings.WEBHOOK_PRIVATE = True
    publish(catalog_source("micro"))


def verified(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """Verify a message as Standard Webhooks says, with nothing of ours."""
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return f"v1,{wanted}" in headers["webhook-signature"].split(" ")


def test_a_violated_edge_is_told_once_and_signed_until_somebody_has_it(bells: list[str]) -> None:
    north, south = make_site("north"), make_site("south")
    with listening() as listener:
        secret = webhook_at(listener.url, north)
        webhook_at(f"{listener.url}south", south)
        listener.answers = [500, 302]
        dialler = program(north)
        opened = dialler.post("running-calls", {**head(), "turns": turns()}).body
        dialler.post(f"running-calls/{opened['id']}/events", {"events": [_event()]})
        edges = [one for one in opened["verdict"]["edges"] if one["ok"] is False]
        alerts = Alert.objects.count()
        assert alerts == len(edges) == Delivery.objects.count()
        while send_webhooks():
            pass
        # What was refused or led elsewhere is tried again later, under the same id.
        again = Delivery.objects.exclude(state=DeliveryState.SENT)
        assert set(again.values_list("outcome", flat=True)) == {"answered 500", "answered 302"}
        again.update(run_after=datetime.now(UTC) - timedelta(seconds=1))
        while send_webhooks():
            pass
    assert not again.exists()
    assert len(listener.heard) == alerts + 2
    assert {row["host"] for row, _ in listener.heard} == {listener.url.split("/")[2]}
    for headers, body in listener.heard:
        assert verified(secret, headers, body)
        assert not verified(secret, {**headers, "webhook-id": "other"}, body)
    told = [json.loads(body) for _, body in listener.heard]
    assert {one["type"] for one in told} == {"critical_edge.violated"}
    assert {one["data"]["call"] for one in told} == {opened["id"]}
    said = b"".join(body for _, body in listener.heard).decode()
    assert not [turn for turn in turns() if turn["text"] and turn["text"] in said]
    assert head()["id"] not in said
    kinds = [read_body(entry.body)["type"] for entry in entries_of(Alert.objects.all()[0].call_id)]
    assert [kinds.count(f"alert.{one}") for one in ("raise", "retry", "send")] == [
        alerts,
        2,
        alerts,
    ]


def _event() -> dict[str, Any]:
    return {"source": "tool", "name": "look_up", "turn": turns()[0]["n"]}


def test_what_nobody_takes_is_given_up_and_a_lost_workers_alert_is_sent_by_another() -> None:
    webhook_at("http://127.0.0.1:9/hook", make_site())
    program().post("running-calls", {**head(), "turns": turns()})
    Delivery.objects.exclude(pk=Delivery.objects.all()[0].pk).update(
        state=DeliveryState.SENT, ended_at=datetime.now(UTC)
    )
    at = datetime.now(UTC)
    [lost] = claim_deliveries(most=5, at=at)
    assert claim_deliveries(most=5, at=at) == []
    while not Delivery.objects.filter(state=DeliveryState.GIVEN_UP).exists():
        at += max(WAITS) + timedelta(minutes=2)
        [started] = claim_deliveries(most=5, at=at)
        assert not finish_delivery(started=lost, failure="", by="late", at=at)
        assert finish_delivery(started=started, failure="OSError", by="w", at=at)
        lost = started
    assert claim_deliveries(most=5, at=at + timedelta(days=9)) == []
    assert Delivery.objects.get(outcome="OSError").attempts == len(WAITS) + 1


def test_running_calls_with_a_violated_edge_stand_on_the_queue_of_their_site() -> None:
    dialler = program(make_site("north"))
    opened = dialler.post("running-calls", {**head(id="runs-now"), "turns": turns()}).body
    for site, seen in (("north", True), ("south", False)):
        reader = dialler.browser.__class__()
        reader.force_login(make_person(Role.REVIEWER, site=make_site(site)))
        page = reader.get(reverse("review:queue")).content.decode()
        assert ("runs-now" in page) is seen
    dialler.post(f"running-calls/{opened['id']}/end", {})
    reader = dialler.browser.__class__()
    reader.force_login(make_person(Role.REVIEWER, site=make_site("north")))
    assert "is still running" not in reader.get(reverse("review:queue")).content.decode()


def _found(found: Any, *_: object, **__: object) -> Any:
    return found


@pytest.mark.parametrize(
    ("url", "private"),
    [
        ("http://alerts.example.org/", False),
        ("https://elsewhere.example.org/", False),
        ("https://user@alerts.example.org/", False),
        ("https://alerts.example.org@127.0.0.1/", False),
        ("https://2130706433/", False),
        ("https://[::ffff:127.0.0.1]/", False),
        ("https://169.254.169.254/latest", True),
        ("ftp://alerts.example.org/", True),
        ("https://alerts.example.org:port/", False),
        ("https://alerts.example.org/\nx", False),
        ("//alerts.example.org/", False),
    ],
)
def test_an_address_that_the_operator_does_not_allow_is_not_stored(
    url: str, private: bool, settings: Any
) -> None:
    settings.WEBHOOK_HOSTS, settings.WEBHOOK_PRIVATE = ["alerts.example.org"], private
    browser = program().browser
    browser.force_login(make_person(Role.ADMINISTRATOR))
    form = {"site": make_site().pk, "url": url}
    got = browser.post(reverse("administration:new-webhook"), form)
    assert got.status_code == 422
    assert got.context["form"].errors["url"]
    assert not WebhookEndpoint.objects.exists()


def test_a_name_that_leads_into_a_private_network_is_refused_when_it_is_used(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook_at("https://alerts.example.org/", make_site())
    settings.WEBHOOK_HOSTS, settings.WEBHOOK_PRIVATE = ["alerts.example.org"], False
    program().post("running-calls", {**head(), "turns": turns()})
    for address in ("127.0.0.1", "10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "64:ff9b::1"):
        found = [(0, 0, 0, "", ("93.184.216.34", 443)), (0, 0, 0, "", (address, 443))]
        monkeypatch.setattr("oipsce_site.outbound.socket.getaddrinfo", partial(_found, found))
        Delivery.objects.update(run_after=datetime.now(UTC), attempts=0)
        assert send_webhooks()
        assert "address refused" in Delivery.objects.values_list("outcome", flat=True)
        Delivery.objects.update(outcome="")
