"""What masks a stored call of which no word is opened."""

from __future__ import annotations

from review.core.masking import Masker, masker_of_plain
from review.models import Call


def masker_of_stored(call: Call) -> Masker | None:
    """Return what masks what is said about a call; None where its site masks nothing.

    The call comes with its site.
    """
    if not call.site.masks_identifiers:
        return None
    return masker_of_plain(call.attributes, [one["label"] for one in call.speakers])
