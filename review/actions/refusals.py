"""Why an act on a call's mapping is refused; pages put the sentence at the field it is about."""

from __future__ import annotations

from review.models import State


class UnableToMap(Exception):
    """The act makes no sense as asked; `field` names what to correct (empty: the whole)."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class MovedOn(Exception):
    """Somebody was quicker: the call has another state or transcript than the person saw."""

    def __init__(self, state: str) -> None:
        waits = state == State.NEEDS_MAPPING
        now = "it has another transcript now" if waits else f"it is {State(state).label} now"
        super().__init__(f"Meanwhile the call was changed; {now}.")
