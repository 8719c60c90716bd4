"""Tell calls of several lengths turn by turn, and print how long an answer took: see `live`."""

from __future__ import annotations

import sys
from itertools import cycle
from statistics import median, quantiles
from time import perf_counter
from typing import Any
from uuid import UUID

import django

import oipsce_site.celery  # noqa: F401 - the app that sends

django.setup()

from review.actions.kept_calls import take_kept  # noqa: E402
from tests.factories import catalog_source, publish  # noqa: E402
from tests.golden.judged import raw_case  # noqa: E402
from tests.programs import Program, program  # noqa: E402

LENGTHS = (100, 300, 1000)
TARGET_MS = 50
_TIMED = 100
_HEAD = ("format", "call", "speakers")


def main() -> int:
    """Return 1 where a median is above the target."""
    publish(catalog_source("benefits_verification"))
    dialler, raw = program(per_minute=1_000_000), raw_case("case_b_call")
    medians = [_tell(dialler, raw, length) for length in LENGTHS]
    return 0 if max(medians) <= TARGET_MS else 1


def _tell(dialler: Program, raw: dict[str, Any], length: int) -> float:
    head = {"id": f"live {length}", **{key: raw[key] for key in _HEAD}}
    call_id = dialler.post("running-calls", head).body["id"]
    times = []
    for number, turn in zip(range(1, length + 1), cycle(raw["turns"]), strict=False):
        part = {"turns": [{**turn, "n": number, "t0": None, "t1": None}]}
        times.append(_time(dialler, call_id, part))
    last = times[-_TIMED:]
    take_kept(UUID(call_id))
    fresh = {"turns": [{"n": length + 1, "speaker": "agent", "text": "Goodbye."}]}
    unheard = _time(dialler, call_id, fresh)
    sys.stdout.write(
        f"live: {length} turns, median {median(last):.1f} ms, 95th percentile "
        f"{quantiles(last, n=20)[-1]:.1f} ms ({TARGET_MS} asked at the median); "
        f"{unheard:.1f} ms once where nothing was heard before\n"
    )
    sys.stdout.flush()
    return median(last)


def _time(dialler: Program, call_id: str, part: dict[str, Any]) -> float:
    begun = perf_counter()
    answer = dialler.post(f"running-calls/{call_id}/turns", part)
    taken = (perf_counter() - begun) * 1000
    assert answer.status == 200, answer.body
    return taken


if __name__ == "__main__":
    sys.exit(main())
