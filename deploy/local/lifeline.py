"""Ties servers to the process that started them: a guard process per server waits for a file lock of the owner.

The kernel releases a file lock when its process ends, however it ends. The guard then kills the server and removes the
lock's folder.
"""

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import IO, Self

# Run with -I (isolated mode), so that environment variables and the current folder have no influence.
_GUARD_SCRIPT = """
import fcntl, os, select, shutil, signal, sys
path, pid = sys.argv[1], int(sys.argv[2])
try:
    handle = os.pidfd_open(pid)
except (AttributeError, OSError):
    handle = None
with open(path) as lifeline:
    sys.stdout.write("ready\\n")
    sys.stdout.close()
    fcntl.flock(lifeline, fcntl.LOCK_EX)
try:
    if handle is None:
        os.kill(pid, signal.SIGKILL)
    else:
        signal.pidfd_send_signal(handle, signal.SIGKILL)
        select.select([handle], [], [], 30)
except ProcessLookupError:
    pass
shutil.rmtree(os.path.dirname(path), ignore_errors=True)
"""


class Lifeline:
    """A file lock in its own folder. When its holder ends, guards kill its servers and remove the folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[str] | None = None

    def hold(self) -> Self:
        self._file = self.path.open("w", encoding="ascii")
        fcntl.flock(self._file, fcntl.LOCK_EX)
        return self

    def let_go(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        return self.hold()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.let_go()


def _start_guard(lifeline: Path, pid: int) -> subprocess.Popen[bytes]:
    guard = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _GUARD_SCRIPT, str(lifeline), str(pid)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # A keyboard interrupt must not end the guard before the server.
        start_new_session=True,
    )
    if guard.stdout is not None:
        with guard.stdout as ready:
            ready.readline()
    return guard


class Guarded:
    """A server process with its guard, which kills it when the lifeline is released or its holder dies."""

    def __init__(self, process: subprocess.Popen[bytes], lifeline: Path) -> None:
        self._process = process
        try:
            self._guard = _start_guard(lifeline, process.pid)
        except OSError:
            process.kill()
            process.wait()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_running(self) -> bool:
        return self._process.poll() is None

    def stop(self, number: int = signal.SIGTERM, timeout: float = 60) -> None:
        """Stop the server by a signal, then its guard. A server that is still running after the timeout is killed."""
        if self.is_running():
            os.kill(self._process.pid, number)
            try:
                self._process.wait(timeout)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._guard.kill()
        self._guard.wait()
