"""Log lines: one JSON object each, and never a word of a call.

An exception's message can quote what it choked on, so only its type and its places in the code
are written. Extra fields are taken from a fixed list of ids and measures; others are dropped.
"""

import json
import logging
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

request_id: ContextVar[str] = ContextVar("request_id", default="")

_EXTRA_FIELDS = (
    *("method", "path", "status", "duration_ms", "user_id"),
    *("call_id", "run_id", "version_id", "task_id", "attempt"),
)
_LONGEST_EVENT = 300


class JsonLineFormatter(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without its end."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "event": record.getMessage()[:_LONGEST_EVENT],
        }
        if request_id.get():
            line["request_id"] = request_id.get()
        line |= {key: str(getattr(record, key)) for key in _EXTRA_FIELDS if hasattr(record, key)}
        if record.exc_info and record.exc_info[0]:
            line["error"] = record.exc_info[0].__qualname__
            line["frames"] = _frames(record.exc_info[2])
        return json.dumps(line, ensure_ascii=True)


def _frames(trace: Any) -> list[str]:
    places = traceback.extract_tb(trace)
    return [f"{place.filename}:{place.lineno} {place.name}" for place in places]
