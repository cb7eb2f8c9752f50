"""`python leash.py LOCK SECONDS COMMAND…`: run a command while standard input stays open, and once per lock.

Standard input closes when whoever started this ends, however that happens. The lock is held until the command has
ended, so a successor never meets what is left of the one before. Only the standard library, run by itself.
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

_LOOKS_AGAIN_SECONDS = 0.3
_SET_PARENT_DEATH_SIGNAL = 1


def main(lock: str, patience: float, command: list[str]) -> int:
    """Wait for the lock, run the command, and return its exit code."""
    with open(lock, "ab") as held:  # noqa: PTH123 - pathlib would cost more than all the rest of the start
        if not _locked(held.fileno()):
            return 0
        # where the system can, the command ends with this process too, should that be killed
        process = subprocess.Popen(  # noqa: S603 - the command is our own service's
            command,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_parent_death_signal(),  # noqa: PLW1509 - there is one thread as yet
        )
        threading.Thread(target=_end_with_input, args=(process, patience), daemon=True).start()
        code = process.wait()
        _kill_group(process.pid)
        return abs(code)


def _locked(descriptor: int) -> bool:
    """Take the lock; False if standard input closed before it was free."""
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if select.select([0], [], [], _LOOKS_AGAIN_SECONDS)[0]:
                return False
        else:
            return True


def _end_with_input(process: subprocess.Popen[bytes], patience: float) -> None:
    while os.read(0, 1024):
        pass
    if patience > 0:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)
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
    # only its input ends this; a handler that does nothing, since the command would inherit that signals are ignored
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    sys.exit(main(sys.argv[1], float(sys.argv[2]), sys.argv[3:]))
