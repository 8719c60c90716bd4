"""Publish a catalog, hand in one batch: python -m tests.bench.hand_in CALLS [PHASES].

The calls are the first 100 turns of a shipped case, each under an id of its own. The workers are
rung for once the batch is stored, as the page of imports does.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import django

import oipsce_site.celery  # noqa: F401 - the app that sends

django.setup()

from oipsce_site.people.roles import Role  # noqa: E402
from review.actions.batches import Upload, receive_batch  # noqa: E402
from review.tasks import ring_for_imports  # noqa: E402
from tests.bench.synthetic import cut  # noqa: E402
from tests.bench.twelve_phases import twelve_phases  # noqa: E402
from tests.factories import catalog_source, make_person, make_site, publish  # noqa: E402
from tests.golden.judged import raw_case  # noqa: E402

_CALLS_A_FILE = 250
_TWELVE = 12


def main(calls: int, phases: int = 6) -> None:
    """Leave one batch of so many calls to the workers, judged by 6 or by 12 phases."""
    publish(twelve_phases() if phases == _TWELVE else catalog_source("benefits_verification"))
    site = make_site()
    raw = cut(raw_case("case_b_call"))
    files = [
        [{**raw, "id": f"c{number}"} for number in range(start, min(start + _CALLS_A_FILE, calls))]
        for start in range(0, calls, _CALLS_A_FILE)
    ]
    uploads = [Upload(f"{position}.json", _written(file)) for position, file in enumerate(files)]
    by = make_person(Role.COMPLIANCE_OFFICER, site=site)
    receive_batch(batch_id=uuid4(), site=site, uploads=uploads, by=by, at=datetime.now(UTC))
    ring_for_imports()


def _written(calls: list[dict[str, Any]]) -> bytes:
    return json.dumps({"format": "oip-calls/1", "calls": calls}, default=float).encode()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
