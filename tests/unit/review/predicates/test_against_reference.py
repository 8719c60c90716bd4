"""The product and an evaluator written apart from it judge random calls alike, code for code.

The small round runs with every test; tests/soak has the long one.
"""

from tests.unit.review.predicates.comparing import compare_round

ROUND = 500


def test_random_calls_are_judged_alike_and_every_outcome_is_common() -> None:
    seen = compare_round(seed=1, size=ROUND)
    assert min(seen[name] for name in ("pass", "fail", "undetermined")) >= ROUND * 0.05
