"""Publish the micro catalog and hand in one batch: python -m tests.faults.prepare CALLS."""

from __future__ import annotations

import json
import sys
from uuid import uuid4

import django

django.setup()

from oipsce_site.people.roles import Role  # noqa: E402
from review.actions.batches import Upload, receive_batch  # noqa: E402
from tests.factories import NOON, catalog_source, make_person, make_site, publish, raw_micro  # noqa: E402

_CALLS_A_FILE = 100


def main(calls: int) -> None:
    """Leave a batch of so many calls waiting."""
    publish(catalog_source("micro"))
    site = make_site()
    raw = [raw_micro(id=f"c{number}") for number in range(calls)]
    files = [raw[start : start + _CALLS_A_FILE] for start in range(0, calls, _CALLS_A_FILE)]
    receive_batch(
        batch_id=uuid4(),
        site=site,
        uploads=[
            Upload(f"{number}.json", json.dumps({"format": "oip-calls/1", "calls": file}).encode())
            for number, file in enumerate(files)
        ],
        by=make_person(Role.COMPLIANCE_OFFICER, site=site),
        at=NOON,
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
