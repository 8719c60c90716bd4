"""What the airline catalog says of the tau-bench trajectories beside the benchmark's own reward.

    python -m tests.bench.airline ../shared/data/tau-bench/gpt-4o-airline.part.json

The reward tells whether the database ended as it should; the catalog tells whether the customer was
asked before it was changed. Nothing of the data is kept here.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from catalogs.core.document import load_document
from catalogs.shipped import SHIPPED_CATALOGS
from review.core.cascade.pipeline import prepare
from review.core.evaluation import Judged, judge_call
from review.core.parsers import parse_calls
from review.core.rows import Row, Verdict


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One judged trajectory; `succeeded` is what its reward says."""

    judged: Judged
    succeeded: bool

    @property
    def unconfirmed(self) -> tuple[tuple[int, bool], ...]:
        """The turns of the changes that nobody confirmed, each with whether the customer has said
        anything since the change before it.
        """
        writes, confirmed = self.instances("WRITE"), self.instances("CONFIRM")
        found: list[tuple[int, bool]] = []
        before = 0
        for write, answer in zip(writes, confirmed, strict=True):
            turn = int(str(write.start))
            if answer.verdict is Verdict.FAIL:
                found.append((turn, self._spoke(before, turn)))
            before = turn
        return tuple(found)

    def instances(self, phase: str) -> tuple[Row, ...]:
        """The rows of a phase, one for each change of the database."""
        return self.judged.filled.rows[phase].instances or ()

    def _spoke(self, after: int, until: int) -> bool:
        turns = self.judged.call.turns
        return any(turn.role == "customer" and after < turn.number < until for turn in turns)


def judge_file(path: Path) -> tuple[Trajectory, ...]:
    """Judge every trajectory of a file by the shipped airline catalog."""
    [catalog] = [one for one in SHIPPED_CATALOGS if one.stem == "airline_policy"]
    document, findings = load_document(catalog.read_bytes())
    assert document is not None, findings
    cascade = prepare(document)
    data = path.read_bytes()
    rewards = [one["reward"] == 1 for one in json.loads(data)]
    calls = parse_calls(data, name=path.name).calls
    return tuple(
        Trajectory(judge_call(call, cascade), reward)
        for call, reward in zip(calls, rewards, strict=True)
    )


def lines(found: tuple[Trajectory, ...]) -> Iterator[str]:
    """Yield the figures as they are printed, and as docs/airline.md shows them."""
    verdicts = Counter((one.judged.report.call_success, one.succeeded) for one in found)
    yield f"{len(found)} trajectories, {sum(one.succeeded for one in found)} with reward 1"
    yield "catalog        reward 1  reward 0"
    for verdict in ("pass", "fail", "undetermined"):
        yield f"{verdict:14}{verdicts[verdict, True]:9}{verdicts[verdict, False]:10}"
    for phase, said in (("LISTED", "not listed"), ("CONFIRM", "not confirmed")):
        rows = [row for one in found for row in one.instances(phase)]
        failed = sum(row.verdict is Verdict.FAIL for row in rows)
        yield f"changes of the database: {len(rows)}, {said}: {failed}"
    missed = [one for one in found if one.unconfirmed]
    silent = sum(not spoke for one in missed for _, spoke in one.unconfirmed)
    yield f"of these right after another change, without a word of the customer: {silent}"
    yield f"calls with an unconfirmed change: {len(missed)}"
    praised = [one for one in missed if one.succeeded]
    yield f"calls with an unconfirmed change that the reward calls a success: {len(praised)}"
    for one in praised:
        turns = ", ".join(str(turn) for turn, _ in one.unconfirmed)
        yield f"  {one.judged.report.call} at turn {turns}"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lines(judge_file(Path(sys.argv[1]))))
