"""Where a call is in its life, and what is awaited where there are no rows to show yet.

How far the pre-fill is comes from its own record, never from the broker.
"""

from __future__ import annotations

from dataclasses import dataclass

from review.core.lifecycle import CallState
from review.queries import RunLine, StoredCall, WorkerLife

_NEXT = {
    CallState.RECEIVED: "Reload the page in a moment; its rows come with the pre-fill.",
    CallState.NEEDS_MAPPING: (
        "No row was filled, because what is open here could change a verdict. The findings below "
        "name the turns and speakers."
    ),
    CallState.PREFILLING: "Reload the page in a moment; the rows come when the worker is done.",
    CallState.WITHDRAWN: "It is not evaluated and waits for nobody.",
}
_NO_ROWS = "There is no evaluation to show. Ask a senior reviewer to import the call again."
_UNSIGNED = frozenset(CallState) - {CallState.SIGNED, CallState.WITHDRAWN}


@dataclass(frozen=True, slots=True)
class Standing:
    """The state in words, its sentence, what comes next, and the pre-fill's own record.

    `provisional` holds until a person has signed.
    """

    words: str
    sentence: str
    next: str
    provisional: bool
    job: str


def say_newer(stored: StoredCall) -> str:
    """Say that a newer version of the catalog does not judge an open review; empty where it need
    not be said (fault F23).
    """
    newer, document = stored.newer, stored.document
    if newer is None or document is None or CallState(stored.line.state) not in _UNSIGNED:
        return ""
    return (
        f"Version {newer.version} of this catalog was published on {newer.published_at:%Y-%m-%d} "
        f"for calls from {newer.judges_from:%Y-%m-%d}. This review stays with {document.version}."
    )


def show_standing(stored: StoredCall, worker: WorkerLife | None) -> Standing:
    """Draw the state of a stored call; `worker` is None where nothing is awaited from one."""
    state = CallState(stored.line.state)
    return Standing(
        words=state_words(stored.line.state),
        sentence=stored.line.state_sentence,
        next=(silence(worker) if worker else "") or _NEXT.get(state, _NO_ROWS),
        provisional=state in _UNSIGNED,
        job=_job(stored.run),
    )


@dataclass(frozen=True, slots=True)
class MappingDoor:
    """The way to the mapping page, for who may map. `is_open`: the call waits for it."""

    is_open: bool
    may_read_again: bool


def show_mapping_door(stored: StoredCall) -> MappingDoor:
    """Say what may be done about how a call is read."""
    is_open = stored.line.state == CallState.NEEDS_MAPPING.value
    has_failed = stored.run is not None and stored.run.state == "FAILED"
    return MappingDoor(is_open, is_open and has_failed)


def state_words(state: str) -> str:
    """Write a `CallState` value as people say it.

    >>> state_words("AWAITING_REVIEW")
    'awaiting review'
    """
    return state.lower().replace("_", " ").replace("prefilling", "pre-filling")


def silence(worker: WorkerLife) -> str:
    """Return the sentence for a worker that is not there; empty for one that lives."""
    if worker.is_alive:
        return ""
    if worker.seen_at is None:
        return "No worker has run yet. What waits is kept; it begins when a worker is started."
    since = f"{worker.seen_at:%d %B, %H:%M} UTC"
    return f"The worker is not running since {since}. What waits is kept and goes on with it."


def _job(run: RunLine | None) -> str:
    if run is None:
        return ""
    if run.state == "QUEUED":
        queued = f"{run.queued_at:%Y-%m-%d %H:%M} UTC"
        again = f" Attempt {run.attempts} failed: {run.failure}." if run.failure else ""
        return f"Waiting for a worker since {queued}.{again}"
    if run.state == "RUNNING":
        return f"A worker reads it now, attempt {run.attempts}."
    if run.state == "FAILED":
        reason = run.failure.rstrip(".") or "no reason was written down"
        return f"The pre-fill gave up after {run.attempts} attempts: {reason}."
    return ""
