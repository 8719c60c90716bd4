"""What masks a stored call of which no word is opened."""

from __future__ import annotations

from django.db.models import Case, F, TextField, Value, When

from review.core.masking import Masker, masker_of_plain
from review.models import Call


def shown_title(call: str = "") -> Case:
    """Return a call's title as an expression, empty where its site masks identifiers: there the
    call's id stands for it. `call` is the path to the call, as "call__".
    """
    masked = When(**{f"{call}site__masks_identifiers": True}, then=Value(""))
    return Case(masked, default=F(f"{call}title"), output_field=TextField())


def masker_of_stored(call: Call) -> Masker | None:
    """Return what masks what is said about a call; None where its site masks nothing.

    The call comes with its site.
    """
    if not call.site.masks_identifiers:
        return None
    return masker_of_plain(call.attributes, [one["label"] for one in call.speakers])
