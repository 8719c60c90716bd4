"""No damage to a file of any format makes its reader raise (more of it: tests/soak)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from tests.unit.review.parsers.damaging import DAMAGE, JSON_FORMATS, SAMPLES, read_damaged


def test_every_format_of_json_has_a_sample() -> None:
    assert {form for form, _ in SAMPLES} == set(JSON_FORMATS)


@pytest.mark.parametrize("form", JSON_FORMATS)
@given(damage=DAMAGE)
@settings(max_examples=30, deadline=None)
def test_no_damage_makes_a_reader_raise(form: str, damage: list[tuple[int, Any]]) -> None:
    read_damaged(form, damage)
