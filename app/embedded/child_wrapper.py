"""`python child_wrapper.py LOCK SECONDS COMMAND…`: run a command once per lock, until standard input closes.

Standard input closes when the parent process ends, even if it is killed. The lock is held until the command has
exited, so two instances never overlap. This file runs as a script of its own and imports only the standard library.
"""

import ctypes
import fcntl
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

_POLL_SECONDS = 0.3
_SET_PARENT_DEATH_SIGNAL = 1


def main(lock: str, grace_seconds: float, command: list[str]) -> int:
    """Wait for the lock, run the command, and return its exit code."""
    with open(lock, "ab") as lock_file:  # noqa: PTH123 - importing pathlib takes longer than the rest of the start
        if not _acquire_lock(lock_file.fileno()):
            return 0
        # On Linux the command also ends if this process is killed.
        process = subprocess.Popen(  # noqa: S603 - the command comes from our own service
            command,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_parent_death_signal(),  # noqa: PLW1509 - no other thread runs yet
        )
        threading.Thread(target=_end_with_stdin, args=(process, grace_seconds), daemon=True).start()
        code = process.wait()
        _kill_group(process.pid)
        return abs(code)


def _acquire_lock(descriptor: int) -> bool:
    """Wait for the lock; False if standard input closed first."""
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if select.select([0], [], [], _POLL_SECONDS)[0]:
                return False
        else:
            return True


def _end_with_stdin(process: subprocess.Popen[bytes], grace_seconds: float) -> None:
    while os.read(0, 1024):
        pass
    if grace_seconds > 0:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(grace_seconds)
    _kill_group(process.pid)


def _kill_group(leader: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _parent_death_signal() -> Callable[[], None] | None:
    if not sys.platform.startswith("linux"):
        return None
    control = ctypes.CDLL(None).prctl
    return lambda: control(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


if __name__ == "__main__":
    # Only standard input ends this process. The handlers do nothing: the command would inherit ignored signals.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    sys.exit(main(sys.argv[1], float(sys.argv[2]), sys.argv[3:]))
