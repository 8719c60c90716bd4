"""Settings common to every place; the profile, the key and the hosts come from the others.

Importing this starts nothing and needs nothing running.
"""

from importlib.util import find_spec
from pathlib import Path

from oipsce_site import environment, logs

BASE_DIR = Path(__file__).resolve().parents[2]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "oipsce_site.people",
    "oipsce_site.ledger",
    "oipsce_site.administration",
    "catalogs",
    "review",
]

MIDDLEWARE = [
    # First, so that every answer carries the headers and every log line the request's id.
    "oipsce_site.middleware.RequestIdMiddleware",
    "oipsce_site.middleware.SecurityHeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Below the static files, which were compressed once and for all (docs/adr/0007).
    "django.middleware.gzip.GZipMiddleware",
    "oipsce_site.compression.BrotliMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "oipsce_site.middleware.IdleSessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "oipsce_site.middleware.SignInMiddleware",
    "oipsce_site.middleware.OwnPasswordMiddleware",
    "oipsce_site.middleware.SecondFactorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "oipsce_site.urls"
WSGI_APPLICATION = "oipsce_site.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    [
                        (
                            "django.template.loaders.cached.Loader",
                            [
                                # Our own pages are sent without their layout.
                                "oipsce_site.templating.TightLoader",
                                "django.template.loaders.app_directories.Loader",
                            ],
                        )
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

FORM_RENDERER = "oipsce_site.widgets.PlainWidgets"

# An upload holds words of calls: it stays in memory, never in a temporary file, and has a limit.
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]
FILE_UPLOAD_MAX_MEMORY_SIZE = 100 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 1000

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-us"
USE_I18N = False

# People and how they sign in: allauth is the only door, and nobody opens it from outside.
AUTH_USER_MODEL = "people.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "oipsce_site.accounts.ClosedAccountAdapter"
ACCOUNT_FORMS = {"login": "oipsce_site.sign_in_form.SignInForm"}
# Wrong names, passwords and codes are counted by us, per account and address
# (oipsce_site.administration.throttle); allauth would shut an account for everybody.
ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": None}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_SESSION_REMEMBER = False
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_FORMS = {"authenticate": "oipsce_site.sign_in_form.SecondStepForm"}
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_PASSKEY_LOGIN_ENABLED = True
# Whether every person signs in with two factors; whoever has one only sets up another first.
SECOND_FACTOR_REQUIRED = False
MFA_TOTP_ISSUER = "OIP-SCE Review"
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"

# Fifteen idle minutes; IdleSessionMiddleware restarts the clock on what a person asked for.
SESSION_COOKIE_AGE = 15 * 60
# And twelve hours at the longest, however busy they were.
SESSION_LONGEST_AGE = 12 * 3600
SESSION_EXPIRE_AT_BROWSER_CLOSE = False
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
# Gone with the browser's window, as the session is: nothing stays for a year on a shared machine.
CSRF_FAILURE_VIEW = "oipsce_site.failures.form_expired"
CSRF_COOKIE_AGE = None
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"

X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "oipsce_site.joined_scripts.JoinedFinder",
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
# Source maps are large, read by nobody in production, and slow to compress.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = [
    *("jpg", "jpeg", "png", "gif", "webp", "zip", "gz", "br", "woff", "woff2", "map"),
]

# Tasks carry ids only, in JSON; progress is read from our tables, so no result is kept.
CELERY_TASK_DEFAULT_QUEUE = "prefill"
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# So many tasks share a connection to the database; review.tasks.jobs closes it earlier where it is
# old or broken.
CELERY_DB_REUSE_MAX = 1_000
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600, "socket_connect_timeout": 5}
CELERY_TIMEZONE = "UTC"

LOGGING = logs.configuration(environment.text("OIPSCE_LOG_LEVEL", "INFO"))

# Turn text is sealed under a key file; only places that hold no real calls may make one themselves.
SEALING_KEY_AUTOCREATE = False
# Keys that sign checkpoints and audits; without a folder nothing is sealed or exported.
SIGNING_KEY_DIR = environment.text("SIGNING_KEY_DIR", "")
SIGNING_KEYS_AUTOCREATE = False
# Outside the database and its backups: by it the sealer knows an older database from the right one.
LAST_CHECKPOINT_FILE = environment.text("LAST_CHECKPOINT_FILE", "")
# Outside the database and its backups as well: ids of erased calls, to erase them after a restore.
ERASURE_LIST_FILE = environment.text("ERASURE_LIST_FILE", "")
# How the installation's log is called in checkpoints, before its number.
LOG_NAME = environment.text("LOG_NAME", "oip-sce.local/log")
# A caller's own request id is taken over only where a proxy of ours wrote it.
REQUEST_ID_FROM_PROXY = False
APP_BUILD = environment.text("APP_BUILD", "unversioned")

# Of a hundred: calls, rows at a critical edge and signed calls that are read a second time, blind,
# at a site that says nothing else (review.core.readings.Shares).
READING_SHARES = (5, 5, 5)

# Within so many days a dispute of a signed call is to be answered; one at least.
DISPUTE_DAYS = max(1, environment.integer("OIPSCE_DISPUTE_DAYS", 14))

# Hosts that webhooks may be sent to; none unless the operator names them. Whether they may lie in a
# private network, and be spoken to without TLS.
WEBHOOK_HOSTS = environment.names("OIPSCE_WEBHOOK_HOSTS")
WEBHOOK_PRIVATE = environment.flag("OIPSCE_WEBHOOK_PRIVATE")

# Hosts whose language models may be asked about open rows, likewise, and the key they ask for.
ADJUDICATOR_HOSTS = environment.names("OIPSCE_ADJUDICATOR_HOSTS")
ADJUDICATOR_PRIVATE = environment.flag("OIPSCE_ADJUDICATOR_PRIVATE")
ADJUDICATOR_KEY = environment.text("OIPSCE_ADJUDICATOR_KEY")
# Seconds to connect in, and for a whole question.
ADJUDICATOR_SECONDS = (5.0, 30.0)

# The model that ranks turns by wording, by its dotted name; none unless the operator turns it on,
# since its packages are an extra (docs/semantic.md).
SEMANTIC_ENCODER = ""
if environment.flag("OIPSCE_SEMANTIC"):
    if find_spec("onnxruntime") is None:
        raise environment.EnvironmentValueError(
            "OIPSCE_SEMANTIC is 1, but the packages that it needs are not installed: run "
            "`make setup-semantic`, or leave the variable out"
        )
    SEMANTIC_ENCODER = "review.adapters.minilm.MiniLm"
