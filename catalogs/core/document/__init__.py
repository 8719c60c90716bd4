"""The catalog document: bytes in, a frozen `Document` and findings out.

The way of the data is the order of the modules: `reading` (bytes to plain values with lines, under
caps), `shapes` and `checking` (which keys there are), `building` (values with every default
applied), `loading` (all of it in one call).
"""

from catalogs.core.document.loading import LOAD_FATAL, load_document
from catalogs.core.document.model import (
    AcceptItem,
    AskMatcher,
    CriticalEdge,
    Document,
    EventMatcher,
    EventSource,
    EventSpec,
    Fact,
    FinishRule,
    ForEach,
    ListKey,
    Matcher,
    Mode,
    OkPolicy,
    Phase,
    Precedence,
    Required,
    RequiredKind,
    Rubric,
    Scope,
    StartsOn,
    TextMatcher,
    ToolKey,
    Volunteered,
)
from catalogs.core.document.plain import in_words
from catalogs.core.requirements import Scalar

__all__ = [
    "LOAD_FATAL",
    "AcceptItem",
    "AskMatcher",
    "CriticalEdge",
    "Document",
    "EventMatcher",
    "EventSource",
    "EventSpec",
    "Fact",
    "FinishRule",
    "ForEach",
    "ListKey",
    "Matcher",
    "Mode",
    "OkPolicy",
    "Phase",
    "Precedence",
    "Required",
    "RequiredKind",
    "Rubric",
    "Scalar",
    "Scope",
    "StartsOn",
    "TextMatcher",
    "ToolKey",
    "Volunteered",
    "in_words",
    "load_document",
]
