"""The card of a data set: what is in it, where from, what it is for, and what it is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from review.core.dataset.labels import FORMAT, Plain

_HEAD = """# A data set of reviewed calls

Labels of service calls that were judged by people, phase by phase, against an ordered catalog of
obligations. One call a line in `labels.jsonl`, format `{format}`. No words, names, days, sources,
offsets or times of a call are in it: the labels were made of a de-identified audit, whose calls
have pseudonyms that only it has.
"""

_TASKS = """## What for

- **Boundary detection**: on which turn each phase starts and finishes (`start`, `finish`: a turn
  number of the source, `never`, or `unknown`); `asks` are the turns on which it was entered,
  `answers` those on which an item was shown, `mode` whether it was asked and answered.
- **Compliance verification**: `verdict` of each phase, `ok` of each critical edge, and `coverage`,
  `order_safe`, `call_success` of the call.

A system that is to be compared reads the calls where they are kept, under their pseudonyms, and
writes one object a call; `score_rows` compares (docs/datasets.md).
"""

_LIMITS = """## What to know

- A label is what people signed after they saw a machine's proposal; proposals pull readers along.
- The calls are those of the audit's scope, which is not a sample of anything else.
- `derived: false`: a condition reads an input that the audit keeps. The outcome is as it was
  signed; `required`, `ok` and edges that depend on that input are null.
- Items of a list or tool call have made-up names (`item-1`), the same in the whole call.
- Turn numbers and the year remain. They name nobody; with the calls at hand they find a call again.
"""


def write_card(labels: Sequence[Plain], root_id: str, audit_digest: str) -> str:
    """Return the card, as Markdown, of these labels and of the audit they were made of (the SHA-256
    of its file, and the fingerprint of the root key that it was verified with).
    """
    lines = [
        _HEAD.format(format=FORMAT),
        *_counts(labels),
        "",
        _TASKS,
        _LIMITS,
        "## Where from",
        "",
    ]
    lines += [f"- audit: SHA-256 `{audit_digest}`", f"- verified with the root key `{root_id}`", ""]
    return "\n".join(lines)


def _counts(labels: Sequence[Plain]) -> Iterator[str]:
    yield "## What is in it"
    yield ""
    catalogs = Counter(f"{one['catalog']['slug']} {one['catalog']['version']}" for one in labels)
    yield f"{len(labels)} calls: " + ", ".join(
        f"{n} by {name}" for name, n in sorted(catalogs.items())
    )
    yield ""
    yield "| outcome | pass | fail | undetermined |"
    yield "| --- | --- | --- | --- |"
    for name in ("coverage", "order_safe", "call_success"):
        found = Counter(one[name] for one in labels)
        yield f"| {name} | {found['pass']} | {found['fail']} | {found['undetermined']} |"
    yield ""
    yield "| catalog, phase | calls | pass | fail | unknown |"
    yield "| --- | --- | --- | --- | --- |"
    for (slug, phase), verdicts in _verdicts(labels).items():
        cells = (f"{verdicts[word]}" for word in ("pass", "fail", "unknown"))
        yield f"| {slug}, {phase} | {verdicts.total()} | {' | '.join(cells)} |"
    edges = Counter(edge["ok"] for one in labels for edge in one["edges"])
    yield ""
    yield f"Critical edges: {edges[True]} kept, {edges[False]} broken, {edges[None]} undecided."


def _verdicts(labels: Sequence[Plain]) -> dict[tuple[str, str], Counter[str]]:
    found: dict[tuple[str, str], Counter[str]] = {}
    for one in labels:
        for row in one["phases"]:
            place = one["catalog"]["slug"], row["phase"]
            found.setdefault(place, Counter())[row["verdict"]] += 1
    return found
