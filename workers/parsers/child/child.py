"""The child process: reads files from its input one after the other and answers with what is in them.

Started by `child.py` with: the parent's process id, seconds per file, bytes of memory.
"""

import gc
import logging
import os
import sys
from typing import BinaryIO, Final

_RETIRING_SHARE: Final = 0.5


class _Silent(logging.Logger):
    """Drops everything: messages of the parsing libraries quote the files, and making them takes time."""

    def debug(self, *_: object, **__: object) -> None:
        pass

    def isEnabledFor(self, level: int) -> bool:  # noqa: N802 (the library's name)
        return level < 0


# Before any parsing library makes its loggers.
logging.setLoggerClass(_Silent)

from workers.parsers import parse as reading  # noqa: E402 (see above)
from workers.parsers.child import limits, wire  # noqa: E402 (see above)
from workers.parsers.failures import ParseFailure  # noqa: E402 (see above)


def main() -> None:
    """Serve until the input ends."""
    parent, seconds, memory = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    limits.die_with(parent)
    reading.parser_for("markdown")
    sys.dont_write_bytecode = True
    # Parsing makes many objects and few cycles: look for those seldom.
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    bound = limits.Limits(seconds=seconds, memory=memory)
    limits.bind(memory)
    _say_ready()
    try:
        while (request := _next(sys.stdin.buffer)) is not None:
            limits.allow_processor_time(seconds)
            sys.stdout.buffer.write(_answer(*request, bound))
            sys.stdout.buffer.flush()
    except MemoryError:
        # Not even the answer could be made.
        os._exit(limits.OUT_OF_MEMORY)


def _say_ready() -> None:
    """Tell the parent that the start went well; from here on, nothing that a library prints is let out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    sys.stdout.buffer.write(wire.READY)
    sys.stdout.buffer.flush()


def _next(stream: BinaryIO) -> tuple[str, bytes] | None:
    head = stream.read(wire.REQUEST.size)
    if len(head) < wire.REQUEST.size:
        return None
    name_length, length = wire.REQUEST.unpack(head)
    name = stream.read(name_length)
    data = stream.read(length)
    return (name.decode("utf-8", "replace"), data) if len(data) == length else None


def _answer(name: str, data: bytes, bound: limits.Limits) -> bytes:
    try:
        result = reading.read(name, data)
        return wire.answer(result, last=limits.resident_bytes() > bound.memory * _RETIRING_SHARE)
    except MemoryError:
        # Until this block ends, the error keeps alive what filled the memory.
        pass
    return wire.answer(ParseFailure(bound.needed_too_much), last=True)


if __name__ == "__main__":
    main()
