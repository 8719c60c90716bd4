"""Published catalogs and a site for the tests of calls."""

from __future__ import annotations

import pytest

from oipsce_site.people.models import Site
from tests.factories import catalog_source, make_site, publish, publish_shipped


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
