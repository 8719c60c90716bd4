"""What sort of matcher gave a row its start, by the path that the row keeps."""

from __future__ import annotations

from enum import Enum

from catalogs.core.document import AskMatcher, Document, EventMatcher
from review.core.evidence.patterns import matchers_of


class MatcherKind(Enum):
    """The sorts of matchers, and what else a start may come from."""

    WORDS = "words"
    QUESTION = "question"
    EVENT = "event"
    EVIDENCE = "evidence"
    NOTHING = "nothing"
    OTHER = "other"


def kind_of_source(document: Document | None, source: str) -> MatcherKind:
    """Return the sort of matcher at a path of a catalog: EVIDENCE where no anchor gave the start
    and the first evidence counts, NOTHING for an empty path.
    """
    if not source:
        return MatcherKind.NOTHING
    if ".starts" not in source:
        return MatcherKind.EVIDENCE
    found = {} if document is None else {one.path: one for one in matchers_of(document)}
    match found.get(source):
        case None:
            return MatcherKind.OTHER
        case EventMatcher():
            return MatcherKind.EVENT
        case AskMatcher():
            return MatcherKind.QUESTION
        case _:
            return MatcherKind.WORDS
