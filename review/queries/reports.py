"""Stored evaluations, read back."""

from __future__ import annotations

import json
from functools import lru_cache

from review.core.evaluation import Report, report_from_json


@lru_cache(maxsize=64)
def read_report(text: str) -> Report:
    """Return the report that a stored evaluation holds.

    Who works on a call has its page drawn from one report many times; it is read once.
    """
    return report_from_json(json.loads(text))
