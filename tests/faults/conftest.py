"""A crew for each test; its services stop with this pytest."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from oipsce_site.services import engines, layout
from tests.faults.crew import PROFILE, Crew, crew


@pytest.fixture(scope="session", autouse=True)
def services() -> Iterator[None]:
    """Stop the services of the faults' own profile at the end."""
    yield
    engines.stop(layout.profile(PROFILE), owner=os.getpid())


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Crew]:
    """Yield a crew on a fresh database."""
    with crew(tmp_path) as made:
        yield made
