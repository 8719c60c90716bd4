"""The keys of the call page: one table for the handler, the sheet of keys, and the tests."""

from __future__ import annotations

from typing import NamedTuple


class Key(NamedTuple):
    """A single key, the act that the page's handler knows by this word, and what it does.

    `decides` sets the acts apart that only who may decide has.
    """

    key: str
    act: str
    does: str
    decides: bool = False


KEYS: tuple[Key, ...] = (
    Key("j", "next-row", "next row"),
    Key("k", "previous-row", "previous row"),
    Key("n", "next-flagged", "next flagged row, undecided ones first"),
    Key("N", "previous-flagged", "previous flagged row"),
    Key("a", "confirm", "confirm the row as shown, and go on to the next", decides=True),
    Key("x", "fail", "set the verdict to fail; asks why where the proposal differs", decides=True),
    Key("p", "pass", "set the verdict to pass; asks why where the proposal differs", decides=True),
    Key("u", "doubt", "unclear: ask a senior reviewer, with your words", decides=True),
    Key("t", "next-turn", "cursor to the next turn"),
    Key("T", "previous-turn", "cursor to the previous turn"),
    Key("s", "set-start", "set the start to the cursor's turn", decides=True),
    Key("e", "set-finish", "set the finish to the cursor's turn", decides=True),
    Key("[", "start-earlier", "start one turn earlier", decides=True),
    Key("]", "start-later", "start one turn later", decides=True),
    Key("{", "finish-earlier", "finish one turn earlier", decides=True),
    Key("}", "finish-later", "finish one turn later", decides=True),
    Key("q", "evidence", "take selected words, or the cursor's turn, as evidence", decides=True),
    Key("1", "take-first", "take the first candidate by wording as evidence", decides=True),
    Key("2", "take-second", "take the second", decides=True),
    Key("3", "take-third", "take the third", decides=True),
    Key("A", "confirm-rest", "confirm all rows without flag or doubt, after a look", decides=True),
    Key("z", "undo", "take your last decision back", decides=True),
    Key("Z", "redo", "redo what you took back", decides=True),
    Key("c", "comment", "comment on the row", decides=True),
    Key("r", "rubric", "open or close the row's rubric"),
    Key("/", "search", "search the transcript"),
    Key("g", "jump", "go to a turn by its number"),
    Key("?", "help", "this sheet"),
)
#: Held with Control, so it is no single key and cannot be given another place.
FINISH = Key("Ctrl+Enter", "finish", "go to sign-off, or to the first row that is undecided")


def bindings(*, decides: bool) -> str:
    """Return the table as the page hands it to its handler: ``KEY=ACT`` with spaces between."""
    return " ".join(f"{one.key}={one.act}" for one in KEYS if decides or not one.decides)
