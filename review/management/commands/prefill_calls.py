"""`prefill_calls`: ask for the runs an interrupted import left out, then ring again for every run
that waits or has lost its worker.

Exit codes: 0 rung, 1 the broker cannot be reached, 3 bad usage, 4 internal error.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from review.actions.prefill import queue_prefill
from review.management.base import Exit, ReviewCommand
from review.management.importing import ring
from review.queries import list_unqueued_calls, list_waiting_calls


class Command(ReviewCommand):
    """Put the waiting calls in front of the workers again."""

    help = "Ring the workers for every call whose pre-fill waits or lost its worker."

    def work(self, _options: Mapping[str, Any]) -> int:
        """Ring for each waiting call and say how many there are."""
        now = datetime.now(UTC)
        for call_id in list_unqueued_calls():
            queue_prefill(call_id=call_id, run_id=uuid4(), by=None, at=now)
        waiting = list_waiting_calls(now)
        for call_id in waiting:
            if not ring(call_id):
                self.stderr.write("the broker cannot be reached; start it and run this again")
                return Exit.BAD
        self.stdout.write(f"{len(waiting)} calls wait for their pre-fill; the workers were told")
        return Exit.GOOD
