"""Candidates by wording with the real model: CPU of a call, and how often the turn is among them.

    python -m tests.bench.semantic

The first hit rate is over the cases under ../shared/cases and their variants (the product's own
copies where that is not laid out), against the turns that their authors wrote down as expected. The
weight of the turn before was chosen on these few, so other calls do worse: the second rate is over
calls woven of the sentences beside the catalogs, in a wording that no rubric has, where a phase's
own turns are the right ones. Every item is searched as if the rules had found nothing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from math import comb
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from catalogs.core.document import Document
from review.adapters.encoders import encoder_named
from review.core.cascade.candidates import (
    FIRST,
    Encoder,
    Sought,
    Vector,
    rank_turns,
    said_turns,
    texts_of,
    wording_of,
)
from review.core.cascade.open_items import roles_that_show
from review.core.figures import share_of
from review.core.rehearsal.variants import apply_variant, variants_of
from review.shipped import SHIPPED_CASES
from tests.bench.woven import woven_calls
from tests.golden.judged import cascade_of, judged

MODEL = "review.adapters.minilm.MiniLm"
SHARED = Path(__file__).parents[3] / "shared" / "cases"
CASES = {
    "case_a_respiratory": "respiratory_history",
    "case_b_call": "benefits_verification",
    "case_micro": "micro",
}
_TURNS = 60


class _Expected(NamedTuple):
    """An item, and the turn that shows it by the case's author."""

    sought: Sought
    turn: int


def main() -> int:
    """Print seconds and rates; 1 where the extra is not installed."""
    if find_spec("onnxruntime") is None:
        sys.stdout.write("the extra is not installed: run `make setup-semantic`\n")
        return 1
    before = process_time()
    encoder = encoder_named(MODEL)
    sys.stdout.write(f"{encoder.model}: loaded in {process_time() - before:.2f} s of CPU\n")
    for line in (*_seconds(encoder), *_rates(encoder), *_woven_rates(encoder)):
        sys.stdout.write(f"{line}\n")
    return 0


def _seconds(encoder: Encoder) -> Iterator[str]:
    """Time the largest shipped catalog's texts, and a call of sixty turns against all its items."""
    document = cascade_of("benefits_verification").document
    texts = texts_of(document)
    before = process_time()
    wording = dict(zip(texts, encoder.encode(texts), strict=True))
    yield f"{len(texts)} texts of a catalog, once a version: {process_time() - before:.2f} s of CPU"
    [path] = [path for path in SHIPPED_CASES if path.stem == "case_b_call"]
    call = judged("benefits_verification", json.loads(path.read_text("utf-8"))).call
    turns = said_turns(call)[:_TURNS]
    before = process_time()
    said = encoder.encode([turn.text for turn in turns])
    encoded = process_time()
    rank_turns(_all_items(document), turns, said, wording)
    yield (
        f"a call of {len(turns)} turns: {process_time() - before:.2f} s of CPU, of which ranking "
        f"{process_time() - encoded:.2f} s"
    )


def _all_items(document: Document) -> list[Sought]:
    return [
        Sought(phase.id, item.id, roles, wording_of(phase, item))
        for phase in document.phases
        for item in phase.accept
        if (roles := roles_that_show(item.match))
    ]


def _rates(encoder: Encoder) -> Iterator[str]:
    hits: list[bool] = []
    for stem, catalog in CASES.items():
        document = cascade_of(catalog).document
        texts = texts_of(document)
        wording = dict(zip(texts, encoder.encode(texts), strict=True))
        own = [hit for raw in _calls(stem) for hit in _hits(encoder, catalog, raw, wording)]
        yield f"{stem} and its variants: {_share(own)}"
        hits += own
    yield f"all: {_share(hits)}"


def _woven_rates(encoder: Encoder) -> Iterator[str]:
    """Count over woven calls how often a right turn, or one beside it, is among the first three;
    beside how often it would be among three turns that are drawn of those who can show the item.
    """
    hits: list[bool] = []
    drawn: list[float] = []
    turns_in_all = calls = 0
    for call in woven_calls():
        calls += 1
        turns_in_all += len(call.turns)
        texts = texts_of(call.document)
        wording = dict(zip(texts, encoder.encode(texts), strict=True))
        said = encoder.encode([turn.text for turn in call.turns])
        for sought in _all_items(call.document):
            right = call.right.get(sought.phase)
            ranked = rank_turns([sought], call.turns, said, wording)
            if right is None or not ranked:
                continue
            near = range(right.start - 1, right.stop + 1)
            hits.append(any(turn in near for turn in ranked[0].turns))
            own = [turn.number for turn in call.turns if turn.role in sought.roles]
            wrong = sum(number not in near for number in own)
            drawn.append(1 - comb(wrong, FIRST) / comb(max(FIRST, len(own)), FIRST))
    yield f"{calls} woven calls of {turns_in_all / calls:.0f} turns: {_share(hits)}"
    yield f"among three turns that are drawn: {sum(drawn) / len(drawn):.0%}"


def _share(hits: list[bool]) -> str:
    share = share_of(sum(hits), len(hits))
    if share.value is None or share.low is None or share.high is None:
        return "none"
    return (
        f"the turn, give or take one, among the first three for {share.part} of {share.n} items "
        f"({share.value:.0%}, {share.low:.0%} to {share.high:.0%})"
    )


def _calls(stem: str) -> Iterator[dict[str, Any]]:
    """Yield a case and its variants, each with the rows that are expected of it."""
    path = SHARED / f"{stem}.json"
    if not path.exists():
        [path] = [path for path in SHIPPED_CASES if path.stem == stem]
    raw = json.loads(path.read_text("utf-8"))
    rows = {row["phase"]: row for row in raw["expected"]["rows"]}
    yield {**raw, "rows": rows}
    for variant in variants_of(raw):
        expected = {
            phase: {"s": numbers[0], "e": numbers[1]}
            for phase, numbers in variant["expect"].items()
            if isinstance(numbers, list)
        }
        yield {**apply_variant(raw, variant), "rows": expected}


def _hits(
    encoder: Encoder, catalog: str, raw: Mapping[str, Any], wording: Mapping[str, Vector]
) -> Iterator[bool]:
    """Yield for each item whose turn is written down whether it was found."""
    given = {key: value for key, value in raw.items() if key != "rows"}
    one = judged(catalog, given)
    turns = said_turns(one.call)
    said = encoder.encode([turn.text for turn in turns])
    for expected in _expected(cascade_of(catalog).document, raw["rows"]):
        ranked = rank_turns([expected.sought], turns, said, wording)
        first = ranked[0].turns if ranked else ()
        yield any(abs(turn - expected.turn) <= 1 for turn in first)


def _expected(document: Document, rows: Mapping[str, Mapping[str, Any]]) -> Iterator[_Expected]:
    """Yield items whose turn the author wrote down: item by item, or the finish of a phase that has
    one item alone.
    """
    for sought in _all_items(document):
        row = rows.get(sought.phase)
        phase = document.phase(sought.phase)
        if row is None or phase.for_each is not None:
            continue
        alone = row.get("e") if len(phase.accept) == 1 else None
        turn = row.get("accept", {}).get(sought.item, alone)
        if turn is None:
            continue
        yield _Expected(sought, turn)


if __name__ == "__main__":
    raise SystemExit(main())
