"""Where a call is in its life, in words, and what is awaited where there is nothing to show yet."""

from __future__ import annotations

from dataclasses import dataclass

_STATES = {
    "received": "received",
    "needs_mapping": "needs mapping",
    "prefilling": "being pre-filled",
    "awaiting_review": "awaiting review",
    "in_review": "in review",
    "awaiting_second_reader": "awaiting second reader",
    "signed": "signed",
    "reopened": "reopened",
    "withdrawn": "withdrawn",
}
_AWAITED = {
    "received": "The call is stored and waits for a worker to read it against its catalog.",
    "needs_mapping": (
        "Who speaks, or in which order, is not settled, so no rows were filled. Map each speaker "
        "of the findings below to a role of the catalog; then the call is read."
    ),
    "prefilling": "A worker reads this call against its catalog. Reload the page to see the rows.",
    "withdrawn": "This call was withdrawn and is not evaluated.",
}
_DEFAULT = (
    "Nothing has been evaluated for this call. Check that a catalog version applies to its type "
    "and date."
)


@dataclass(frozen=True, slots=True)
class Standing:
    """The state in words, who holds the call, and a sentence for a call without rows."""

    state: str
    words: str
    awaited: str
    job: str = ""


def state_words(state: str) -> str:
    """Write a state as people say it."""
    key = state.lower()
    return _STATES.get(key, key.replace("_", " "))


def show_standing(state: str, *, job: str = "") -> Standing:
    """Draw the state of a call; `job` is what the pre-fill's own record says of its run."""
    return Standing(state.lower(), state_words(state), _AWAITED.get(state.lower(), _DEFAULT), job)
