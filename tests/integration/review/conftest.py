"""Published catalogs and a site for the tests of calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_socket import enable_socket, socket_allow_hosts

from oipsce_site.people.models import Site
from review.tasks import model_questions
from tests.adjudicated import CATALOG, QUOTE
from tests.factories import catalog_source, make_site, publish, publish_shipped
from tests.scripted_model import Scripted, scripted_model


@pytest.fixture
def north(db: None) -> Site:
    """Return the site of most tests."""
    return make_site("north")


@pytest.fixture
def catalogs(db: None) -> None:
    """Publish the smallest catalog, which judges the micro example."""
    publish(catalog_source("micro"))


@pytest.fixture
def shipped(db: None) -> None:
    """Publish every shipped catalog."""
    publish_shipped()


@pytest.fixture
def published(request: pytest.FixtureRequest) -> None:
    """Publish the smallest catalog, or what the test asks for with `shipped`."""
    if "shipped" not in request.fixturenames:
        request.getfixturevalue("catalogs")


@pytest.fixture
def model(db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    """Listen on loopback, where the product may connect to for this test."""
    enable_socket()
    socket_allow_hosts(["127.0.0.1"], allow_unix_socket=True)
    settings.ADJUDICATOR_HOSTS = ["127.0.0.1"]
    settings.ADJUDICATOR_PRIVATE = True
    settings.ADJUDICATOR_KEY = "a-key"
    settings.ADJUDICATOR_SECONDS = (0.3, 0.3)
    monkeypatch.setattr(model_questions, "sleep", lambda _: None)
    publish(CATALOG)
    with scripted_model() as scripted:
        scripted.says = [(QUOTE, QUOTE), ("takes care", "takes care of the scan")]
        yield scripted
