"""Published catalogs and a site for the tests of calls."""

from __future__ import annotations

import pytest

from oipsce_site.people.models import Site
from tests.factories import make_site, publish_shipped


@pytest.fixture
def north(db: None) -> Site:
    """Return the site of most tests."""
    return make_site("north")


@pytest.fixture
def catalogs(db: None) -> None:
    """Publish the shipped catalogs."""
    publish_shipped()
