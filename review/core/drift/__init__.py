"""Drift: how far two readings of a call agree, over time, by phase and by site (design 4.6)."""

from review.core.drift.agreeing import Agreement, Clustered, agreement_of
from review.core.drift.falling import Fall, fall_of
from review.core.drift.sharing import (
    ReadTwice,
    calls_alike,
    shares_by_name,
    shares_by_period,
)

__all__ = [
    "Agreement",
    "Clustered",
    "Fall",
    "ReadTwice",
    "agreement_of",
    "calls_alike",
    "fall_of",
    "shares_by_name",
    "shares_by_period",
]
