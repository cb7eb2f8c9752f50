"""Files that were sent, on their way into the archive: staged on disk, then read by a job."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from indexer.tenancy import Principal
from workers.enqueue import Background
from workers.job_arguments import UploadSource
from workers.job_results import JobStarted
from workers.settings import WorkerSettings
from workers.sources.inflating import Readable
from workers.sources.opening import open_staging
from workers.sources.staging import DEFAULT_ROOT, UploadStaging


@dataclass(frozen=True, slots=True)
class Uploads:
    """Takes files, wherever they come from. Blocking."""

    staging: UploadStaging
    settings: WorkerSettings
    background: Background

    def take(
        self,
        principal: Principal,
        files: Iterable[tuple[str, Readable]],
        *,
        root: str = DEFAULT_ROOT,
        origin: str | None = None,
        mirror: bool = False,
    ) -> JobStarted:
        """Store the files, and what is in zip and tar files, and start the job that reads them."""
        staged = self.staging.stage(files, root, self.settings, origin)
        try:
            return self.background.ingest(principal, UploadSource(type="upload", staged=staged, mirror=mirror))
        except BaseException:
            self.staging.discard(staged)
            raise


def open_uploads(data_dir: Path, settings: WorkerSettings, background: Background) -> Uploads:
    """Open the staging folder; nothing is made before the first upload."""
    return Uploads(open_staging(data_dir), settings, background)
