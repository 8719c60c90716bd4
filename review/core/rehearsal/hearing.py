"""Which matchers hear something in a call, and from whom: all that a silenced role can change."""

from __future__ import annotations

from catalogs.core.document import EventMatcher
from review.core.cascade.pipeline import Cascade
from review.core.evidence.patterns import matchers_of
from review.core.evidence.scan import Scan
from review.core.transcript import Call

#: The place of a matcher on words, and the role of a turn that it hits.
Heard = tuple[str, str]


def heard_in(call: Call, cascade: Cascade) -> frozenset[Heard]:
    """Return every matcher on words with each role whose turns it hits in a call."""
    scan = Scan(call, cascade.table, cascade.lists)
    return frozenset(
        (matcher.path, role)
        for matcher in matchers_of(cascade.document)
        if not isinstance(matcher, EventMatcher)
        for hit in scan.of(matcher.path)
        if (role := call.turns[hit.opened_at].role) is not None
    )
