"""What the schema says is what is answered: schemathesis finds no 500 and nothing undocumented.

`make soak` asks for more (tests/soak/test_api_schema.py).
"""

from __future__ import annotations

import pytest

from tests.integration.api.asking_by_schema import ask_every_operation


@pytest.mark.django_db
def test_whatever_the_schema_allows_is_answered_as_it_says() -> None:
    ask_every_operation(examples=2)
