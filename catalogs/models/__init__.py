"""Catalogs, their versions, and the reports that publishing asks for."""

from catalogs.models.catalog import Catalog, CatalogVersion, VersionState
from catalogs.models.report import CalibrationKind, CalibrationReport, RehearsalReport

__all__ = [
    "CalibrationKind",
    "CalibrationReport",
    "Catalog",
    "CatalogVersion",
    "RehearsalReport",
    "VersionState",
]
