"""Why a row is owed or not: the part of the condition that decided, no other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from catalogs.core.document import Required, RequiredKind
from catalogs.core.requirements import parse
from review.presenters.requirement import requirement_words
from tests.unit.review.presenters.catalog import shipped_catalog
from tests.unit.review.presenters.values import call, report, row

PHASE = shipped_catalog("benefits_verification").phases[0]
NOT_DONE = row("PID", 3, "never")
ATTRIBUTES: Mapping[str, str | bool] = {"first": True, "kind": "y"}


@pytest.mark.parametrize(
    ("when", "owed", "words"),
    [
        ("PID passed and call.first", False, "not required: PID not passed"),
        ("PID passed or call.first", True, "required: call.first = true"),
        ("PID started and call.first", True, "required: PID started, call.first = true"),
        ("PID finished", False, "not required: PID not finished"),
        ("PID failed", True, "required: PID failed"),
        ("not call.first", False, "not required: call.first = true"),
        ("call.kind = 'x'", False, "not required: call.kind = y"),
    ],
)
def test_the_deciding_part_is_named(when: str, owed: bool, words: str) -> None:
    phase = replace(PHASE, required=Required(RequiredKind.WHEN, parse(when)))
    child = row("CSV", "never", "never", required=owed)
    of_call = replace(call("hello"), attributes=ATTRIBUTES)
    assert requirement_words(child, phase, report(NOT_DONE, child), of_call) == words
