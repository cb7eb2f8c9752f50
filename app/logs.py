"""The log: JSON lines on stderr with an allow-list of fields, so that no query, text, URL or secret gets in."""

import logging
import sys
from datetime import UTC, datetime
from typing import Final

import orjson

from mcp_server.observability.bug_reports import origin

_OWN: Final = frozenset({"app", "mcp_server", "workers", "indexer"})
_FIELDS: Final = ("reference", "tool", "category", "status", "count", "duration_ms", "job_id", "part")


class JsonLines(logging.Formatter):
    """Our own messages name no values. Those of libraries may hold anything: only where they came from is kept."""

    def format(self, record: logging.LogRecord) -> str:
        own = record.name.partition(".")[0] in _OWN
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
    """Send everything through the allow-list: ours from INFO on, that of libraries from WARNING on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in _OWN:
        logging.getLogger(name).setLevel(logging.INFO)
    logging.captureWarnings(capture=True)
