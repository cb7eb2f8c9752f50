"""Logging: JSON lines on stderr with an allow-list of fields, so that no query, text, URL or secret is logged."""

import logging
import sys
from datetime import UTC, datetime
from typing import Final

import orjson

from mcp_server.observability.bug_reports import origin

_OWN_PACKAGES: Final = frozenset({"app", "mcp_server", "workers", "indexer"})
_FIELDS: Final = (
    *("reference", "tool", "category", "status", "count", "duration_ms", "job_id", "part"),
    "provider_request_id",
)


class JsonLines(logging.Formatter):
    """Formats records. Messages of libraries may contain anything, so only their module and line are kept."""

    def format(self, record: logging.LogRecord) -> str:
        own = record.name.partition(".")[0] in _OWN_PACKAGES
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage() if own else f"{record.module}:{record.lineno}",
        }
        if own:
            line |= {name: getattr(record, name) for name in _FIELDS if hasattr(record, name)}
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = origin(record.exc_info[1])
        return orjson.dumps(line, default=lambda _: None).decode()


def configure() -> None:
    """Send all records through the allow-list: our own from INFO, those of libraries from WARNING."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in _OWN_PACKAGES:
        logging.getLogger(name).setLevel(logging.INFO)
    logging.captureWarnings(capture=True)
