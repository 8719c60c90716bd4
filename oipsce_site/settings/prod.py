"""Production: every address and key is given, https only, `__Host-` cookies."""

from oipsce_site import environment
from oipsce_site.settings import connections
from oipsce_site.settings.base import *  # noqa: F403 - the one sanctioned star: settings extend base

PROFILE = None

DEBUG = False
SECRET_KEY = environment.required("SECRET_KEY", "write 50 or more random characters")
ALLOWED_HOSTS = environment.names("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS if not host.startswith(".")]

DATABASES = {"default": connections.database(None)}
CELERY_BROKER_URL = connections.broker(None)
SEALING_KEY_FILE = environment.required(
    "SEALING_KEY_FILE", "name the key file that seals turn text, mode 0600"
)
# Sign-in limits must be counted once for all processes.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": CELERY_BROKER_URL,
        "KEY_PREFIX": "oip-cache",
    },
}

SECOND_FACTOR_REQUIRED = True

SECURE_SSL_REDIRECT = True
# Probes speak plain http from inside.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
REQUEST_ID_FROM_PROXY = environment.flag("OIPSCE_BEHIND_PROXY")
if REQUEST_ID_FROM_PROXY:
    # Else all attempts to sign in would come from one address, the proxy's.
    ALLAUTH_TRUSTED_PROXY_COUNT = 1
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

SESSION_COOKIE_SECURE = True
SESSION_COOKIE_NAME = "__Host-sessionid"
CSRF_COOKIE_SECURE = True
CSRF_COOKIE_NAME = "__Host-csrftoken"
