"""Rules for the tests that work as workers do."""

from __future__ import annotations

from datetime import timedelta

import pytest

from review.tasks import adjudications, model_checks, shadows, what_ifs


@pytest.fixture(autouse=True)
def in_one_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have one round of a task work until nothing waits, however slow the machine is: a worker goes
    back to other work after some seconds.
    """
    for task in (adjudications, model_checks, shadows, what_ifs):
        monkeypatch.setattr(task, "SLICE", timedelta(hours=1))
