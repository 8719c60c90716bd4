"""Export all signed calls in this process, as a worker's does: python -m tests.bench.export_once.

Prints JSON: seconds by the clock, and of CPU by stage. `printing` is what ran on other threads than
the task's own; the rest is timed around the functions of the stages. The file goes to the path
given.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import django

import oipsce_site.celery  # noqa: F401 - the app that rings

django.setup()

from oipsce_site.people.roles import Role  # noqa: E402
from oipsce_site.signing.store import open_store  # noqa: E402
from review.actions.exports import Wish, approve_export, fetch_export, request_export  # noqa: E402
from review.models import AuditExport, ProfileCode  # noqa: E402
from review.tasks import exports  # noqa: E402
from tests.factories import make_person, make_site  # noqa: E402

_STAGES = {"call_files": "reading", "keep_pieces": "storing", "seal_heads": "sealing"}


def main(path: Path) -> None:
    """Export, write the file, and say how long each stage took."""
    by, site, export_id = make_person(Role.COMPLIANCE_OFFICER), make_site(), uuid4()
    wish = Wish(ProfileCode.FULL, "Bench", "measuring")
    request_export(export_id=export_id, site=site, wish=wish, by=by, at=datetime.now(UTC))
    second = make_person(Role.COMPLIANCE_OFFICER)
    approve_export(export_id=export_id, by=second, at=datetime.now(UTC))
    spent: dict[str, float] = {}
    for name, stage in _STAGES.items():
        setattr(exports, name, _timed(getattr(exports, name), stage, spent))
    clock, cpu, own = time.perf_counter(), time.process_time(), time.thread_time()
    exports.export_waiting()
    seconds = time.perf_counter() - clock
    own = time.thread_time() - own
    spent["printing"] = time.process_time() - cpu - own
    spent["records and container"] = own - sum(spent[one] for one in _STAGES.values())
    export = AuditExport.objects.get(pk=export_id)
    assert export.state == "DONE", export.failure
    with path.open("wb") as file:
        file.writelines(fetch_export(export_id=export_id, by=by, at=datetime.now(UTC)))
    root = open_store(at=datetime.now(UTC)).root_id()
    said = {"seconds": seconds, "calls": export.calls, "root": root, "stages": spent}
    sys.stdout.write(json.dumps(said) + "\n")


def _timed(function: Callable[..., Any], stage: str, spent: dict[str, float]) -> Callable[..., Any]:
    spent[stage] = 0.0

    def timed(*given: Any, **named: Any) -> Any:
        begun = time.thread_time()
        try:
            return function(*given, **named)
        finally:
            spent[stage] += time.thread_time() - begun

    return timed


if __name__ == "__main__":
    main(Path(sys.argv[1]))
