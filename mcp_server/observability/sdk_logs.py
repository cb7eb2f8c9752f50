"""Logs of SDKs: they write names, addresses and exceptions as callers sent them, so only places get through."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from mcp_server.observability.bug_reports import origin

_log = logging.getLogger(__name__)


class _Masked(logging.Handler):
    """Passes on where an SDK logged and which exceptions it saw, without a word of the message."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        seen = f": {origin(error)}" if error is not None else ""
        _log.log(record.levelno, "%s:%d:%s%s", record.name, record.lineno, record.funcName, seen)


def mask_sdk_logs() -> None:
    """Let no text of the MCP SDK's loggers through."""
    mask_logs("mcp")


def mask_logs(*names: str) -> None:
    """Let no text of these loggers and those below them through; calling again changes nothing."""
    for name in names:
        sdk = logging.getLogger(name)
        # A filter would not do: it sees only what is logged on the logger itself, a handler also what comes from below.
        sdk.handlers = [_Masked()]
        sdk.propagate = False
        sdk.setLevel(logging.WARNING)


@contextmanager
def root_logger_untouched() -> Iterator[None]:
    """Undo what the SDK's server does to the root logger when it is made; the application decides about logging."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
