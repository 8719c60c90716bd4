"""Two at one signature at the same time: one signs, the other is told, nothing is signed unseen.

F21 of the design's fault table; `make soak` runs two hundred rounds of each.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from tests.factories import catalog_source, publish
from tests.integration.review.signing_racing import (
    both_sign,
    change_and_sign,
    disable_and_sign,
    one_form_twice,
    reopen_and_export,
)

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 10


@pytest.fixture(autouse=True)
def catalog(settings: Settings, tmp_path: Path) -> None:
    settings.SIGNING_KEY_DIR = str(tmp_path / "signing")
    settings.SIGNING_KEYS_AUTOCREATE = True
    publish(catalog_source("micro"))


def test_f21_of_two_signers_one_wins() -> None:
    both_sign(ROUNDS)


def test_f21_one_form_sent_twice_at_once_signs_once() -> None:
    one_form_twice(5)


def test_f21_of_a_change_and_a_signature_one_wins() -> None:
    change_and_sign(ROUNDS)


def test_f22_who_loses_the_role_while_signing_has_signed_before_or_not_at_all() -> None:
    disable_and_sign(ROUNDS)


def test_f21_an_audit_built_while_a_call_is_reopened_has_what_was_signed_or_leaves_it_out() -> None:
    reopen_and_export(ROUNDS)
