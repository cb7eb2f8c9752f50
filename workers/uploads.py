"""Takes uploaded files: stages them on disk and starts the job that reads them into the archive."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from indexer.tenancy import Principal, TeamId
from indexer.text.truncate import shorten_text
from workers.enqueue import Background
from workers.jobs.results import JobStarted
from workers.settings import WorkerSettings
from workers.sources.arguments import UploadSource
from workers.sources.open import open_staging
from workers.sources.origins import upload_origin
from workers.sources.uploads.inflate import Readable
from workers.sources.uploads.names import check_root_name
from workers.sources.uploads.spool import Spool

__all__ = ["DEFAULT_ROOT", "Readable", "Uploads"]
DEFAULT_ROOT: Final = "upload"
_MAX_CONCURRENT: Final = 4
_MAX_NAME: Final = 200


class Uploads:
    """Stages uploads; the first one creates the staging folder."""

    def __init__(self, data_dir: Path, settings: WorkerSettings, background: Background) -> None:
        self._staging = open_staging(data_dir)
        self._settings = settings
        self._background = background
        self.threads = ThreadPoolExecutor(_MAX_CONCURRENT, thread_name_prefix="upload")
        """Stores bodies that have arrived. A pool of its own, so that uploads do not occupy the threads of searches."""

    def spool(self) -> Spool:
        """Return where a body is kept while it arrives."""
        return self._staging.spool()

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
        sent = _SentNames(files)
        staged = self._staging.stage(principal.team, sent, root, self._settings, origin)
        root_name = check_root_name(root)
        source = UploadSource(
            type="upload",
            staged=staged,
            mirror=mirror,
            name=sent.summary() if root == DEFAULT_ROOT else root_name,
            origin=origin or upload_origin(root_name),
        )
        try:
            return self._background.ingest(principal, source)
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
        """Shut down the pool without waiting."""
        self.threads.shutdown(wait=False, cancel_futures=True)


class _SentNames:
    """Passes files on, and notes what their names have in common."""

    def __init__(self, files: Iterable[tuple[str, Readable]]) -> None:
        self._files = files
        self._count = 0
        self._name = ""
        self._top = ""
        """The folder that all files are in, if there is one."""

    def __iter__(self) -> Iterator[tuple[str, Readable]]:
        for path, file in self._files:
            self._count += 1
            self._name = path.rpartition("/")[2]
            folder = path.partition("/")[0] if "/" in path else ""
            if self._count == 1:
                self._top = folder
            elif folder != self._top:
                self._top = ""
            yield path, file

    def summary(self) -> str:
        """Return the name of the only file, or of the folder that all are in, or else their number."""
        name = self._name if self._count == 1 else self._top
        return shorten_text(name, _MAX_NAME) or f"{self._count:,} files"
