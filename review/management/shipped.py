"""The shipped content as commands name it."""

from catalogs.shipped import SHIPPED_CATALOGS
from review.shipped import SHIPPED_CASES

__all__ = ["SHIPPED_CASES", "SHIPPED_CATALOGS"]
