"""Running calls as this process has heard them, so that what was heard is not read again.

Whoever extends a call takes it out, and puts it back once the database has it; who finds it gone
reads it from the database. Words of a call are in memory while it runs, of a few calls at a time.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from uuid import UUID

from review.core.evaluation.running import RunningCall

MOST = 128

_kept: OrderedDict[UUID, RunningCall] = OrderedDict()
_lock = Lock()


def take_kept(call_id: UUID) -> RunningCall | None:
    """Return what is kept of a call, to the caller alone."""
    with _lock:
        return _kept.pop(call_id, None)


def keep(call_id: UUID, heard: RunningCall) -> None:
    """Keep what was heard of a call; the one not heard for longest gives way."""
    with _lock:
        _kept[call_id] = heard
        while len(_kept) > MOST:
            _kept.popitem(last=False)
