"""What if another catalog version had judged these calls? Nothing stored changes (design 4.6)."""

from review.core.whatif.changes import Change, Compared, Turned
from review.core.whatif.counting import (
    NO_COUNTS,
    Counts,
    Share,
    count,
    counts_from_json,
    counts_to_json,
)
from review.core.whatif.deciding import Past, Weighed, compare_decided, decide_again, reads_facts
from review.core.whatif.keeping import Decided
from review.core.whatif.reading import Standing, Stored, read_again, reread
from review.core.whatif.tallying import Tally, tally

__all__ = [
    "NO_COUNTS",
    "Change",
    "Compared",
    "Counts",
    "Decided",
    "Past",
    "Share",
    "Standing",
    "Stored",
    "Tally",
    "Turned",
    "Weighed",
    "compare_decided",
    "count",
    "counts_from_json",
    "counts_to_json",
    "decide_again",
    "read_again",
    "reads_facts",
    "reread",
    "tally",
]
