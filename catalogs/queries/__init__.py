"""Read functions of catalogs: documents, the version that judges a call, and what pages show."""

from catalogs.queries.documents import (
    Choosing,
    Published,
    VersionChoice,
    document_of,
    document_of_version,
    published_versions,
)
from catalogs.queries.outlines import Outline, outline_of
from catalogs.queries.reach import readable_states
from catalogs.queries.versions import (
    CalibrationLine,
    RehearsalLine,
    Step,
    StoredVersion,
    VersionLine,
    get_source_for,
    get_version_for,
    list_unrehearsed,
    list_versions,
)

__all__ = [
    "CalibrationLine",
    "Choosing",
    "Outline",
    "Published",
    "RehearsalLine",
    "Step",
    "StoredVersion",
    "VersionChoice",
    "VersionLine",
    "document_of",
    "document_of_version",
    "get_source_for",
    "get_version_for",
    "list_unrehearsed",
    "list_versions",
    "outline_of",
    "published_versions",
    "readable_states",
]
