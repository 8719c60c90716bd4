"""Reviewed calls as a labelled data set without words, and what a system's rows are worth by it.

`read_audit_labels` makes them from a de-identified audit, `write_card` describes them, `score` and
`ranked` compare what systems say.
"""

from review.core.dataset.card import write_card
from review.core.dataset.gathering import Gathered, read_audit_labels
from review.core.dataset.rows_read import Label, SystemCall, read_labels, read_system
from review.core.dataset.scoring import Score, ranked, score

__all__ = [
    "Gathered",
    "Label",
    "Score",
    "SystemCall",
    "ranked",
    "read_audit_labels",
    "read_labels",
    "read_system",
    "score",
    "write_card",
]
