"""The small installation for the tests of permissions."""

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from tests.integration.views.world import World, apart, build


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Build the installation once for a module that changes nothing of it."""
    with django_db_blocker.unblock(), apart():
        yield build()
