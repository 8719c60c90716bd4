"""Tests: embedded services of the profile "test", cheap passwords, plain static files."""

from oipsce_site.services import layout
from oipsce_site.settings import connections
from oipsce_site.settings.base import *  # noqa: F403 - the one sanctioned star: settings extend base

PROFILE = layout.profile("test")

DEBUG = False
SECRET_KEY = "only-for-tests-" + "x" * 48
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]

DATABASES = {"default": connections.database(PROFILE)}
CELERY_BROKER_URL = connections.broker(PROFILE)

SEALING_KEY_FILE = str(PROFILE.run / "sealing.json")
SEALING_KEY_AUTOCREATE = True
# Keys are made where a folder is given, as by the browser tests; without one nothing is sealed.
SIGNING_KEYS_AUTOCREATE = True

# A real hash costs 100 ms a sign-in, and no test is about its strength.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True
# After the two that mark every answer, before the one that would open a session.
MIDDLEWARE = [*MIDDLEWARE[:2], "oipsce_site.middleware.LocalhostMiddleware", *MIDDLEWARE[2:]]

# Served straight from static/, so that no test depends on an earlier collectstatic.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
# Which calls are drawn hangs on their ids; tests of the draw say what they draw.
READING_SHARES = (0, 0, 0)
