"""Ten thousand random calls, judged by the product and by the reference."""

from tests.unit.review.predicates.batching import batch_round
from tests.unit.review.predicates.comparing import compare_round

SIZE = 10_000


def test_ten_thousand_random_calls_are_judged_alike() -> None:
    seen = compare_round(seed=20_261_129, size=SIZE)
    shares = ", ".join(f"{name} {100 * seen[name] / SIZE:.1f} %" for name in sorted(seen))
    print(f"decisions: {SIZE} random calls agree with the reference; {shares}")  # noqa: T201
    assert min(seen[name] for name in ("pass", "fail", "undetermined")) >= SIZE * 0.05


def test_ten_thousand_random_calls_come_out_of_a_batch_as_one_by_one() -> None:
    found = batch_round(seed=20_261_130, size=SIZE)
    share = 100 * found.by_type / found.calls
    print(f"batch: {found.calls} random calls equal decide(), {share:.0f} % by type")  # noqa: T201
    assert found.calls >= SIZE
