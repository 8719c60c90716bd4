"""Ten thousand random edits of drafts through the pages of the studio."""

import pytest

from tests.fuzzed_drafts import FuzzedDrafts

SIZE = 10_000


@pytest.mark.django_db
def test_ten_thousand_random_edits_lose_nothing_and_break_no_page() -> None:
    drafts = FuzzedDrafts(seed=20_261_130)
    drafts.run(SIZE)
    answers = ", ".join(f"{code}: {drafts.seen[code]}" for code in sorted(drafts.seen))
    print(f"editor: {SIZE} random edits, every text kept; answers {answers}")  # noqa: T201
    assert min(drafts.seen[code] for code in ("200", "302", "409", "422")) >= SIZE * 0.01
