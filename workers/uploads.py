"""Takes uploaded files: stages them on disk and starts the job that reads them into the archive."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from indexer.tenancy import Principal, TeamId
from workers.enqueue import Background
from workers.jobs.results import JobStarted
from workers.settings import WorkerSettings
from workers.sources.arguments import UploadSource
from workers.sources.open import open_staging
from workers.sources.uploads.inflate import Readable

__all__ = ["DEFAULT_ROOT", "Readable", "Uploads"]
DEFAULT_ROOT: Final = "upload"
_MAX_CONCURRENT: Final = 4


class Uploads:
    """Stages uploads; the first one creates the staging folder."""

    def __init__(self, data_dir: Path, settings: WorkerSettings, background: Background) -> None:
        self._staging = open_staging(data_dir)
        self._settings = settings
        self._background = background
        self.threads = ThreadPoolExecutor(_MAX_CONCURRENT, thread_name_prefix="upload")
        """Reads request bodies. A pool of its own, so that slow clients do not occupy the threads of searches."""

    def take(
        self,
        principal: Principal,
        files: Iterable[tuple[str, Readable]],
        *,
        root: str = DEFAULT_ROOT,
        origin: str | None = None,
        mirror: bool = False,
    ) -> JobStarted:
        """Stage the files, unpack zip and tar files, and start the job that reads them. Blocking."""
        staged = self._staging.stage(principal.team, files, root, self._settings, origin)
        try:
            return self._background.ingest(principal, UploadSource(type="upload", staged=staged, mirror=mirror))
        except BaseException:
            self._staging.discard(staged)
            raise

    def remove_team(self, team: TeamId) -> int:
        """Remove a team's uploads that wait for their job or for a retry; return how many there were."""
        uploads = self._staging.of_team(team)
        for upload_id in uploads:
            self._staging.discard(upload_id)
        return len(uploads)

    def close(self) -> None:
        """Shut down the pool without waiting; threads that wait for a client end by themselves."""
        self.threads.shutdown(wait=False, cancel_futures=True)
