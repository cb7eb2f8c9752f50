"""Masks the logs of SDKs, whose messages may hold user input: only the source of each record is logged."""

import logging

from mcp_server.observability.bug_reports import origin

_log = logging.getLogger(__name__)


class _MaskingHandler(logging.Handler):
    """Logs where an SDK logged and the types of exceptions, without the message."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        frames = f": {origin(error)}" if error is not None else ""
        _log.log(record.levelno, "%s:%d:%s%s", record.name, record.lineno, record.funcName, frames)


def mask_sdk_logs() -> None:
    """Mask the MCP SDK's loggers."""
    mask_logs("mcp")


def mask_logs(*names: str) -> None:
    """Mask these loggers and their children; idempotent."""
    for name in names:
        logger = logging.getLogger(name)
        # A handler also gets the records of child loggers; a filter on the logger would not.
        logger.handlers = [_MaskingHandler()]
        logger.propagate = False
        logger.setLevel(logging.WARNING)
