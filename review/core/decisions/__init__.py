"""What people decide on rows: kinds, rules, and the fold of proposals and decisions (4.5)."""

from review.core.decisions.asking import Ask, Call, Refused, check_ask, check_undo
from review.core.decisions.changing import PERSON
from review.core.decisions.folding import (
    Base,
    Grounds,
    RowShown,
    Shown,
    Standing,
    apply_decision,
    fold,
    grounds_of,
    standing_of,
)
from review.core.decisions.history import MOST_UNDONE, redoable, standing_decisions, undoable
from review.core.decisions.kinds import (
    Contradiction,
    Decision,
    FactValue,
    ItemValue,
    Kind,
    PointValue,
    Span,
    UndoValue,
    Value,
    VerdictValue,
    value_from_json,
    value_to_json,
)

__all__ = [
    "MOST_UNDONE",
    "PERSON",
    "Ask",
    "Base",
    "Call",
    "Contradiction",
    "Decision",
    "FactValue",
    "Grounds",
    "ItemValue",
    "Kind",
    "PointValue",
    "Refused",
    "RowShown",
    "Shown",
    "Span",
    "Standing",
    "UndoValue",
    "Value",
    "VerdictValue",
    "apply_decision",
    "check_ask",
    "check_undo",
    "fold",
    "grounds_of",
    "redoable",
    "standing_decisions",
    "standing_of",
    "undoable",
    "value_from_json",
    "value_to_json",
]
