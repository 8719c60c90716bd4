"""Log lines: one JSON object each, and never a word of a call.

An exception's message can quote what it choked on, so only its type and its places in the code
are written, also where a library puts the exception into its sentence. Extra fields are taken from
a fixed list of ids and measures; others are dropped.
"""

import json
import logging
import traceback
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

request_id: ContextVar[str] = ContextVar("request_id", default="")

_EXTRA_FIELDS = (
    *("method", "path", "status", "duration_ms", "user_id"),
    *("call_id", "run_id", "version_id", "task_id", "attempt"),
)
_CELERY_TEXTS = {"exc", "traceback", "return_value", "args", "kwargs"}
_LONGEST_EVENT = 300


class JsonLineFormatter(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without its end."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "event": _event(record)[:_LONGEST_EVENT],
        }
        if request_id.get():
            line["request_id"] = request_id.get()
        line |= {key: str(getattr(record, key)) for key in _EXTRA_FIELDS if hasattr(record, key)}
        if record.exc_info and record.exc_info[0]:
            line["error"] = record.exc_info[0].__qualname__
            line["frames"] = _frames(record.exc_info[2])
        return json.dumps(line, ensure_ascii=True)


def configuration(level: str) -> dict[str, Any]:
    """Return what `logging.config` takes: all lines to standard error, from `level` on.

    Server, site, worker and commands share it, so that every line has one form.
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "oipsce_site.logs.JsonLineFormatter"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Their own handlers would print a second, unstructured line.
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            "gunicorn.error": {"handlers": [], "propagate": True, "level": level},
            # The site writes its own line per request (middleware.py).
            "gunicorn.access": {"handlers": [], "propagate": False, "level": "CRITICAL"},
            # A query's parameters are call text: never below warnings.
            "django.db.backends": {"level": "WARNING"},
        },
    }


def _event(record: logging.LogRecord) -> str:
    """Return the sentence, with the type alone of each exception in it."""
    if isinstance(record.msg, BaseException):
        return type(record.msg).__qualname__
    words = record.args
    if isinstance(words, Mapping):
        return str(record.msg) % {key: _wordless(key, value) for key, value in words.items()}
    if words:
        return str(record.msg) % tuple(_wordless("", value) for value in words)
    return str(record.msg)


def _wordless(key: str, value: object) -> object:
    if isinstance(value, BaseException):
        return type(value).__qualname__
    # Celery prints a failed task's exception before it logs it, and what a task returned.
    return "(left out)" if key in _CELERY_TEXTS else value


def _frames(trace: Any) -> list[str]:
    places = traceback.extract_tb(trace)
    return [f"{place.filename}:{place.lineno} {place.name}" for place in places]
