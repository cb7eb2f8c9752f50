"""Child processes that are started again when they end, and that never outlive this one."""

import logging
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from app.embedded import leash

_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0
_SETTLED_SECONDS: Final = 60.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Command:
    """What a child runs. Of all that hold the same lock file, in whatever process, one runs at a time."""

    name: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    lock: Path
    patience: float
    """Seconds to end in after SIGTERM; 0: it is killed at once."""
    output: IO[bytes]


class Child:
    """Keeps a command running from `start` to `stop`, with a growing pause where it ends again and again."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._stopping = threading.Event()
        self._changing = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep_running, name=command.name, daemon=True)

    def start(self) -> None:
        """Start it without waiting for anything."""
        self._thread.start()

    def stop(self) -> None:
        """End it, and return when it has ended."""
        self._stopping.set()
        self._let_go()
        self._thread.join()

    def _keep_running(self) -> None:
        pause = _FIRST_PAUSE
        while not self._stopping.is_set():
            started = time.monotonic()
            code = self._run()
            if self._stopping.is_set():
                return
            _log.error("a child ended with code %d and is started again", code, extra={"part": self._command.name})
            pause = _FIRST_PAUSE if time.monotonic() - started > _SETTLED_SECONDS else min(pause * 2, _LONGEST_PAUSE)
            self._stopping.wait(pause)

    def _run(self) -> int:
        command = self._command
        with self._changing:
            if self._stopping.is_set():
                return 0
            self._process = subprocess.Popen(  # noqa: S603 - our own modules, and a server found by name
                [
                    *(sys.executable, "-I", "-S", str(leash.__file__)),
                    *(str(command.lock), str(command.patience), *command.arguments),
                ],
                stdin=subprocess.PIPE,
                stdout=command.output,
                stderr=command.output,
                env=dict(command.environment),
                # an interrupt from the keyboard goes to this process alone, which then stops its children in order
                start_new_session=True,
            )
        code = self._process.wait()
        self._let_go()
        return code

    def _let_go(self) -> None:
        """Close the pipe that keeps the child running."""
        with self._changing:
            if self._process is not None and self._process.stdin is not None:
                self._process.stdin.close()
