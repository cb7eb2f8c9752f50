"""Embedded mode: a private Redis and one worker as children. Nothing else knows whether there are any."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from app.embedded.children import Child, Command
from app.embedded.private_redis import runtime_folder, server_command, socket_path
from indexer.settings import IndexerSettings
from workers.settings import WorkerSettings

_WORKER_PATIENCE: Final = 5.0
_LONGEST_LOG: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class BackgroundProcesses:
    """Settings that say where the queue is, and whether those who work through it end with this process."""

    settings: WorkerSettings
    ours: bool


def with_queue(settings: IndexerSettings, worker_settings: WorkerSettings) -> WorkerSettings:
    """Return the settings with the queue's address in them, whether it runs or not."""
    if worker_settings.redis_url is not None:
        return worker_settings
    address = f"unix://{socket_path(runtime_folder(settings.data_dir))}"
    return worker_settings.model_copy(update={"redis_url": address})


@contextmanager
def background_processes(
    settings: IndexerSettings, worker_settings: WorkerSettings, *, quiet: bool = False
) -> Iterator[BackgroundProcesses]:
    """Start what the settings do not name, without waiting for it, and end it with the block or with this process.

    Of several processes on one data folder one has the children; when it ends, another's take over. `quiet`: what the
    worker says goes to a file in the data folder instead of standard error.
    """
    completed = with_queue(settings, worker_settings)
    if worker_settings.redis_url is not None:
        yield BackgroundProcesses(completed, ours=False)
        return
    folder = runtime_folder(settings.data_dir)
    with ExitStack() as stack:
        said = stack.enter_context(_log_file(folder)) if quiet else sys.stderr.buffer
        # The last one started is the first to end: the worker says farewell to a Redis that is still there.
        for command in (
            Command("redis", server_command(folder), os.environ, folder / "redis.lock", patience=0, output=said),
            Command(
                "worker",
                # -P: a folder `app` where the service was started is none of its business
                [sys.executable, "-P", "-m", "app", "worker"],
                _worker_environment(settings.data_dir, str(completed.redis_url)),
                folder / "worker.lock",
                patience=_WORKER_PATIENCE,
                output=said,
            ),
        ):
            child = Child(command)
            child.start()
            stack.callback(child.stop)
        yield BackgroundProcesses(completed, ours=True)


def _log_file(folder: Path) -> IO[bytes]:
    path = folder / "worker.log"
    grown = path.exists() and path.stat().st_size > _LONGEST_LOG
    return path.open("wb" if grown else "ab")


def _worker_environment(data_dir: Path, redis_url: str) -> Mapping[str, str]:
    return {**os.environ, "TRAWL_DATA_DIR": str(data_dir.absolute()), "TRAWL_REDIS_URL": redis_url}
