"""`recheck_verdicts`: decide every stored call again from its stored rows, and compare.

A verdict that comes out otherwise than it is stored means damaged data or a changed engine. Exit
codes: 0 all as stored, 1 some differ, 3 bad usage, 4 internal error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catalogs.queries import document_of
from review.core.predicates import plan_of
from review.core.predicates.batch import PlainCall, decide_many, plain_call
from review.management.base import Exit, ReviewCommand
from review.queries.decided import Decided, decided_calls


class Command(ReviewCommand):
    """Re-decide the stored calls and say which come out otherwise."""

    help = "Decide every stored call again from its stored rows. Exit 1 if any verdict differs."

    def work(self, options: Mapping[str, Any]) -> int:
        """Group the stored evaluations by catalog, decide each group at once, compare."""
        groups: dict[str, list[Decided]] = {}
        for one in decided_calls():
            groups.setdefault(one.catalog_digest, []).append(one)
        differing = sum(self._compare(digest, group) for digest, group in groups.items())
        total = sum(len(group) for group in groups.values())
        self.stdout.write(f"{total} stored verdicts decided again, {differing} differ")
        return Exit.BAD if differing else Exit.GOOD

    def _compare(self, digest: str, group: list[Decided]) -> int:
        plan = plan_of(document_of(digest))
        calls = [plain_call(plan, one.stored) or one.stored for one in group]
        by_type = sum(isinstance(call, PlainCall) for call in calls)
        self.stdout.write(f"catalog {digest[:12]}: {len(group)} calls, {by_type} by order type")
        differing = 0
        for one, now in zip(group, decide_many(plan, calls), strict=True):
            found = (now.coverage.value, now.order_safe.value, now.call_success.value)
            if found != one.outcomes:
                differing += 1
                stored = ", ".join(one.outcomes)
                self.stdout.write(f"  {one.call_id}: stored {stored}; now {', '.join(found)}")
        return differing
