"""Unexpected exceptions: the caller gets a reference, the log the stack frames, and neither gets any message."""

import logging
from collections.abc import Iterator
from pathlib import Path
from traceback import walk_tb
from uuid import uuid4

_log = logging.getLogger(__name__)


def report(what: str, error: BaseException) -> str:
    """Log the stack frames of an exception, without its message, and return a text with a reference to the entry."""
    reference = uuid4().hex[:12]
    _log.error("%s failed, reference %s: %s", what, reference, origin(error))
    return f"Internal error. Tell the operator the reference {reference}, which finds the log entry."


def origin(error: BaseException) -> str:
    """Return the types and frames of an exception and its causes, without messages, which may hold user input."""
    return " <- ".join(f"{type(each).__name__} at {_frames(each)}" for each in _causes(error))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _frames(error: BaseException) -> str:
    frames = [
        f"{Path(frame.f_code.co_filename).name}:{line}:{frame.f_code.co_name}"
        for frame, line in walk_tb(error.__traceback__)
    ]
    return " > ".join(frames) or "nowhere"
