"""Uploads that wait for their job: stored whole or not at all, in a folder that all processes of a service share.

Where web processes and workers run on several machines, TRAWL_DATA_DIR must be a shared folder for uploads to work.
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

from indexer.errors import Invalid, NotFound, PlatformError, Unavailable
from workers.sources.files import FileSource
from workers.sources.settings import SourceSettings
from workers.sources.tree import Tree
from workers.sources.uploads.inflate import Readable
from workers.sources.uploads.intake import Intake
from workers.sources.uploads.names import Unfit, root_name

_ID: Final = re.compile(r"u_[0-9a-f]{24}")
_MANIFEST: Final = "upload.json"
_FILES: Final = "files"
_UNFINISHED: Final = ".part"
_ABANDONED_SECONDS: Final = 24 * 3_600


class UploadStaging:
    """Folders of uploads below one folder; an upload is there when its manifest is."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def stage(
        self, files: Iterable[tuple[str, Readable]], root: str, settings: SourceSettings, origin: str | None = None
    ) -> str:
        """Store files, and what is in zip and tar files, under their names; return the upload's id.

        Uploads of one root and no origin belong together.
        """
        try:
            named = root_name(root)
        except Unfit as unfit:
            raise Invalid(f"The root {unfit.reason}", action="Give the plain name of a folder, or none") from None
        staged = f"u_{secrets.token_hex(12)}"
        part = self._folder / f"{staged}{_UNFINISHED}"
        try:
            self._drop_abandoned()
            (part / _FILES).mkdir(parents=True, mode=0o700)
            manifest = {"root": named, "origin": origin or f"upload:{named}", **_taken(part, files, named, settings)}
            (part / _MANIFEST).write_bytes(orjson.dumps(manifest))
            part.rename(self._folder / staged)
        except OSError:
            raise Unavailable(
                "The upload could not be stored",
                action="See that TRAWL_DATA_DIR is writable and has room; send it again",
            ) from None
        finally:
            shutil.rmtree(part, ignore_errors=True)
        return staged

    def opened(self, staged: str, settings: SourceSettings) -> FileSource:
        """Return an upload as a source."""
        try:
            manifest: dict[str, Any] = orjson.loads((self._place(staged) / _MANIFEST).read_bytes())
        except OSError:
            raise _gone() from None
        return FileSource(
            root=manifest["root"],
            origin=manifest["origin"],
            tree=Tree((self._place(staged) / _FILES).resolve()),
            limit=settings.max_file_bytes,
            refused=manifest["refused"],
            # What an unreadable archive held is unknown, so nothing counts as gone.
            whole=manifest["whole"],
        )

    def staged(self) -> list[tuple[str, float]]:
        """Return the id of each upload and when it was complete, in seconds since 1970."""
        found = []
        for manifest in self._folder.glob(f"u_*/{_MANIFEST}"):
            # Another process may discard it meanwhile.
            with suppress(FileNotFoundError):
                if _ID.fullmatch(manifest.parent.name):
                    found.append((manifest.parent.name, manifest.stat().st_mtime))
        return sorted(found)

    def discard(self, staged: str) -> None:
        """Remove an upload; no error if it is gone."""
        try:
            shutil.rmtree(self._place(staged), ignore_errors=True)
        except PlatformError:
            return

    def _place(self, staged: str) -> Path:
        if not _ID.fullmatch(staged):
            raise _gone()
        return self._folder / staged

    def _drop_abandoned(self) -> None:
        """Remove what a process left behind that was killed in the middle of an upload."""
        for part in self._folder.glob(f"u_*{_UNFINISHED}"):
            try:
                begun = part.stat().st_mtime
            except OSError:
                continue
            if time.time() - begun > _ABANDONED_SECONDS:
                shutil.rmtree(part, ignore_errors=True)


def _taken(part: Path, files: Iterable[tuple[str, Readable]], root: str, settings: SourceSettings) -> dict[str, Any]:
    intake = Intake(part / _FILES, root, settings)
    for name, stream in files:
        intake.take(name, stream)
    return {"refused": intake.refused, "whole": intake.whole}


def _gone() -> NotFound:
    return NotFound("The upload is gone", action="Send the files again")
