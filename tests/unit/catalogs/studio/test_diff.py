"""What differs between two catalogs: one row per kind of change, with its effect and its words."""

from __future__ import annotations

import pytest

from catalogs.core.diff import Effect, diff
from catalogs.core.document import Document, load_document
from catalogs.shipped import SHIPPED_CATALOGS

SOURCES = {path.stem: path.read_text("utf-8") for path in SHIPPED_CATALOGS}
MICRO = SOURCES["micro"]
DOWN, UP, EITHER, WORDS = Effect.PASS_TO_FAIL, Effect.FAIL_TO_PASS, Effect.EITHER, Effect.WORDS


def read(text: str) -> Document:
    document, findings = load_document(text.encode())
    assert document is not None, findings
    return document


def micro(*changes: tuple[str, str]) -> Document:
    text = MICRO
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return read(text)


OLD = micro()
_DUTY = "\n    required: "
CSV_EDGE = 'critical_parents: {PID: {rationale: "Whether'
#: what is changed in the micro catalog, the phase, the key, the effect, a part of the sentence
TABLE = [
    (("name: Coverage told", "name: Told"), "CSV", "name", WORDS, "named Told"),
    (("intent: What the", "intent: All the"), "DCC", "intent", WORDS, "reworded"),
    (
        (_DUTY + "always", _DUTY + "optional"),
        "PID",
        "required",
        UP,
        "never (optional)",
    ),
    (
        (_DUTY + "always", _DUTY + "{when: CSV started}"),
        "PID",
        "required",
        UP,
        "CSV started",
    ),
    (
        ("told\n        text: Covered", "said\n        text: Covered"),
        "CSV",
        "accept.said",
        DOWN,
        "added",
    ),
    (
        ("told\n        text: Covered", "said\n        text: Covered"),
        "CSV",
        "accept.told",
        UP,
        "removed",
    ),
    (("text: Covered or not.", "text: Covered?"), "CSV", "accept.told", WORDS, "reads: Covered?"),
    (
        (CSV_EDGE, 'critical_parents: {PID: {when: CSV started, rationale: "Whether'),
        "CSV",
        "critical_parents.PID",
        UP,
        "binds when CSV started; before: always",
    ),
    (
        (
            "Whether a named person is covered is PHI",
            "That a named person is covered is PHI",
        ),
        "CSV",
        "critical_parents.PID",
        WORDS,
        "rationale of PID→CSV reworded",
    ),
    (
        (
            "{re: '(?i)\\$\\d+|\\byour (copay|coinsurance) is\\b', by: [agent]}",
            "{re: '(?i)\\$\\d+|\\byour (copay|coinsurance) is\\b|more', by: [agent]}",
        ),
        "DCC",
        "starts",
        EITHER,
        "widened",
    ),
    (
        ("counterexamples: [Caller ID alone.]", "counterexamples: [None.]"),
        "PID",
        "counterexamples",
        WORDS,
        "changed",
    ),
    (("title: ", "title: My "), "", "title", WORDS, "title: My"),
    (("version: 2.0.0", "version: 2.1.0"), "", "version", WORDS, "version 2.1.0; before: 2.0.0"),
]


@pytest.mark.parametrize(("change", "phase", "key", "effect", "words"), TABLE)
def test_a_change_says_what_it_can_do(
    change: tuple[str, str], phase: str, key: str, effect: Effect, words: str
) -> None:
    found = [one for one in diff(OLD, micro(change)) if (one.phase, one.key) == (phase, key)]
    assert [one.effect for one in found] == [effect]
    assert words in found[0].text


@pytest.mark.parametrize(
    ("old", "new", "effect", "words"),
    [
        ("mode: procedural", "mode: either", UP, "mode is either"),
        ("match:\n", "match:\n          - {tool: crm.other}\n", UP, "widened"),
        ("          - {tool: crm.match_member}\n", "", DOWN, "narrowed"),
    ],
)
def test_undoing_a_change_has_the_opposite_effect(
    old: str, new: str, effect: Effect, words: str
) -> None:
    declared = ("fields: [by]}", "fields: [by]}, crm.other: {source: tool, fields: []}")
    changed = micro((old, new), *([declared] if "crm.other" in new else []))
    there = [one for one in diff(OLD, changed) if words in one.text]
    back = [one for one in diff(changed, OLD) if one.key == there[0].key and one.effect.turns]
    assert there[0].effect is effect
    assert effect.reverse in {one.effect for one in back}


def test_nothing_differs_from_itself() -> None:
    for text in SOURCES.values():
        assert diff(read(text), read(text)) == ()


def test_a_phase_added_owed_asks_for_more_and_one_removed_for_less() -> None:
    text = MICRO.replace("id: DCC", "id: COST")
    found = diff(OLD, read(text))
    assert {(one.phase, one.effect) for one in found if one.key == "phase"} == {
        ("COST", DOWN),
        ("DCC", UP),
    }
    renamed = read(text.replace("id: COST", "id: COST\n    replaces: DCC"))
    said = [one.text for one in diff(OLD, renamed)]
    assert "phase DCC is now COST" in said
    assert not any("removed" in one for one in said)


def test_what_the_shipped_version_changed_is_said() -> None:
    found = diff(read(SOURCES["tpmo_medicare_v1"]), read(SOURCES["tpmo_medicare"]))
    said = {(one.phase, one.key, one.effect) for one in found}
    assert ("BENEFITS", "critical_parents.TPMO_DISC", DOWN) in said
    assert ("TPMO_DISC", "required", UP) in said
