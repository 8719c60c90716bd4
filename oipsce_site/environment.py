"""The only module that reads the process environment.

Everything else is handed values, so that what can be configured is read off this page:

SECRET_KEY           signing key of sessions and forms; production refuses to start without it
DATABASE_URL         postgresql://user:password@host:port/name of the application role
DATABASE_OWNER_URL   the same for the role that migrates; only read when OIPSCE_DB_ROLE=owner
OIPSCE_DB_ROLE       "app" (default) or "owner": which role this process connects as
OIPSCE_DB_NAME       database name in place of the usual one (tests have several); not in production
REDIS_URL            redis://host:port/number of the broker
SEALING_KEY_FILE     path of the key file that seals turn text (mode 0600); production only
SIGNING_KEY_DIR      folder of the keys that sign checkpoints and audits (mode 0700)
LAST_CHECKPOINT_FILE  where the sealer remembers its last checkpoint (default: in that folder)
ERASURE_LIST_FILE    where erased calls are remembered (default: beside the key file)
LOG_NAME             how this installation's log is called in checkpoints: no blanks, no plus sign
APP_BUILD            what this build is called in the decision log: no blanks
ALLOWED_HOSTS        comma separated host names of the site
OIPSCE_BEHIND_PROXY  1 when a proxy that sets X-Forwarded-Proto and X-Request-Id stands in front
OIPSCE_DISPUTE_DAYS  days within which a dispute is to be answered (default 14)
OIPSCE_WEBHOOK_HOSTS  comma separated hosts that webhooks may be sent to (default: none)
OIPSCE_WEBHOOK_PRIVATE  1 when they may lie in private networks, by plain http as well
OIPSCE_ADJUDICATOR_HOSTS  comma separated hosts whose models may be asked (default: none)
OIPSCE_ADJUDICATOR_PRIVATE  1 when they may lie in private networks, by plain http as well
OIPSCE_ADJUDICATOR_KEY  the key that is sent to them; none where they ask for none
OIPSCE_SEMANTIC      1 ranks turns by wording on this machine (docs/semantic.md; default: not)
OIPSCE_BIND          address and port gunicorn listens on
OIPSCE_DEBUG         1 turns Django's debug pages on (development settings only)
OIPSCE_LOG_LEVEL     DEBUG, INFO, WARNING or ERROR
OIPSCE_WORKERS       gunicorn worker processes
OIPSCE_THREADS       threads of each
PORT                 port of `make demo` and `make run`
CI                   "true" on the build machine: a test that cannot run is then a failure
"""

import os

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"", "0", "false", "no", "off"}


class EnvironmentValueError(RuntimeError):
    """A variable is missing or malformed; the text names it and says what to set."""


def text(name: str, default: str = "") -> str:
    """Return the variable, or the default when it is unset or empty."""
    return os.environ.get(name, "") or default


def required(name: str, why: str) -> str:
    """Return the variable; raises EnvironmentValueError when it is unset or empty."""
    value = text(name)
    if not value:
        raise EnvironmentValueError(f"{name} is not set: {why}")
    return value


def flag(name: str, *, default: bool = False) -> bool:
    """Return the variable as a truth value; raises EnvironmentValueError on any other word."""
    value = os.environ.get(name)
    if value is None:
        return default
    word = value.strip().lower()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise EnvironmentValueError(f"{name} is {value!r}: write 1 or 0")


def integer(name: str, default: int) -> int:
    """Return the variable as a whole number; raises EnvironmentValueError when it is none."""
    value = text(name)
    if not value:
        return default
    if not value.isascii() or not value.isdigit():
        raise EnvironmentValueError(f"{name} is {value!r}: write a whole number")
    return int(value)


def names(name: str) -> list[str]:
    """Return the comma separated entries of the variable, without blanks."""
    return [part.strip() for part in text(name).split(",") if part.strip()]


def inherited(**changes: str) -> dict[str, str]:
    """Return this process's environment with changes, for a child process."""
    return {**os.environ, **changes}
