"""One child process and the two pipes to it: requests go out while answers come in, and silence has an end."""

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from indexer.errors import Unavailable
from workers.parsers.child import wire
from workers.parsers.child.limits import OUT_OF_MEMORY, Limits

_ROOT: Final = Path(__file__).resolve().parents[3]
_START_SECONDS: Final = 120.0
_CHUNK: Final = 1 << 20
_KEPT_ENVIRONMENT: Final = ("LD_LIBRARY_PATH", "SYSTEMROOT")


class Overdue(Exception):
    """The file that is being read takes longer than it may."""


class Died(Exception):
    """The child ended, or talks nonsense, while a file was being read."""


class Process:
    """A started child; not to be used by two threads at once, nor after a fork."""

    def __init__(self, limits: Limits) -> None:
        self._seconds = limits.seconds
        self._owner = os.getpid()
        command = [sys.executable, "-P", "-s", "-m", "workers.parsers.child.child"]
        self._popen = subprocess.Popen(  # noqa: S603 (our own module, with numbers as arguments)
            [*command, str(self._owner), str(limits.seconds), str(limits.memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            cwd="/",
            env={name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
            | {"PYTHONPATH": str(_ROOT), "LC_ALL": "C.UTF-8"},
            start_new_session=True,
        )
        if self._popen.stdin is None or self._popen.stdout is None:  # pragma: no cover (both are pipes)
            raise Unavailable("The reader has no pipes", action="Start the worker again")
        self._input, self._output = self._popen.stdin.fileno(), self._popen.stdout.fileno()
        os.set_blocking(self._input, False)
        os.set_blocking(self._output, False)
        self._received = bytearray()
        self._await_start()

    def is_alive(self) -> bool:
        """Say whether the child runs, and was started by this very process."""
        return self._owner == os.getpid() and self._popen.poll() is None

    @property
    def pid(self) -> int:
        return self._popen.pid

    def was_out_of_time(self) -> bool:
        """Say, of a closed child, whether the system ended it for the processor time it used."""
        return self._popen.returncode == -signal.SIGXCPU

    def was_out_of_memory(self) -> bool:
        """Say, of a closed child, whether it ended itself for want of memory."""
        return self._popen.returncode == OUT_OF_MEMORY

    def close(self) -> None:
        """End the child now; one that belongs to the process this one was forked from is only let go."""
        if self._owner == os.getpid():
            if self._popen.poll() is None:
                self._popen.kill()
            self._popen.wait()
        else:
            self._popen.returncode = 0
        for pipe in (self._popen.stdin, self._popen.stdout):
            if pipe is not None:
                pipe.close()

    def answers(self, requests: Iterator[bytes]) -> Iterator[bytes]:
        """Send the requests, as many ahead as the pipe holds, and yield the answers in their order.

        Each file has its own time, from when the one before it was answered.
        """
        outbox = _Outbox(requests, self._input)
        since = time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            while outbox.fill():
                outbox.watch(selector)
                ready = self._wait(selector, since)
                if self._input in ready:
                    outbox.send()
                    since = time.monotonic() if outbox.unanswered == 1 else since
                if self._output in ready:
                    self._receive()
                    while (answer := self._whole_answer()) is not None:
                        outbox.answered()
                        yield answer
                        since = time.monotonic()

    def _wait(self, selector: selectors.BaseSelector, since: float) -> set[int]:
        """Return the pipes that can be used; one that is ready counts even when the time is over."""
        left = since + self._seconds - time.monotonic()
        ready = {key.fd for key, _ in selector.select(max(left, 0))}
        if not ready and left <= 0:
            raise Overdue
        return ready

    def _await_start(self) -> None:
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self._output, selectors.EVENT_READ)
                deadline = time.monotonic() + _START_SECONDS
                while self._whole_answer() is None and selector.select(max(deadline - time.monotonic(), 0)):
                    self._receive()
            if time.monotonic() < deadline:
                return
        except Died:
            pass
        self.close()
        raise Unavailable(
            "The process that reads files could not be started",
            action="Look at the worker's error output, and check its installation with trawl doctor",
        )

    def _receive(self) -> None:
        try:
            chunk = os.read(self._output, _CHUNK)
        except BlockingIOError:
            return
        if not chunk:
            raise Died
        self._received += chunk

    def _whole_answer(self) -> bytes | None:
        head = wire.ANSWER.size
        if len(self._received) < head:
            return None
        (length,) = wire.ANSWER.unpack_from(self._received)
        if length > wire.LONGEST_ANSWER:
            raise Died
        if len(self._received) < head + length:
            return None
        answer = bytes(self._received[head : head + length])
        del self._received[: head + length]
        return answer


class _Outbox:
    """Requests on their way to the child, one in hand at a time."""

    def __init__(self, requests: Iterator[bytes], pipe: int) -> None:
        self._requests = requests
        self._pipe = pipe
        self._left = memoryview(b"")
        self._watched = False
        self.unanswered = 0

    def fill(self) -> bool:
        """Take the next request when the last one is sent; say whether any answer is still to come."""
        if not self._left and (request := next(self._requests, None)) is not None:
            self._left = memoryview(request)
            self.unanswered += 1
        return self.unanswered > 0

    def watch(self, selector: selectors.BaseSelector) -> None:
        """Wait for room in the pipe only while there is something to send."""
        if self._watched != bool(self._left):
            self._watched = not self._watched
            if self._watched:
                selector.register(self._pipe, selectors.EVENT_WRITE)
            else:
                selector.unregister(self._pipe)

    def send(self) -> None:
        try:
            self._left = self._left[os.write(self._pipe, self._left[:_CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:
            raise Died from None

    def answered(self) -> None:
        self.unanswered -= 1
        if self.unanswered < 0:
            raise Died
