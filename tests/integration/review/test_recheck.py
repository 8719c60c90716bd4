"""Stored verdicts are decided again from stored rows alone, and a difference is named."""

from __future__ import annotations

from io import StringIO

import pytest

from review.core.predicates import Outcome, batch
from review.management.commands import recheck_verdicts
from review.queries.decided import decided_calls
from tests.factories import case, catalog_source, make_site, prefilled, publish, publish_shipped

pytestmark = pytest.mark.django_db


def run() -> tuple[int, str]:
    out = StringIO()
    command = recheck_verdicts.Command(stdout=out)
    command.handle()
    return command.exit_code, out.getvalue()


def test_every_shipped_case_comes_out_as_it_is_stored() -> None:
    publish_shipped()
    for name in ("case_a_respiratory", "case_b_call", "case_micro"):
        prefilled(case(name), make_site())
    code, out = run()
    assert (code, out.splitlines()[-1]) == (0, "3 stored verdicts decided again, 0 differ")


def test_a_verdict_that_comes_out_otherwise_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    publish(catalog_source("micro"))
    call_id = prefilled(case(), make_site())
    [decided] = decided_calls()
    assert decided.outcomes == ("pass", "fail", "fail")

    def changed(plan: object, calls: object) -> list[batch.Verdicts]:
        found = batch.decide_many(plan, calls)  # type: ignore[arg-type]
        return [one._replace(order_safe=Outcome.PASS) for one in found]

    monkeypatch.setattr(recheck_verdicts, "decide_many", changed)
    code, out = run()
    assert code == 1
    assert f"{call_id}: stored pass, fail, fail; now pass, pass, fail" in out
