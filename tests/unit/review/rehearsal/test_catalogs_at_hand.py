"""The catalogs that ship, and those of the shared folder where it is laid out: their tests pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from catalogs.core.document import load_document
from catalogs.core.findings import Severity
from catalogs.shipped import SHIPPED_CATALOGS
from review.core.rehearsal import rehearse
from review.management.sentences_page import Counts, count_shipped, total_of
from review.shipped import SHIPPED_CASES

SHARED = Path(__file__).resolve().parents[5] / "shared"
AT_HAND = [*SHIPPED_CATALOGS, *sorted((SHARED / "catalogs").glob("*.yaml"))]
WITH_SENTENCES = [
    path for path in SHIPPED_CATALOGS if (path.parent / "sentences" / path.name).is_file()
]
CASES = [*SHIPPED_CASES, *sorted((SHARED / "cases").glob("*.json"))]

#: The share of starting and of satisfying sentences that each shipped catalog recognises.
ENOUGH = 0.95

#: Phases that only a tool call enters and passes: words never do, so none are asked of them.
BY_EVENTS = {"airline_policy": ("WRITE",)}


def calls(name: str) -> bytes | None:
    path = next((path for path in CASES if path.name == name), None)
    return None if path is None else path.read_bytes()


@pytest.mark.parametrize("path", AT_HAND, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_examples_tests_and_sentences_have_no_error(path: Path) -> None:
    document, findings = load_document(path.read_bytes())
    assert document is not None, findings
    companion = path.parent / "sentences" / path.name
    sentences = companion.read_bytes() if path in WITH_SENTENCES else None
    done = rehearse(document, calls=calls, sentences=sentences)
    errors = [one for one in done.findings if one.severity is Severity.ERROR]
    assert errors == []
    assert done.green or path not in SHIPPED_CATALOGS
    assert done.counts["tests"] > 0
    assert done.counts["failing"] == 0
    assert done.counts["killed"] > 0
    if path in WITH_SENTENCES:
        assert {one.kind for one in done.sentences} >= {"starts", "satisfies", "near_misses"}


@pytest.mark.parametrize("stem", [path.stem for path in SHIPPED_CATALOGS])
def test_no_near_miss_passes_and_nearly_every_sentence_is_recognised(stem: str) -> None:
    counts = count_shipped()[stem]
    assert [phase for phase, one in counts.items() if one.near_misses_passing] == []
    heard = [one for phase, one in counts.items() if phase not in BY_EVENTS.get(stem, ())]
    assert all(one.starts[1] and one.satisfies[1] and one.near_misses for one in heard)
    total = total_of(counts.values())
    assert _share(total.starts) >= ENOUGH
    assert _share(total.satisfies) >= ENOUGH


def test_counts_of_phases_add_up() -> None:
    assert total_of([Counts((1, 2), (3, 4), 1, 5), Counts((1, 1), (0, 2), 0, 6)]) == (
        (2, 3),
        (3, 6),
        1,
        11,
    )


def _share(counted: tuple[int, int]) -> float:
    return counted[0] / counted[1]
