"""Figures about the work of reviewers: shares and medians, each with how sure it is."""

from review.core.figures.shares import FEW, Z_95, Share, share_of
from review.core.figures.sources import MatcherKind, kind_of_source
from review.core.figures.times import Times, joined, times_of

__all__ = [
    "FEW",
    "Z_95",
    "MatcherKind",
    "Share",
    "Times",
    "joined",
    "kind_of_source",
    "share_of",
    "times_of",
]
