"""Trying a catalog out: its examples and test calls are run, and what comes out is compared.

`rehearse` does all of it; `variants` changes calls, `companion` reads further sentences. What needs
no engine is `catalogs.core.linter`'s.
"""

from review.core.rehearsal.companion import Sentences, load_sentences
from review.core.rehearsal.rehearsing import rehearse
from review.core.rehearsal.result import Rehearsal, finding_to_json, rehearsal_to_json
from review.core.rehearsal.runs import FindCalls

__all__ = [
    "FindCalls",
    "Rehearsal",
    "Sentences",
    "finding_to_json",
    "load_sentences",
    "rehearsal_to_json",
    "rehearse",
]
