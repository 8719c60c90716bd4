"""Two hundred rounds of each race at a signature."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.factories import catalog_source, publish
from tests.integration.review.signing_racing import (
    both_sign,
    change_and_sign,
    disable_and_sign,
    reopen_and_export,
)

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 200
RACES: list[tuple[str, Callable[[int], int], str]] = [
    ("sign/sign", both_sign, "times the first one won"),
    ("edit/sign", change_and_sign, "signatures won"),
    ("disable/sign", disable_and_sign, "signatures won"),
    ("reopen/export", reopen_and_export, "audits had the call"),
]


@pytest.mark.parametrize(("name", "race", "words"), RACES, ids=[one[0] for one in RACES])
def test_two_hundred_rounds_sign_nothing_unseen(
    name: str,
    race: Callable[[int], int],
    words: str,
    settings: Settings,
    tmp_path: Path,
) -> None:
    settings.SIGNING_KEY_DIR = str(tmp_path / "signing")
    settings.SIGNING_KEYS_AUTOCREATE = True
    publish(catalog_source("micro"))
    won = race(ROUNDS)
    print(f"{name}: {ROUNDS} rounds, one winner in each; {won} {words}")  # noqa: T201
