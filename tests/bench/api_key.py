"""Publish a catalog and make a client at a site; prints its key: python -m tests.bench.api_key."""

from __future__ import annotations

import sys

import django

import oipsce_site.celery  # noqa: F401 - the app that sends

django.setup()

from tests.factories import catalog_source, publish  # noqa: E402
from tests.programs import program  # noqa: E402

if __name__ == "__main__":
    publish(catalog_source("benefits_verification"))
    sys.stdout.write(program(per_minute=1_000_000).key)
