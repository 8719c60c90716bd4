"""The pre-fill against the reference program, case by case, and what it must come to each time.

The stored results lie beside this file. They are written anew, after a change that is meant to
change them, by:

    python -m tests.bench.cascades
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from catalogs.core.document import load_document
from review.core.cascade.pipeline import Cascade, Prefill, prefill, prepare
from review.core.parsers import parse_calls
from review.core.row_values import row_to_json
from review.core.transcript import Call
from tests.bench.oracle import Pair, pairs
from tests.bench.timing import ratio

STORED = Path(__file__).parent / "stored_results.json"
_TIMES = 20


def cascade() -> Iterator[str]:
    """Time the whole pre-fill, with spans, provenance and flag sentences, against the reference.

    Raises AssertionError where what was timed is not the stored result.
    """
    stored = json.loads(STORED.read_text("utf-8"))
    found = False
    for pair in pairs():
        found = True
        yield _timed(pair, stored[pair.name])
    if not found:
        yield "cascade: not timed, the reference program is not laid out beside this checkout"


def _timed(pair: Pair, stored: object) -> str:
    call, ready = read(pair)
    latest: list[Prefill] = [prefill(call, ready)]

    def ours() -> None:
        for _ in range(_TIMES):
            latest[0] = prefill(call, ready)

    def reference() -> None:
        for _ in range(_TIMES):
            pair.run()

    times, best, _ = ratio(ours, reference)
    assert written(latest[0]) == stored, f"{pair.name}: the timed result is not the stored one"
    each = 1000 * best / _TIMES
    return f"cascade, {pair.name}: {times:.1f} x the reference program ({each:.2f} ms a call)"


def read(pair: Pair) -> tuple[Call, Cascade]:
    """Read a call and make its catalog ready; nothing of this is timed."""
    document, findings = load_document(pair.catalog)
    assert document is not None, findings
    return parse_calls(pair.call, name="call.json").calls[0], prepare(document)


def written(filled: Prefill) -> Any:
    """Write all that a pre-fill proposes as plain values: rows with provenance and spans, facts,
    flags with their sentences, and the decision.
    """
    decision = filled.decision
    plain = {
        "rows": {phase: row_to_json(row) for phase, row in filled.rows.items()},
        "facts": {name: _plain(value) for name, value in filled.facts.items()},
        "flags": {
            phase: [[flag.code.value, flag.text] for flag in flags]
            for phase, flags in filled.flags.items()
        },
        "phases": {one.phase: [one.required, one.ok, one.code.value] for one in decision.phases},
        "edges": {
            f"{one.rule.parent}-{one.rule.child}": [one.ok, one.code.value]
            for one in decision.edges
        },
        "coverage": decision.coverage.value,
        "order_safe": decision.order_safe.value,
        "call_success": decision.call_success.value,
        "findings": [[one.code, one.where, one.text] for one in filled.findings],
    }
    return json.loads(json.dumps(plain))  # tuples become lists, as in the file


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Decimal) else value


def main() -> None:
    """Store what the pre-fill of every case comes to now."""
    results = {pair.name: written(prefill(*read(pair))) for pair in pairs()}
    STORED.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
