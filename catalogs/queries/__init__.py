"""Read functions of catalogs: documents, the version that judges a call, and what pages show."""

from catalogs.queries.checked_text import CheckedText, check_text
from catalogs.queries.documents import (
    Choosing,
    Published,
    VersionChoice,
    document_of,
    document_of_version,
    published_versions,
)
from catalogs.queries.drafts import (
    DraftLine,
    StoredDraft,
    TextLine,
    draft_of_version,
    get_draft_for,
    get_text,
    list_drafts,
    list_texts,
    numbers_taken,
    reads_drafts,
)
from catalogs.queries.orders import OrderLine, count_waiting_orders, last_order, order_waits
from catalogs.queries.outlines import Outline, outline_of
from catalogs.queries.reach import readable_states
from catalogs.queries.remarks import RemarkLine, list_remarks
from catalogs.queries.versions import (
    CalibrationLine,
    RehearsalLine,
    Step,
    StoredVersion,
    VersionLine,
    VersionText,
    get_source_for,
    get_version_by_id,
    get_version_for,
    latest_rehearsal,
    list_unrehearsed,
    list_versions,
)

__all__ = [
    "CalibrationLine",
    "CheckedText",
    "Choosing",
    "DraftLine",
    "OrderLine",
    "Outline",
    "Published",
    "RehearsalLine",
    "RemarkLine",
    "Step",
    "StoredDraft",
    "StoredVersion",
    "TextLine",
    "VersionChoice",
    "VersionLine",
    "VersionText",
    "check_text",
    "count_waiting_orders",
    "document_of",
    "document_of_version",
    "draft_of_version",
    "get_draft_for",
    "get_source_for",
    "get_text",
    "get_version_by_id",
    "get_version_for",
    "last_order",
    "latest_rehearsal",
    "list_drafts",
    "list_remarks",
    "list_texts",
    "list_unrehearsed",
    "list_versions",
    "numbers_taken",
    "order_waits",
    "outline_of",
    "published_versions",
    "readable_states",
    "reads_drafts",
]
