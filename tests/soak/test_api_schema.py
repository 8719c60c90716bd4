"""Every operation of the API asked for many times with what schemathesis makes of the schema."""

from __future__ import annotations

import pytest

from tests.integration.api.asking_by_schema import ask_every_operation


@pytest.mark.django_db
def test_whatever_the_schema_allows_is_answered_as_it_says() -> None:
    ask_every_operation(examples=200)
