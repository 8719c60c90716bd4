"""Tests that kill services: as for tests, on engines of their own that keep what they commit."""

from oipsce_site.services import layout
from oipsce_site.settings import connections
from oipsce_site.settings.test import *  # noqa: F403 - these settings are those of tests

PROFILE = layout.profile("faults")
DATABASES = {"default": connections.database(PROFILE)}
CELERY_BROKER_URL = connections.broker(PROFILE)
SEALING_KEY_FILE = str(PROFILE.run / "sealing.json")
