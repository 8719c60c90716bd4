"""An overlay never turns a failing call of its base into a passing one (E610), shown by running.

Overlays are drawn at random over the shipped catalogs, weakenings among them: those are refused and
left out. Every shipped case and variant is judged by the base and by the merged catalog.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from catalogs.core.canonical import content_digest
from catalogs.core.document import Document, load_document
from catalogs.core.document.reading import Source
from catalogs.core.linter import guard, is_fatal, lint_against
from catalogs.core.overlay import Overlay, load_overlay, merge, merging
from catalogs.shipped import SHIPPED_CATALOGS
from review.core.cascade.pipeline import Cascade, prepare
from review.core.evaluation import Judged, judge_call
from review.core.parsers import parse_calls
from review.core.rehearsal.variants import apply_variant, variants_of
from review.core.transcript import Call
from review.shipped import SHIPPED_CASES
from tests.golden.judged import cascade_of
from tests.unit.catalogs.overlay.test_merging import BASE, HEAD, ITEM, PHASE

STEMS = [path.stem for path in SHIPPED_CATALOGS]
SEEDS = range(12)


@cache
def calls() -> tuple[Call, ...]:
    """Read every shipped case and each of its variants."""
    return tuple(call for raw in _raw_calls() for call in _parsed(raw))


def _raw_calls() -> Iterator[dict[str, Any]]:
    for path in SHIPPED_CASES:
        raw = json.loads(path.read_text("utf-8"))
        for one in raw.get("calls", [raw]):
            yield one
            for variant in variants_of(one):
                yield apply_variant(one, variant)


def _parsed(raw: dict[str, Any]) -> tuple[Call, ...]:
    return parse_calls(json.dumps(raw, default=float).encode(), name="case.json").calls


@cache
def judged_by_base(stem: str) -> tuple[Judged, ...]:
    """Judge the calls that share a role with the catalog; the others say nothing."""
    cascade = cascade_of(stem)
    return tuple(judge_call(call, cascade) for call in calls() if _fits(call, cascade.document))


def _fits(call: Call, document: Document) -> bool:
    kind = document.data["applies_to"]
    return str(call.attributes.get("type")) in str(kind)


def overlay_of(data: dict[str, Any]) -> Overlay:
    return Overlay(
        data["catalog"],
        "1.0.0",
        "x",
        1,
        ("north",),
        content_digest(data),
        data,
        Source(data, {}, []),
    )


def head(base: Document) -> dict[str, Any]:
    return {
        "format": "oip-catalog/1",
        "catalog": f"{base.slug}--north",
        "version": "1.0.0",
        "extends": f"{base.slug}@{base.version.partition('.')[0]}",
        "sites": ["north"],
        "effective": {"from": base.effective_from},
        "changelog": [],
    }


def drawn(base: Document, seed: int) -> Overlay:
    """Draw an overlay: some phases added, and about every second phase changed at some keys."""
    chance = random.Random(f"{base.slug} {base.version} {seed}")  # noqa: S311 - draws a test
    roles = [role for role in base.speakers if role not in ("ivr", "system")]
    words = ["the", "you", "number", "name", "ok", "nothing like this"]

    def matcher() -> dict[str, Any]:
        return {"re": rf"(?i)\b{chance.choice(words)}\b", "by": [chance.choice(roles)]}

    def item(name: str) -> dict[str, Any]:
        return {"id": name, "text": name, "match": [matcher()]}

    ids = [phase.id for phase in base.phases]
    edge = {"rationale": "Drawn.", "sources": list(base.sources)[:1]}
    added: list[dict[str, Any]] = [
        {
            "id": f"NEW_{n}",
            "name": "New",
            "intent": "New.",
            "required": chance.choice(["always", "optional", {"when": f"{ids[0]} started"}]),
            "starts": [matcher()],
            "accept": [item("new")],
            "rubric": {"pass": [], "fail": []},
        }
        for n in range(chance.randrange(3))
    ]
    for row in added:
        if chance.random() < 0.5:
            parent = chance.choice(ids)
            row |= {"parents": [parent], "critical_parents": {parent: edge}}
    parents = [*ids, *(row["id"] for row in added)]
    makers: dict[str, Callable[[], object]] = {
        "required": lambda: chance.choice(["always", "optional"]),
        "accept": lambda: [item(f"more_{n}") for n in range(1 + chance.randrange(2))],
        "critical_parents": lambda: {chance.choice(parents): edge},
        "ack_required": lambda: chance.choice([True, False]),
        "ack": lambda: [matcher()],
        "volunteered": lambda: {"accept": chance.choice([True, False]), "rationale": "Drawn."},
        "precedence": lambda: chance.choice(["<", "<="]),
        "finish": lambda: chance.choice(["all_accepted", "any_accepted"]),
        "starts": lambda: [matcher()],
        "mode": lambda: chance.choice(["either", "procedural", "informational"]),
    }
    tighten = {
        phase: {
            key: makers[key]() for key in chance.sample(sorted(makers), 1 + chance.randrange(3))
        }
        for phase in ids
        if chance.random() < 0.5
    }
    return overlay_of({**head(base), "add_phases": added, "tighten": tighten})


@cache
def merged(stem: str, seed: int) -> Cascade | None:
    """Merge a drawn overlay; None where the drawn edges make a circle."""
    base = cascade_of(stem).document
    document, _ = merge(base, drawn(base, seed))
    assert document is not None
    return None if is_fatal(guard(document)) else prepare(document)


@pytest.mark.parametrize("stem", STEMS)
def test_merging_nothing_gives_the_verdicts_of_the_base(stem: str) -> None:
    base = cascade_of(stem).document
    document, found = merge(base, overlay_of(head(base)))
    assert document is not None
    assert found == ()
    cascade = prepare(document)
    for before in judged_by_base(stem):
        after = judge_call(before.call, cascade)
        assert after.report.rows == before.report.rows
        assert after.report.edges == before.report.edges
        assert _verdicts(after) == _verdicts(before)


@pytest.mark.parametrize("stem", STEMS)
def test_a_merged_document_is_clean_beside_its_base(stem: str) -> None:
    base = cascade_of(stem).document
    for seed in range(100):
        document, _ = merge(base, drawn(base, seed))
        assert document is not None
        assert lint_against(document, base=base) == ()


@pytest.mark.parametrize("stem", STEMS)
def test_what_fails_by_the_base_fails_by_the_overlay(stem: str) -> None:
    cascades = [one for one in (merged(stem, seed) for seed in SEEDS) if one is not None]
    assert len(cascades) >= 3
    for before in judged_by_base(stem):
        for cascade in cascades:
            after = judge_call(before.call, cascade)
            for one, two in zip(_verdicts(before), _verdicts(after), strict=True):
                assert two == "fail" or one != "fail", (before.call.id, cascade.document.data)


@pytest.mark.parametrize("stem", STEMS)
def test_what_is_open_by_the_base_never_passes_by_the_overlay(stem: str) -> None:
    """Where the base owes nothing at all, what the overlay owes may be all that there is."""
    cascades = [one for one in (merged(stem, seed) for seed in SEEDS) if one is not None]
    for before in judged_by_base(stem):
        if "VACUOUS" in before.report.reasons:
            continue
        for cascade in cascades:
            after = judge_call(before.call, cascade)
            for one, two in zip(_verdicts(before), _verdicts(after), strict=True):
                assert two != "pass" or one == "pass", (before.call.id, cascade.document.data)


def test_the_calls_fail_and_pass() -> None:
    seen = {verdict for stem in STEMS for one in judged_by_base(stem) for verdict in _verdicts(one)}
    assert {"pass", "fail"} <= seen
    assert all(judged_by_base(stem) for stem in STEMS)


LINES = (
    *(("agent", "Your birth date?"), ("rep", "She was born in May."), ("rep", "I found her.")),
    *(("agent", "Now the benefits."), ("agent", "She is covered."), ("agent", "Well, good bye.")),
)


def test_a_stricter_phase_that_a_condition_reads_would_let_a_failing_call_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """PAY is owed once TELL passed and is missing: the call fails. One more item of TELL that the
    call does not show takes TELL's pass away, and PAY's duty with it. So it is refused (E610).
    """
    base, _ = load_document(BASE.replace("TELL passed and not free", "TELL passed").encode())
    overlay, _ = load_overlay((HEAD + f"tighten: {{TELL: {{accept: [{ITEM}]}}}}").encode())
    assert base is not None
    assert overlay is not None
    call = _said(LINES)
    refused, found = merge(base, overlay)
    assert [one.code for one in found] == ["E610"]
    monkeypatch.setattr(merging, "loosened", lambda *_: iter(()))
    unchecked, _ = merge(base, overlay)
    assert refused is not None
    assert unchecked is not None
    coverages = [
        judge_call(call, prepare(document)).report.coverage
        for document in (base, refused, unchecked)
    ]
    assert coverages == ["fail", "fail", "pass"]


_CLAIMS = "events: {noted: {source: tool, fields: [], self_reported: true}}"
# Each of these overlays was merged once without a word: the base says "before", the merger of an
# unchecked overlay said "pass".
_ALL_BY_BRANCH = (
    ("match: [{re: 'born', by: [rep]}]", "match: [{re: 'born', by: [rep]}], when: call.kind = 'a'"),
    ("[{re: 'found', by: [rep]}]", "[{re: 'found', by: [rep]}], when: call.kind = 'b'"),
)
_CONTRADICTED = (
    ("  - id: TELL", "    contradicts: [{re: wrong person, by: [rep]}]\n  - id: TELL"),
)
_BY_FACT = (
    ("required: optional\n    parents: [ID]", "required: always\n    parents: [ID]"),
    ("    ack_required: true\n", ""),
    ("true_if: [{re: free, by: [agent]}]", "true_if: [{re: paid, by: [agent]}], otherwise: false"),
    ("TELL passed and not free", "free"),
    ("not PAY failed", "call.kind = 'x'"),
)
_BY_CLAIM = (
    ("facts:\n  free", f"{_CLAIMS}\nfacts:\n  free"),
    ("[{re: 'covered', by: [agent]}]", "[{tool: noted}]"),
    ("    ack_required: true\n", ""),
    ("TELL passed and not free", "TELL passed"),
    ("not PAY failed", "call.kind = 'x'"),
)
_IDENTIFIED = (("agent", "Your birth date?"), ("rep", "She was born."), ("rep", "I found her."))
HOSTILE: list[tuple[str, tuple[tuple[str, str], ...], str, tuple[tuple[str, str], ...], str]] = [
    (
        "an item where each other depends on a branch and none is asked for",
        _ALL_BY_BRANCH,
        f"tighten: {{ID: {{accept: [{ITEM}]}}}}",
        (("agent", "Your birth date?"), ("agent", "Some more."), ("agent", "Then good bye.")),
        "fail",
    ),
    (
        "an item that is shown after the contradiction",
        _CONTRADICTED,
        f"tighten: {{ID: {{accept: [{ITEM}]}}}}",
        (*_IDENTIFIED, ("rep", "Oh, the wrong person."), ("agent", "One thing more. So good bye.")),
        "undetermined",
    ),
    (
        "a later finish, of a phase that is always owed, where its fact is no longer heard",
        _BY_FACT,
        "tighten: {TELL: {volunteered: {accept: false, rationale: Drawn.}}}",
        (
            *_IDENTIFIED,
            ("agent", "It is covered and to be paid."),
            ("agent", "Now the benefits."),
            ("agent", "As I said, covered."),
        ),
        "fail",
    ),
    (
        "a gate by an added phase, where the agent's own event shows the phase",
        _BY_CLAIM,
        f"add_phases:\n{PHASE.replace('ID: {', 'TELL: {').replace('[ID]', '[TELL]')}".replace(
            "    parents", "    required: optional\n    parents"
        ),
        (*_IDENTIFIED, ("agent", "Now the benefits."), ("agent", "Fine.")),
        "fail",
    ),
]


@pytest.mark.parametrize(
    ("changes", "body", "lines", "before"),
    [one[1:] for one in HOSTILE],
    ids=[h[0] for h in HOSTILE],
)
def test_a_hostile_overlay_is_refused_and_lets_nothing_pass(
    changes: tuple[tuple[str, str], ...],
    body: str,
    lines: tuple[tuple[str, str], ...],
    before: str,
) -> None:
    text = BASE
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    base, _ = load_document(text.encode())
    overlay, _ = load_overlay((HEAD + body).encode())
    assert base is not None
    assert overlay is not None
    call = _said(lines)
    document, found = merge(base, overlay)
    assert document is not None
    coverages = [judge_call(call, prepare(one)).report.coverage for one in (base, document)]
    assert coverages == [before, before]
    assert [one.code for one in found] == ["E610"]
    assert "phase of its own" in found[0].text or "would finish it" in found[0].text


def test_more_is_asked_of_a_phase_that_is_then_always_owed() -> None:
    base, _ = load_document(BASE.replace("TELL passed and not free", "TELL passed").encode())
    body = f"tighten: {{TELL: {{required: always, accept: [{ITEM}]}}}}"
    overlay, _ = load_overlay((HEAD + body).encode())
    assert base is not None
    assert overlay is not None
    document, found = merge(base, overlay)
    assert document is not None
    assert found == ()
    assert [item.id for item in document.phase("TELL").accept] == ["told", "more"]


def _said(lines: tuple[tuple[str, str], ...]) -> Call:
    [call] = _parsed(
        {
            "format": "oip-call/1",
            "id": "one",
            "turn_base": 1,
            "ended": True,
            "call": {"type": "small", "kind": "c", "date": "2026-03-01"},
            "speakers": {"agent": {"role": "agent"}, "rep": {"role": "rep"}},
            "turns": [
                {"n": n, "speaker": who, "kind": "speech", "text": words}
                for n, (who, words) in enumerate(lines, 1)
            ],
            "events": [
                {"id": "e1", "source": "tool", "name": "noted", "turn": len(lines), "args": {}}
                | {"result_turn": len(lines), "ok": True}
            ],
        }
    )
    return call


def _verdicts(one: Judged) -> tuple[str, str]:
    return (one.report.coverage, one.report.order_safe)
