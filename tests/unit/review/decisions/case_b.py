"""Case B as the machine proposes it, and decisions on it in few words.

PID 45/52 and CSV 42/81 are the ends of its one critical edge; DFV is owed per drug.
"""

from __future__ import annotations

from typing import Any

from catalogs.core.document import load_document
from catalogs.shipped import SHIPPED_CATALOGS
from review.core.cascade.pipeline import prefill, prepare
from review.core.decisions import (
    Ask,
    Base,
    Call,
    Decision,
    Grounds,
    Kind,
    Shown,
    Value,
    check_ask,
    fold,
    grounds_of,
)
from review.core.parsers import parse_calls
from review.shipped import shipped_case

[_PATH] = [path for path in SHIPPED_CATALOGS if path.stem == "benefits_verification"]
_loaded, _ = load_document(_PATH.read_bytes())
assert _loaded is not None
DOCUMENT = _loaded
_raw = shipped_case("case_b_call.json")
assert _raw is not None
[_words] = parse_calls(_raw, name="case_b_call.json").calls
FILLED = prefill(_words, prepare(DOCUMENT))
BASE = Base(FILLED.rows, FILLED.facts)
GROUNDS = grounds_of(DOCUMENT, ended=True)
LENGTHS = {turn.number: len(turn.text) for turn in _words.turns}
CALL = Call(DOCUMENT, GROUNDS, LENGTHS)
OPEN_CALL = CALL._replace(grounds=Grounds(GROUNDS.critical, ended=False))
ANN, BEN, SUE = "ann", "ben", "sue"


def ask(kind: Kind, value: Value = None, phase: str = "PID", **more: Any) -> Ask:
    """Ask for something about a phase."""
    return Ask(kind, phase, value=value, **more)


def told(number: int, asked: Ask, by: str = ANN, *, senior: bool = False) -> Decision:
    """Return an ask as the decision that it becomes."""
    return Decision(number, asked.kind, by, senior, asked.phase, asked.fact, asked.key, asked.value)


def after(*decisions: Decision) -> Shown:
    """Fold decisions over the proposals."""
    return fold(BASE, decisions, GROUNDS)


def check(asked: Ask, *before: Decision, by: str = ANN, call: Call = CALL) -> Shown:
    """Check one ask after these decisions; return what it leaves."""
    shown = fold(BASE, before, call.grounds)
    return check_ask(asked, told(len(before) + 1, asked, by), shown, call)
