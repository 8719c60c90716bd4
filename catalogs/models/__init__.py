"""Catalogs, their versions and drafts, remarks on them, and the reports publishing asks for."""

from catalogs.models.catalog import Catalog, CatalogVersion, VersionState
from catalogs.models.draft import (
    Draft,
    DraftText,
    OrderState,
    RehearsalOrder,
    RemarkKind,
    VersionRemark,
)
from catalogs.models.report import (
    CalibrationKind,
    CalibrationReport,
    RehearsalReport,
    WhatIfReport,
)
from catalogs.models.trial import TrialEnd, VersionTrial

__all__ = [
    "CalibrationKind",
    "CalibrationReport",
    "Catalog",
    "CatalogVersion",
    "Draft",
    "DraftText",
    "OrderState",
    "RehearsalOrder",
    "RehearsalReport",
    "RemarkKind",
    "TrialEnd",
    "VersionRemark",
    "VersionState",
    "VersionTrial",
    "WhatIfReport",
]
