"""Parent's side: starts one child process and exchanges requests and responses over its pipes, with a timeout."""

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from indexer.errors import Unavailable
from workers.parsers.child import wire
from workers.parsers.child.limits import OUT_OF_MEMORY, Limits

_PROJECT_ROOT: Final = Path(__file__).resolve().parents[3]
_START_TIMEOUT_SECONDS: Final = 120.0
_CHUNK_BYTES: Final = 1 << 20
_CHECK_SECONDS: Final = 0.5
_KEPT_ENVIRONMENT: Final = ("LD_LIBRARY_PATH", "SYSTEMROOT")


class FileTimedOut(Exception):
    """The file that the child is parsing exceeds the time limit."""


class ChildDied(Exception):
    """The child ended, or sent an invalid response, while it was parsing a file."""


class ChildProcess:
    """A running child; use it from one thread at a time, and not after a fork."""

    def __init__(self, limits: Limits) -> None:
        self._seconds = limits.seconds
        self._owner = os.getpid()
        command = [sys.executable, "-P", "-s", "-m", "workers.parsers.child.main"]
        self._popen = subprocess.Popen(  # noqa: S603 (our own module, with numbers as arguments)
            [*command, str(self._owner), str(limits.seconds), str(limits.memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            cwd="/",
            env={name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
            | {"PYTHONPATH": str(_PROJECT_ROOT), "LC_ALL": "C.UTF-8"},
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
        """Return whether the child is running and was started by this process, not by one it was forked from."""
        return self._owner == os.getpid() and self._popen.poll() is None

    @property
    def pid(self) -> int:
        return self._popen.pid

    def exceeded_cpu_time(self) -> bool:
        """Return whether the kernel ended the child for its CPU time; call it after `close`."""
        return self._popen.returncode == -signal.SIGXCPU

    def exceeded_memory(self) -> bool:
        """Return whether the child exited because it had no memory left; call it after `close`."""
        return self._popen.returncode == OUT_OF_MEMORY

    def close(self) -> None:
        """Kill the child and close its pipes; a child of the process that this one was forked from is not killed."""
        if self._owner == os.getpid():
            if self._popen.poll() is None:
                self._popen.kill()
            self._popen.wait()
        else:
            self._popen.returncode = 0
        for pipe in (self._popen.stdin, self._popen.stdout):
            if pipe is not None:
                pipe.close()

    def responses(self, requests: Iterator[bytes], check: Callable[[], None]) -> Iterator[bytes]:
        """Send the requests ahead, as many as the pipe buffers, and yield the responses in the same order.

        The time limit of a file starts with the response to the file before it. While a file takes long, `check` is
        called every half second; it may raise.
        """
        sender = _RequestSender(requests, self._input)
        started = time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            while sender.fill():
                sender.register(selector)
                while not (ready := self._wait(selector, started)):
                    check()
                if self._input in ready:
                    sender.send()
                    started = time.monotonic() if sender.outstanding == 1 else started
                if self._output in ready:
                    self._receive()
                    while (response := self._next_response()) is not None:
                        sender.count_response()
                        yield response
                        started = time.monotonic()

    def _wait(self, selector: selectors.BaseSelector, started: float) -> set[int]:
        """Return the ready pipes, or none after half a second; a ready pipe counts even after the time limit."""
        remaining = started + self._seconds - time.monotonic()
        ready = {key.fd for key, _ in selector.select(max(min(remaining, _CHECK_SECONDS), 0))}
        if not ready and remaining <= 0:
            raise FileTimedOut
        return ready

    def _await_start(self) -> None:
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self._output, selectors.EVENT_READ)
                deadline = time.monotonic() + _START_TIMEOUT_SECONDS
                while self._next_response() is None and selector.select(max(deadline - time.monotonic(), 0)):
                    self._receive()
            if time.monotonic() < deadline:
                return
        except ChildDied:
            pass
        self.close()
        raise Unavailable(
            "The process that reads files could not be started",
            action="Look at the worker's error output, and check its installation with trawl doctor",
        )

    def _receive(self) -> None:
        try:
            chunk = os.read(self._output, _CHUNK_BYTES)
        except BlockingIOError:
            return
        if not chunk:
            raise ChildDied
        self._received += chunk

    def _next_response(self) -> bytes | None:
        header = wire.RESPONSE_HEADER.size
        if len(self._received) < header:
            return None
        (length,) = wire.RESPONSE_HEADER.unpack_from(self._received)
        if length > wire.MAX_RESPONSE_LENGTH:
            raise ChildDied
        if len(self._received) < header + length:
            return None
        response = bytes(self._received[header : header + length])
        del self._received[: header + length]
        return response


class _RequestSender:
    """Writes requests to the child's pipe, one at a time."""

    def __init__(self, requests: Iterator[bytes], pipe: int) -> None:
        self._requests = requests
        self._pipe = pipe
        self._unsent = memoryview(b"")
        self._registered = False
        self.outstanding = 0

    def fill(self) -> bool:
        """Take the next request once the last one is sent; return whether a response is outstanding."""
        if not self._unsent and (request := next(self._requests, None)) is not None:
            self._unsent = memoryview(request)
            self.outstanding += 1
        return self.outstanding > 0

    def register(self, selector: selectors.BaseSelector) -> None:
        """Select for a writable pipe only while there is something to send."""
        if self._registered != bool(self._unsent):
            self._registered = not self._registered
            if self._registered:
                selector.register(self._pipe, selectors.EVENT_WRITE)
            else:
                selector.unregister(self._pipe)

    def send(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._pipe, self._unsent[:_CHUNK_BYTES]) :]
        except BlockingIOError:
            return
        except OSError:
            raise ChildDied from None

    def count_response(self) -> None:
        self.outstanding -= 1
        if self.outstanding < 0:
            raise ChildDied
