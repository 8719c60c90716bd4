"""The settings of tests, with static files as production serves them: hashed and compressed."""

from oipsce_site.settings import base
from oipsce_site.settings.test import *  # noqa: F403 - the one sanctioned star: settings extend tests

STORAGES = base.STORAGES
STATIC_ROOT = base.BASE_DIR / "var" / "bench-static"
WHITENOISE_USE_FINDERS = False
WHITENOISE_AUTOREFRESH = False
