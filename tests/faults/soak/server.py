"""A process of the service that is killed and started again by the same command."""

import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import httpx

from deploy.local.lifeline import Guarded
from tests.service import environment, wait_until


class Server:
    """`trawl COMMAND`; it ends with the process that started it."""

    def __init__(
        self, folder: Path, name: str, command: str, *, env: Mapping[str, str], lifeline: Path, url: str | None = None
    ) -> None:
        self.name = name
        self.url = url
        """Where it answers; a worker does nowhere."""
        self._folder = folder
        self._command = [sys.executable, "-P", "-m", "app", command]
        self._environment = environment(folder, env)
        self._lifeline = lifeline
        self._process: Guarded | None = None
        self.log = folder / f"{name}.log"

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None and self._process.is_running() else None

    def start(self) -> None:
        """Start it, unless it runs, and wait until it answers, if it answers at all."""
        if self.pid is None:
            self.stop()
            with self.log.open("ab") as output:
                process = subprocess.Popen(
                    self._command,
                    cwd=self._folder,
                    env=self._environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                )
            self._process = Guarded(process, self._lifeline)
        if self.url is not None:
            wait_until(self._lives, f"{self.name} lives")

    def stop(self, number: int = signal.SIGKILL) -> None:
        """End it by a signal, and return when it has ended."""
        if self._process is not None:
            self._process.stop(number)
            self._process = None

    def _lives(self) -> bool:
        assert self.pid is not None, f"{self.name} has ended by itself: {self.log.read_text()[-2000:]}"
        try:
            return httpx.get(f"{self.url}/livez", trust_env=False, timeout=5).status_code == 200
        except httpx.TransportError:
            return False
