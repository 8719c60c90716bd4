"""Ring each bell so many times: python -m tests.faults.ring TIMES."""

from __future__ import annotations

import sys

import django

import oipsce_site.celery  # noqa: F401 - the app that sends

django.setup()

from review.tasks import import_waiting, prefill_waiting  # noqa: E402

if __name__ == "__main__":
    for _ in range(int(sys.argv[1])):
        import_waiting.delay()
        prefill_waiting.delay()
