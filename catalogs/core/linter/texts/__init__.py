"""The reference texts of every code that loading and lint can give, as data beside the rules.

`docs/reference/findings.md` and the help of SARIF reports are made from them; a test holds them
complete. The codes that need the engine have theirs in `review.core.rehearsal`.
"""

from catalogs.core.linter.texts.about_documents import DOCUMENTS
from catalogs.core.linter.texts.about_governance import GOVERNANCE
from catalogs.core.linter.texts.about_matchers import MATCHERS
from catalogs.core.linter.texts.about_order import ORDER
from catalogs.core.linter.texts.about_requirements import REQUIREMENTS
from catalogs.core.linter.texts.about_rubrics import RUBRICS
from catalogs.core.linter.texts.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    *DOCUMENTS,
    *ORDER,
    *REQUIREMENTS,
    *MATCHERS,
    *RUBRICS,
    *GOVERNANCE,
)

__all__ = ["ENTRIES", "Entry"]
