"""What counts as tightening a phase of the base: one table, by key. Everything else is E610.

A rule looks at the phase of the base and at what the overlay writes at the key, and yields what is
no tightening there: the place below the key, and a sentence. The rules know single phases; what a
stricter phase does to the conditions of others is `conditions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from catalogs.core.document import FinishRule, Mode, Phase, Precedence, RequiredKind
from catalogs.core.document.plain import Table, rows_of, table_of, text_or_none
from catalogs.core.requirements import Expression
from catalogs.core.requirements.parser import ExpressionError, parse

Refusal = tuple[str, str]
Rule = Callable[[Phase, Table], Iterator[Refusal]]


def refusals(base: Phase, written: Table) -> Iterator[tuple[str, str, str]]:
    """Yield the key, the place below it and the sentence of all that is no tightening."""
    for key in written:
        rule = TIGHTENS.get(key)
        if rule is None:
            yield key, "", f"{_REASONS.get(key, _FIXED)} ({key} of {base.id})"
            continue
        for below, said in rule(base, written):
            yield key, below, said


def _further(_base: Phase, _written: Table) -> Iterator[Refusal]:
    yield from ()


def _required(base: Phase, written: Table) -> Iterator[Refusal]:
    value = written["required"]
    if value == "always" or base.required.kind is RequiredKind.OPTIONAL:
        return
    wanted = None if value == "optional" else _condition(table_of(written, "required"))
    same = wanted is not None and _is_same(base.required.when, wanted)
    if value == "optional" or not same:
        yield "", f"makes {base.id} owed less often; only always asks more for certain"


def _accept(base: Phase, written: Table) -> Iterator[Refusal]:
    finishes_with_one = base.finish is FinishRule.ANY and written.get("finish") != "all_accepted"
    by_branch = all(item.when is not None for item in base.accept)
    known = {item.id for item in base.accept}
    for index, row in enumerate(rows_of(written, "accept")):
        if row["id"] in known:
            said = f"{base.id} has the item {row['id']} already; only further items ask more"
            yield f"[{index}]", said
        elif finishes_with_one:
            said = f"one item finishes {base.id}, so a further one is one more way to finish it"
            yield f"[{index}]", said
        elif by_branch:
            # Where no item is asked for, the phase fails; a further one alone would finish it.
            said = (
                f"every item of {base.id} depends on a condition, and where none holds a further "
            )
            yield f"[{index}]", f"{said}one would finish it"


def _edges(base: Phase, written: Table) -> Iterator[Refusal]:
    own = {edge.parent: edge for edge in base.critical}
    for parent, row in table_of(written, "critical_parents").items():
        edge = own.get(parent)
        if edge is None or not isinstance(row, dict):
            continue
        name = f"{parent}→{base.id}"
        if "scope" in row and row["scope"] != edge.scope.value:
            yield f".{parent}.scope", f"compares the critical edge {name} in another way"
        when = _condition(row)
        if when is not None and not _is_same(edge.when, when):
            yield f".{parent}.when", f"lets the critical edge {name} bind on another branch"


def _ack(base: Phase, _written: Table) -> Iterator[Refusal]:
    if base.ack_required:
        yield "", f"a further way to take up early content of {base.id} credits more of it"


def _ack_required(base: Phase, written: Table) -> Iterator[Refusal]:
    if base.ack_required and not written["ack_required"]:
        yield "", f"credits early content of {base.id} that had to be acknowledged"
    elif written["ack_required"] and not base.ack_required and not _credits_early(base):
        # What is taken up counts, and here nothing early counted at all.
        yield "", f"credits early content of {base.id}, once taken up, that the base never credits"


def _credits_early(base: Phase) -> bool:
    refused = base.volunteered is not None and not base.volunteered.accept
    return not refused and base.mode is not Mode.PROCEDURAL


def _volunteered(base: Phase, written: Table) -> Iterator[Refusal]:
    refused = base.volunteered is not None and not base.volunteered.accept
    if refused and table_of(written, "volunteered").get("accept", True):
        yield "", f"credits what was volunteered before {base.id} began"


def _precedence(base: Phase, written: Table) -> Iterator[Refusal]:
    if base.precedence is Precedence.STRICT and written["precedence"] == Precedence.SAME_TURN.value:
        yield "", f'loosens "<" to "<=" before {base.id}'


def _finish(base: Phase, written: Table) -> Iterator[Refusal]:
    if base.finish is FinishRule.ALL and written["finish"] == FinishRule.ANY.value:
        yield "", f"lets one item finish {base.id} where all are needed"


TIGHTENS: Mapping[str, Rule] = {
    "required": _required,
    "accept": _accept,
    "critical_parents": _edges,
    "parents": _further,
    "ack": _ack,
    "ack_required": _ack_required,
    "volunteered": _volunteered,
    "precedence": _precedence,
    "finish": _finish,
    "facts": _further,
    # Words for people: nothing is judged by them.
    "basis": _further,
    "counterexamples": _further,
    "rubric": _further,
    "note": _further,
}
"""The keys that an overlay may write of a phase of its base, each with its rule."""

ASKS_MORE = frozenset({"accept", "ack_required", "volunteered", "finish"})
"""The keys that can turn a phase that passed into one that did not."""

_FIXED = "the base says this for all sites"
_REASONS = {
    "starts": "an earlier start credits content that the base does not; translate hears another "
    "language",
    "contradicts": "sends rows to a person that the base decides",
    "for_each": "counts other instances than the base",
    "graded": "is a figure that the base gives for all sites",
}


def _condition(row: Table) -> Expression | None:
    """Return the condition of a row; None for none, for always, and for an unreadable one, which
    the building of the merged document complains about.
    """
    text = text_or_none(row, "when")
    if text is None or text.strip() == "always":
        return None
    try:
        return parse(text)
    except ExpressionError:
        return None


def _is_same(base: Expression | None, wanted: Expression) -> bool:
    return base is not None and base.node == wanted.node
