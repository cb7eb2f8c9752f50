"""The staging area: uploads that wait for their job, stored atomically in a folder that all processes share.

If web processes and workers run on several machines, TRAWL_DATA_DIR must be a shared folder.
"""

import re
import secrets
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import orjson
from pydantic import TypeAdapter

from indexer.errors import Invalid, NotFound, PlatformError
from indexer.tenancy import TeamId
from workers.sources.files import FileSource
from workers.sources.interface import FailedFile
from workers.sources.origins import upload_origin
from workers.sources.settings import SourceSettings
from workers.sources.skipped import SkippedFiles
from workers.sources.tree import Tree
from workers.sources.uploads.inflate import Readable
from workers.sources.uploads.names import RejectedFile, check_root_name
from workers.sources.uploads.spool import Spool, cannot_store
from workers.sources.uploads.writer import UploadWriter

_UPLOAD_ID: Final = re.compile(r"u_[0-9a-f]{24}")
_MANIFEST: Final = "upload.json"
_FILES: Final = "files"
_PARTIAL_SUFFIX: Final = ".part"
_ABANDONED_SECONDS: Final = 24 * 3_600
_SKIPPED_FILES: Final = TypeAdapter(SkippedFiles)


class UploadStaging:
    """One folder per upload. An upload is complete when its manifest exists."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def spool(self) -> Spool:
        """Return where the body of an upload is kept while it arrives."""
        return Spool(self._folder / f"{_new_id()}{_PARTIAL_SUFFIX}")

    def stage(
        self,
        team: TeamId,
        files: Iterable[tuple[str, Readable]],
        root: str,
        settings: SourceSettings,
        origin: str | None = None,
    ) -> str:
        """Store a team's files, and the members of zip and tar files, under their names; return the upload's id.

        Without an origin, uploads with the same root share one origin.
        """
        try:
            root_name = check_root_name(root)
        except RejectedFile as rejected:
            raise Invalid(f"The root {rejected.reason}", action="Give the plain name of a folder, or none") from None
        upload_id = _new_id()
        part = self._folder / f"{upload_id}{_PARTIAL_SUFFIX}"
        try:
            self._remove_abandoned()
            (part / _FILES).mkdir(parents=True, mode=0o700)
            outcome = _write_files(part, files, root_name, settings)
            manifest = {"team": team, "root": root_name, "origin": origin or upload_origin(root_name), **outcome}
            (part / _MANIFEST).write_bytes(orjson.dumps(manifest))
            part.rename(self._folder / upload_id)
        except OSError as error:
            raise cannot_store(error) from None
        finally:
            shutil.rmtree(part, ignore_errors=True)
        return upload_id

    def open_upload(self, team: TeamId, upload_id: str, settings: SourceSettings) -> FileSource:
        """Open an upload of a team as a source; that of another team is gone, as an unknown one is."""
        stored = self._manifest(upload_id)
        if stored is None or stored.get("team", team) != team:
            raise _gone()
        # Before skipped files were counted, a manifest named only those that failed, as `refused`.
        manifest = {"failed": stored.get("refused", {}).items(), "skipped": {}, **stored}
        return FileSource(
            root_name=manifest["root"],
            origin=manifest["origin"],
            tree=Tree((self._path(upload_id) / _FILES).resolve()),
            limit=settings.max_file_bytes,
            failed=[FailedFile(path, reason) for path, reason in manifest["failed"]],
            skipped=_SKIPPED_FILES.validate_python(manifest["skipped"]),
            # The content of an unreadable archive is unknown, so no document counts as gone.
            complete=manifest["whole"],
        )

    def staged(self) -> list[tuple[str, float]]:
        """Return the id of each complete upload and its time of completion in seconds since 1970."""
        uploads = []
        for manifest in self._folder.glob(f"u_*/{_MANIFEST}"):
            # Another process may discard the upload meanwhile.
            with suppress(FileNotFoundError):
                if _UPLOAD_ID.fullmatch(manifest.parent.name):
                    uploads.append((manifest.parent.name, manifest.stat().st_mtime))
        return sorted(uploads)

    def of_team(self, team: TeamId) -> list[str]:
        """Return the ids of a team's complete uploads."""
        manifests = {upload_id: self._manifest(upload_id) for upload_id, _ in self.staged()}
        return [upload_id for upload_id, each in manifests.items() if each is not None and each.get("team") == team]

    def discard(self, upload_id: str) -> None:
        """Remove an upload; no error if it is gone."""
        try:
            shutil.rmtree(self._path(upload_id), ignore_errors=True)
        except PlatformError:
            return

    def _manifest(self, upload_id: str) -> dict[str, Any] | None:
        """Return what is known of a complete upload; those of older versions name no team."""
        try:
            manifest: dict[str, Any] = orjson.loads((self._path(upload_id) / _MANIFEST).read_bytes())
        except OSError:
            return None
        return manifest

    def _path(self, upload_id: str) -> Path:
        if not _UPLOAD_ID.fullmatch(upload_id):
            raise _gone()
        return self._folder / upload_id

    def _remove_abandoned(self) -> None:
        """Remove partial uploads of processes that were killed."""
        for part in self._folder.glob(f"u_*{_PARTIAL_SUFFIX}"):
            try:
                started = part.stat().st_mtime
            except OSError:
                continue
            if time.time() - started > _ABANDONED_SECONDS:
                shutil.rmtree(part, ignore_errors=True)


def _write_files(
    part: Path, files: Iterable[tuple[str, Readable]], root_name: str, settings: SourceSettings
) -> dict[str, Any]:
    writer = UploadWriter(part / _FILES, root_name, settings)
    for name, stream in files:
        writer.add(name, stream)
    return {
        "failed": [(file.path, file.reason) for file in writer.failed],
        "skipped": _SKIPPED_FILES.dump_python(writer.skipped.result()),
        "whole": writer.complete,
    }


def _new_id() -> str:
    return f"u_{secrets.token_hex(12)}"


def _gone() -> NotFound:
    return NotFound("The upload is gone", action="Send the files again")
