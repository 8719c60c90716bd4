"""Changing single values of a text: what is asked for changes, every other byte stays."""

from __future__ import annotations

import difflib
import random
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from catalogs.core.document import load_document
from catalogs.core.editing import (
    Edit,
    EditKind,
    NewEdge,
    NewPhase,
    Place,
    Start,
    UnableToEdit,
    add_edge,
    add_item,
    add_phase,
    apply,
    drop,
    empty_catalog,
    next_version,
    put,
    put_texts,
    remove_edge,
    remove_phase,
    renumbered,
    with_line_ends_of,
)
from catalogs.core.linter import lint
from catalogs.shipped import SHIPPED_CATALOGS

DAY = date(2026, 12, 1)
START = Start("9.0.0", DAY, "Ada Author", "Follows it.", DAY)
[MICRO] = [path.read_text("utf-8") for path in SHIPPED_CATALOGS if path.stem == "micro"]
EDGE = NewEdge("CSV", "DCC", is_critical=True, rationale="Because.", sources=("HIPAA_VERIFY",))


def changed_lines(before: str, after: str) -> list[str]:
    lines = list(difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm=""))
    return [line for line in lines[2:] if not line.startswith("@@")]


@pytest.mark.parametrize("path", SHIPPED_CATALOGS, ids=lambda path: path.stem)
def test_a_follower_differs_in_four_lines_and_keeps_every_comment(path: Path) -> None:
    before = path.read_text("utf-8")
    after = renumbered(before.encode(), START).decode()
    assert len(changed_lines(before, after)) <= 7
    assert [c for c in before.split("\n") if c.strip().startswith("#")] == [
        c for c in after.split("\n") if c.strip().startswith("#")
    ]
    document, findings = load_document(after.encode())
    assert document is not None, findings
    assert (document.version, document.effective_from) == ("9.0.0", DAY)


@pytest.mark.parametrize(
    ("place", "value", "line"),
    [
        (("title",), "Coverage: told", 'title: "Coverage: told"'),
        (("phases", 0, "name"), "yes", 'name: "yes"'),
        (("phases", 1, "mode"), "procedural", "mode: procedural"),
        (("phases", 2, "note"), "a # b", 'note: "a # b"'),
        (("effective", "from"), DAY, "from: 2026-12-01"),
    ],
)
def test_a_value_is_put_in_its_place(place: Place, value: object, line: str) -> None:
    after = put(MICRO, place, value)
    [new] = [one for one in changed_lines(MICRO, after) if one.startswith("+")]
    assert line in new


def test_a_value_that_is_there_already_changes_nothing() -> None:
    assert put(MICRO, ("phases", 0, "id"), "PID") == MICRO


def test_a_list_keeps_what_stays() -> None:
    place = ("phases", 0, "rubric", "pass")
    after = put_texts(
        MICRO, place, ["Agent: Can you confirm your date of birth? Caller: May 1, 1970.", "x"]
    )
    assert len(changed_lines(MICRO, after)) == 2
    assert put_texts(put_texts(after, place, ["x"]), place, []).count("pass: []") == 1


def test_a_phase_with_a_critical_edge_comes_and_goes() -> None:
    phase = NewPhase("AID", "AI told", "Says that it is a machine.", "agent", r"(?i)\bautomated\b")
    with_phase = add_phase(MICRO, phase)
    with_edge = add_edge(with_phase, NewEdge("AID", "PID", True, "", ()))
    document, findings = load_document(with_edge.encode())
    assert document is not None, findings
    assert "E205" in {one.code for one in lint(document)} or any(
        "rationale" in one.text for one in lint(document)
    )
    assert [edge.parent for edge in document.phase("PID").critical] == ["AID"]
    assert remove_edge(with_edge, "AID", "PID").count("AID") == with_phase.count("AID")
    gone = load_document(remove_phase(with_edge, "AID").encode())[0]
    was = load_document(MICRO.encode())[0]
    assert gone is not None
    assert was is not None
    assert [phase.id for phase in gone.phases] == [phase.id for phase in was.phases]


def test_edits_of_a_form_change_what_was_typed_and_nothing_else() -> None:
    same = Edit(EditKind.TEXT, ("phases", 0, "name"), "Member identification")
    other = Edit(EditKind.DUTY, ("phases", 1, "required"), "PID passed")
    assert apply(MICRO, [same]) == MICRO
    after = apply(MICRO, [same, other])
    assert [one for one in changed_lines(MICRO, after) if one.startswith("+")] == [
        "+    required: {when: PID passed}"
    ]


@pytest.mark.parametrize(
    "ask",
    [
        lambda: put("a: [", ("a",), 1),
        lambda: put(MICRO, ("phases", 99, "name"), "x"),
        lambda: put(MICRO, ("title",), "bell \x07"),
        lambda: drop(MICRO, ("nothing",)),
        lambda: add_edge(MICRO, NewEdge("PID", "PID", True, "", ())),
        lambda: apply(MICRO, [Edit(EditKind.TEXT, ("phases", 0, "starts"), "x")]),
        lambda: remove_phase(MICRO, "NONE"),
    ],
)
def test_what_cannot_be_changed_is_refused_in_words(ask: Callable[[], str]) -> None:
    with pytest.raises(UnableToEdit, match=r"\w+ .*\."):
        ask()


def test_numbers_go_on_after_all_that_are_taken() -> None:
    assert next_version("2.0.0", {"2.0.0", "2.1.0", "2.2.0"}) == "2.3.0"


@pytest.mark.parametrize(
    ("typed", "before", "expected"),
    [
        ("a\r\nb", b"a\nb\n", b"a\nb"),
        ("a\r\nb", b"a\r\nb\r\n", b"a\r\nb"),
        ("a\r\nb", b"a\r\nb\n", b"a\nb"),
        ("a", b"\xff\xfe", b"a"),
    ],
)
def test_line_ends_are_those_of_the_file(typed: str, before: bytes, expected: bytes) -> None:
    assert with_line_ends_of(typed, before) == expected


def test_an_empty_catalog_can_be_read_and_says_what_it_lacks() -> None:
    document, findings = load_document(empty_catalog(DAY, "Ada Author"))
    assert document is not None, findings
    assert {one.code for one in lint(document)} >= {"E701", "E601"}


def test_random_edits_never_change_more_than_was_asked() -> None:
    chance = random.Random(7)  # noqa: S311 - a fixed course
    words = [
        "plain",
        "a: b",
        "#",
        "'",
        '"',
        "- x",
        "{",
        "yes",
        "1.5",
        "été",
        "back\\slash",
        "null",
        "%",
    ]
    text = MICRO
    for _ in range(40):
        place = ("phases", chance.randrange(3), chance.choice(["name", "intent", "note"]))
        value = " ".join(chance.choices(words, k=3))
        text = put(text, place, value)
        document, _ = load_document(text.encode())
        assert document is not None
    assert add_item(text, ("tests",), {"call": "x.json", "expect": {"PID": [1, 2, "pass"]}})
