"""The latest rehearsal in plain words: tests, what they have seen, what they would not notice.

The stored result is plain JSON as the engine wrote it; its findings are sentences already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from catalogs.presenters.marks import Mark, rehearsal_mark, seen_mark, severity_mark
from catalogs.presenters.version_words import plural
from catalogs.queries import RehearsalLine

#: Surviving mutants have a list of their own.
_SURVIVED = "W706"


@dataclass(frozen=True, slots=True)
class TestRun:
    """One test of the document: how it came out and every difference to what it expects."""

    label: str
    mark: Mark
    differences: tuple[str, ...]
    outcome: str


@dataclass(frozen=True, slots=True)
class EdgeSeen:
    """In how many runs a critical edge held, was broken, tied, or could not be told."""

    name: str
    mark: Mark
    safe: int
    unsafe: int
    tied: int
    unknown: int


@dataclass(frozen=True, slots=True)
class ConditionSeen:
    """In how many runs a conditional phase was owed, not owed, or could not be told."""

    phase: str
    mark: Mark
    owed: int
    not_owed: int
    unknown: int


@dataclass(frozen=True, slots=True)
class Survivor:
    """One wrong change that nothing notices."""

    where: str
    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """One finding of the rehearsal other than a surviving change."""

    code: str
    mark: Mark
    where: str
    text: str


@dataclass(frozen=True, slots=True)
class ShownRehearsal:
    """The rehearsal of a version."""

    mark: Mark
    made: str
    engine: str
    sentences: tuple[str, ...]
    tests: tuple[TestRun, ...]
    edges: tuple[EdgeSeen, ...]
    conditions: tuple[ConditionSeen, ...]
    remarks: tuple[Remark, ...]
    survivors: tuple[Survivor, ...]


def show_rehearsal(line: RehearsalLine) -> ShownRehearsal:
    """Draw a stored rehearsal."""
    result = line.result
    seen = result["coverage"]
    edges = tuple(_edge(one) for one in seen["edges"])
    conditions = tuple(_condition(one) for one in seen["requirements"])
    return ShownRehearsal(
        mark=rehearsal_mark(line.is_green),
        made=line.made_at.strftime("%Y-%m-%d %H:%M UTC"),
        engine=line.engine,
        sentences=tuple(_sentences(result["counts"], edges, conditions)),
        tests=tuple(_test(one) for one in result["tests"]),
        edges=edges,
        conditions=conditions,
        remarks=tuple(
            Remark(one["code"], severity_mark(one["severity"]), one["where"], one["text"])
            for one in result["findings"]
            if one["code"] != _SURVIVED
        ),
        survivors=tuple(
            Survivor(one["where"], one["text"])
            for one in result["mutants"]
            if one["noticed_by"] is None
        ),
    )


def _sentences(
    counts: Mapping[str, int],
    edges: tuple[EdgeSeen, ...],
    conditions: tuple[ConditionSeen, ...],
) -> Iterator[str]:
    yield _tests(counts["tests"], counts["failing"])
    if edges:
        yield _sides(edges, "critical edge", "was seen kept and broken")
    if conditions:
        yield _sides(conditions, "condition", "was seen true and false")
    if counts["sentences"]:
        yield _examples(counts["sentences"], counts["sentences_missed"])
    if counts["mutants"]:
        yield _mutants(counts["mutants"], counts["survivors"])


def _tests(tests: int, failing: int) -> str:
    if not tests:
        return "The document has no test that could be run."
    if not failing:
        return f"{plural(tests, 'test')} run, all as the document expects."
    return f"{plural(tests, 'test')} run, {failing} not as the document expects."


def _sides(seen: tuple[EdgeSeen | ConditionSeen, ...], noun: str, both: str) -> str:
    whole = sum(1 for one in seen if one.mark.tone == "pass")
    if whole == len(seen):
        return f"{'The' if whole == 1 else 'Every'} {noun} {both}."
    return f"{whole} of {plural(len(seen), noun)} {both}; the tests lack the other side."


def _examples(sentences: int, missed: int) -> str:
    if not missed:
        return f"{plural(sentences, 'example sentence')}, all judged as written."
    return f"{plural(sentences, 'example sentence')}, {missed} judged otherwise than written."


def _mutants(mutants: int, survivors: int) -> str:
    tried = plural(mutants, "small wrong change")
    if not survivors:
        return f"{tried} tried, each noticed by a test or sentence."
    return f"{tried} tried, {survivors} noticed by no test or sentence."


def _edge(one: Mapping[str, Any]) -> EdgeSeen:
    return EdgeSeen(
        name=f"{one['parent']} → {one['child']}",
        mark=seen_mark(both=one["safe"] > 0 and one["unsafe"] > 0),
        safe=one["safe"],
        unsafe=one["unsafe"],
        tied=one["tied"],
        unknown=one["unknown"] + one["silent"],
    )


def _condition(one: Mapping[str, Any]) -> ConditionSeen:
    return ConditionSeen(
        phase=one["phase"],
        mark=seen_mark(both=one["owed"] > 0 and one["not_owed"] > 0),
        owed=one["owed"],
        not_owed=one["not_owed"],
        unknown=one["unknown"],
    )


def _test(one: Mapping[str, Any]) -> TestRun:
    differences = tuple(one["differences"])
    mark = Mark("✕", "differs", "fail") if differences else Mark("✓", "as expected", "pass")
    outcome = (
        f"Coverage {one['coverage']}, OrderSafe {one['order_safe']}, "
        f"CallSuccess {one['call_success']}"
    )
    return TestRun(one["label"], mark, differences, outcome)
