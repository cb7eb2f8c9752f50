"""Files that were sent, on their way into the archive: staged on disk, then read by a job."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from indexer.tenancy import Principal
from workers.enqueue import Background
from workers.jobs.results import JobStarted
from workers.settings import WorkerSettings
from workers.sources.arguments import UploadSource
from workers.sources.open import open_staging
from workers.sources.uploads.inflate import Readable

DEFAULT_ROOT: Final = "upload"
_AT_ONCE: Final = 4


class Uploads:
    """Takes files, wherever they come from; nothing is made before the first upload."""

    def __init__(self, data_dir: Path, settings: WorkerSettings, background: Background) -> None:
        self._staging = open_staging(data_dir)
        self._settings = settings
        self._background = background
        self.threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="upload")
        """For what reads a body that is still coming in: a slow sender must not keep the threads of searches."""

    def take(
        self,
        principal: Principal,
        files: Iterable[tuple[str, Readable]],
        *,
        root: str = DEFAULT_ROOT,
        origin: str | None = None,
        mirror: bool = False,
    ) -> JobStarted:
        """Store the files, and what is in zip and tar files, and start the job that reads them. Blocking."""
        staged = self._staging.stage(files, root, self._settings, origin)
        try:
            return self._background.ingest(principal, UploadSource(type="upload", staged=staged, mirror=mirror))
        except BaseException:
            self._staging.discard(staged)
            raise

    def close(self) -> None:
        """Let go of the threads; those that wait for a sender end by themselves."""
        self.threads.shutdown(wait=False, cancel_futures=True)
