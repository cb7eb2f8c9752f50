"""Child's side: the program that parses files. It reads requests from stdin and writes responses to stdout.

`process.py` starts it with these arguments: the parent's process id, seconds per file, bytes of memory.
"""

import gc
import logging
import os
import sys
from typing import BinaryIO, Final

_REPLACE_AT_MEMORY_SHARE: Final = 0.5
"""A child whose resident memory exceeds this share of its limit asks to be replaced."""


class _SilentLogger(logging.Logger):
    """Drops all messages: those of the parsing libraries quote the files and take time to format."""

    def debug(self, *_: object, **__: object) -> None:
        pass

    def isEnabledFor(self, level: int) -> bool:  # noqa: N802 (the library's name)
        return level < 0


# Must run before a parsing library creates its loggers.
logging.setLoggerClass(_SilentLogger)

from workers.parsers.child import limits, wire  # noqa: E402 (see above)
from workers.parsers.failures import ParseFailure  # noqa: E402 (see above)
from workers.parsers.parse import parse_file, parser_for  # noqa: E402 (see above)


def main() -> None:
    """Answer requests until stdin ends."""
    parent, seconds, memory = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    limits.die_with(parent)
    parser_for("markdown")
    sys.dont_write_bytecode = True
    # Parsing creates many objects but few reference cycles.
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    applied = limits.Limits(seconds=seconds, memory=memory)
    limits.apply_limits(memory)
    _report_ready()
    try:
        while (request := _read_request(sys.stdin.buffer)) is not None:
            limits.extend_cpu_limit(seconds)
            sys.stdout.buffer.write(_response(*request, applied))
            sys.stdout.buffer.flush()
    except MemoryError:
        # There is not even memory for a response.
        os._exit(limits.OUT_OF_MEMORY)


def _report_ready() -> None:
    """Tell the parent that the start succeeded; from here on, output to stderr is discarded."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    sys.stdout.buffer.write(wire.READY)
    sys.stdout.buffer.flush()


def _read_request(stream: BinaryIO) -> tuple[str, bytes] | None:
    header = stream.read(wire.REQUEST_HEADER.size)
    if len(header) < wire.REQUEST_HEADER.size:
        return None
    name_length, length = wire.REQUEST_HEADER.unpack(header)
    name = stream.read(name_length)
    data = stream.read(length)
    return (name.decode("utf-8", "replace"), data) if len(data) == length else None


def _response(name: str, data: bytes, applied: limits.Limits) -> bytes:
    try:
        result = parse_file(name, data)
        return wire.encode_response(result, last=limits.resident_bytes() > applied.memory * _REPLACE_AT_MEMORY_SHARE)
    except MemoryError:
        # The error references what filled the memory, so the response is built after this block.
        pass
    return wire.encode_response(ParseFailure(applied.needed_too_much), last=True)


if __name__ == "__main__":
    main()
