"""Development and `make demo`: embedded services of the profile "demo", http on localhost."""

import secrets

from oipsce_site import environment
from oipsce_site.services import layout
from oipsce_site.settings import connections
from oipsce_site.settings.base import *  # noqa: F403 - the one sanctioned star: settings extend base

PROFILE = layout.profile("demo")

DEBUG = environment.flag("OIPSCE_DEBUG")
# Before the first start there is no key file yet; a random key serves that process alone.
SECRET_KEY = (
    environment.text("SECRET_KEY")
    or layout.read_secret(PROFILE.secret_key_file)
    or secrets.token_urlsafe(48)
)
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]

DATABASES = {"default": connections.database(PROFILE)}
CELERY_BROKER_URL = connections.broker(PROFILE)

SEALING_KEY_FILE = str(PROFILE.run / "sealing.json")
SEALING_KEY_AUTOCREATE = True
SIGNING_KEY_DIR = str(PROFILE.run / "signing")
SIGNING_KEYS_AUTOCREATE = True

# Passkeys are bound to the name localhost, and plain http is allowed for it alone.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True
# After the two that mark every answer, before the one that would open a session.
MIDDLEWARE = [*MIDDLEWARE[:2], "oipsce_site.middleware.LocalhostMiddleware", *MIDDLEWARE[2:]]
