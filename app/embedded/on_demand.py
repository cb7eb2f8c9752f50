"""A child process that starts when somebody connects: until then its sockets cost nothing."""

import logging
import os
import selectors
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Final

_PAUSE_SECONDS: Final = 0.5
_log = logging.getLogger(__name__)


class OnDemandProcess:
    """Runs a command that accepts the connections to listening sockets, from the first one to `stop`.

    The command gets the descriptors of the sockets, and ends when its standard input closes.
    """

    def __init__(
        self, name: str, listeners: Sequence[socket.socket], command: Callable[[Sequence[int]], Sequence[str]]
    ) -> None:
        self._name = name
        self._listeners = listeners
        self._command = command
        self._stopping, self._stop = socket.socketpair()
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep_running, name=name, daemon=True)

    def start(self) -> None:
        """Watch the sockets."""
        self._thread.start()

    def stop(self) -> None:
        """End the process if it runs, and return when it has exited."""
        self._stopped.set()
        self._stop.close()
        self._close_pipe()
        self._thread.join()
        self._stopping.close()

    def _keep_running(self) -> None:
        while self._wait_for_connection():
            code = self._run()
            if not self._stopped.is_set():
                _log.error("child process exited with code %d; restarting it", code, extra={"part": self._name})
                self._stopped.wait(_PAUSE_SECONDS)

    def _wait_for_connection(self) -> bool:
        """Return whether somebody connected; False if the process is not needed any more."""
        with selectors.DefaultSelector() as selector:
            for each in (self._stopping, *self._listeners):
                selector.register(each, selectors.EVENT_READ)
            selector.select()
        return not self._stopped.is_set()

    def _run(self) -> int:
        descriptors = [listener.fileno() for listener in self._listeners]
        with self._lock:
            if self._stopped.is_set():
                return 0
            process = self._process = subprocess.Popen(  # noqa: S603 - our own module
                self._command(descriptors),
                stdin=subprocess.PIPE,
                stdout=sys.stderr.fileno(),
                pass_fds=descriptors,
                env=os.environ,
                # Ctrl-C must reach the parent only, which ends the process.
                start_new_session=True,
            )
        code = process.wait()
        self._close_pipe()
        return code

    def _close_pipe(self) -> None:
        with self._lock:
            if self._process is not None and self._process.stdin is not None:
                self._process.stdin.close()
