"""Requirement expressions: when a phase is owed, an edge binds, an item counts or a catalog
applies.

1. A small grammar of its own (parser.py); nothing is ever handed to Python's `eval`.
2. Frozen values for the parsed form (expression.py), with the source text kept beside it.
3. Three-valued evaluation after Kleene (evaluation.py): None stands for unknown and never counts as
   a yes or a no.
"""

from catalogs.core.requirements.evaluation import Reading, describe, evaluate
from catalogs.core.requirements.expression import (
    And,
    AttributeName,
    Comparison,
    Constant,
    Expression,
    FactName,
    Literal,
    Node,
    Not,
    Operator,
    Or,
    PhaseAtom,
    PhaseState,
    Scalar,
    Truth,
    free_attributes,
    free_facts,
    free_phases,
    has_comparison,
    render,
)
from catalogs.core.requirements.parser import (
    KEYWORDS,
    MAX_LENGTH,
    MAX_NESTING,
    ExpressionError,
    parse,
)

__all__ = [
    "KEYWORDS",
    "MAX_LENGTH",
    "MAX_NESTING",
    "And",
    "AttributeName",
    "Comparison",
    "Constant",
    "Expression",
    "ExpressionError",
    "FactName",
    "Literal",
    "Node",
    "Not",
    "Operator",
    "Or",
    "PhaseAtom",
    "PhaseState",
    "Reading",
    "Scalar",
    "Truth",
    "describe",
    "evaluate",
    "free_attributes",
    "free_facts",
    "free_phases",
    "has_comparison",
    "parse",
    "render",
]
