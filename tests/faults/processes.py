"""The processes below a worker, and the most memory that each ever held, from the system's own high-water marks."""

from pathlib import Path

from tests.faults.watcher import Watcher

LOOK_SECONDS = 0.02


def children(pid: int) -> list[int]:
    """Return the processes that this one has started; none once it has ended."""
    found: list[int] = []
    try:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += [int(child) for child in (thread / "children").read_text().split()]
    except OSError:
        return []
    return found


def command_of(pid: int) -> list[str]:
    """Return the command line of a process; nothing once it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace").split("\0")
    except OSError:
        return []


def resident_bytes(pid: int) -> int:
    return _status_bytes(pid, "VmRSS:")


class WatchingMemory(Watcher):
    """Looks again and again while its block runs, since a process that ended can no longer be asked."""

    def __init__(self, worker: int) -> None:
        super().__init__(LOOK_SECONDS)
        self._worker = worker
        self.workers: dict[int, int] = {}
        """Bytes for each of the worker's processes."""
        self.readers: dict[int, int] = {}
        """Bytes for each process in which files were read."""

    def look(self) -> None:
        processes = children(self._worker)
        readers = [reader for process in processes for reader in children(process)]
        for kept, pids in ((self.workers, [self._worker, *processes]), (self.readers, readers)):
            kept.update({pid: most for pid in pids if (most := _status_bytes(pid, "VmHWM:"))})


def _status_bytes(pid: int, name: str) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1_024 for line in lines if line.startswith(name)), 0)
