"""Supervised child processes: restarted when they exit, and ended with this process."""

import logging
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from app.embedded import child_wrapper

_MIN_PAUSE_SECONDS: Final = 0.5
_MAX_PAUSE_SECONDS: Final = 30.0
_STABLE_SECONDS: Final = 60.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Command:
    """The command of a child. Of all commands with the same lock file, one runs at a time on this machine."""

    name: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    lock: Path
    grace_seconds: float
    """Seconds between SIGTERM and SIGKILL; 0: it is killed at once."""
    output: IO[bytes]


class Child:
    """Keeps a command running from `start` to `stop`, with exponential backoff between restarts."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._stopping = threading.Event()
        self._process_lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep_running, name=command.name, daemon=True)

    def start(self) -> None:
        """Start the child without waiting for it."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the child, and return when it has exited."""
        self._stopping.set()
        self._close_pipe()
        self._thread.join()

    def _keep_running(self) -> None:
        pause = _MIN_PAUSE_SECONDS
        while not self._stopping.is_set():
            started = time.monotonic()
            code = self._run()
            if self._stopping.is_set():
                return
            _log.error("child process exited with code %d; restarting it", code, extra={"part": self._command.name})
            was_stable = time.monotonic() - started > _STABLE_SECONDS
            pause = _MIN_PAUSE_SECONDS if was_stable else min(pause * 2, _MAX_PAUSE_SECONDS)
            self._stopping.wait(pause)

    def _run(self) -> int:
        command = self._command
        with self._process_lock:
            if self._stopping.is_set():
                return 0
            self._process = subprocess.Popen(  # noqa: S603 - our own modules, and a Redis server found by name
                [
                    *(sys.executable, "-I", "-S", str(child_wrapper.__file__)),
                    *(str(command.lock), str(command.grace_seconds), *command.arguments),
                ],
                stdin=subprocess.PIPE,
                stdout=command.output,
                stderr=command.output,
                env=dict(command.environment),
                # Ctrl-C must reach this process only: it stops its children in order.
                start_new_session=True,
            )
        code = self._process.wait()
        self._close_pipe()
        return code

    def _close_pipe(self) -> None:
        """Close the child's standard input: its wrapper then ends it."""
        with self._process_lock:
            if self._process is not None and self._process.stdin is not None:
                self._process.stdin.close()
