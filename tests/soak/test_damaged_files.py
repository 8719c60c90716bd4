"""Thousands of damaged files of every format: none makes its reader raise."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.unit.review.parsers.damaging import DAMAGE, JSON_FORMATS, read_damaged


@pytest.mark.parametrize("form", JSON_FORMATS)
@given(damage=DAMAGE)
@settings(max_examples=1500, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_damage_makes_a_reader_raise(form: str, damage: list[tuple[int, Any]]) -> None:
    read_damaged(form, damage)
