"""What differs between two catalogs, in the words of the field and graded by its effect.

1. A change is graded by what it can do to a verdict that stands: turn pass to fail, fail to pass,
   either, or nothing (words only). The grade is of the change alone, not of any call.
2. Equal documents have no change; every difference of two documents yields at least one.
3. Phases are matched by id, and by `replaces` where an id went.
"""

from catalogs.core.diff.change import Change, Effect
from catalogs.core.diff.documents import diff

__all__ = ["Change", "Effect", "diff"]
