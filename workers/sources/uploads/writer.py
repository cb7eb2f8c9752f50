"""Writes the files of one upload to disk: each is stored, failed or skipped, by the rules of `walk.py`."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from errno import ENAMETOOLONG
from pathlib import Path
from typing import IO, Final

from indexer.errors import Invalid
from workers.sources import names
from workers.sources.interface import FailedFile
from workers.sources.settings import SourceSettings
from workers.sources.skipped import NO_READER, SkippedCounter, SkippedFile, SkippedFiles
from workers.sources.tree import PathParts
from workers.sources.uploads.inflate import MAX_RATIO, MIN_BOMB_BYTES, InflatedStream, Readable, UnreadableArchive
from workers.sources.uploads.names import LeftOutFile, RejectedFile, is_archive, is_zip, stored_path
from workers.sources.uploads.packing import PackingNote
from workers.sources.uploads.unpack import IS_LINK, MEMBER_ERRORS, NOT_REGULAR, Member, tar_members, zip_members

MAX_FILES: Final = 100_000
_PIECE_BYTES: Final = 1 << 20
_MAX_SHOWN_LENGTH: Final = 3_000
"""Longer than any path that is stored; names in archives may be of any length."""


class UploadWriter:
    """Fills a new folder with the files of one upload."""

    def __init__(self, folder: Path, root_name: str, settings: SourceSettings, max_files: int = MAX_FILES) -> None:
        self.failed: list[FailedFile] = []
        self.skipped = SkippedCounter()
        self.complete = True
        """False if an archive could not be read to its end."""
        self._folder = folder
        self._root_name = root_name
        self._file_limit = settings.max_file_bytes
        self._upload_limit = settings.max_upload_bytes
        self._max_files = max_files
        self._file_count = 0
        self._stored_bytes = 0
        self._left_out_folders: set[PathParts] = set()

    def add(self, name: str, stream: Readable) -> None:
        """Store one file or the members of an archive; `Invalid` if the upload as a whole is too large."""
        if not is_archive(name):
            self._add(Member(name, lambda: stream))
            return
        try:
            path = stored_path(name)
            for member in self._members(name, stream):
                self._add(member, path[:-1])
        except LeftOutFile as left_out:
            self._leave_out(left_out)
        except RejectedFile as rejected:
            self._reject((name,), rejected.reason)
        except UnreadableArchive as unreadable:
            self.complete = False
            self._reject((name,), unreadable.reason)

    def _members(self, name: str, stream: Readable) -> Iterator[Member]:
        if not is_zip(name):
            yield from tar_members(InflatedStream(stream, self._upload_limit))
            return
        with tempfile.TemporaryFile(dir=self._folder.parent) as file:
            length = 0
            while piece := stream.read(_PIECE_BYTES):
                length += len(piece)
                if length > self._upload_limit:
                    raise UnreadableArchive(f"is larger than {self._upload_limit / 1e6:g} MB")
                file.write(piece)
            yield from zip_members(file)

    def _add(self, member: Member, below: PathParts = ()) -> None:
        note = member.note or PackingNote()
        if note.skipped is not None:
            self._add_skipped(note.skipped)
            return
        self._file_count += 1
        if self._file_count > self._max_files:
            raise Invalid(
                f"The upload holds more than {self._max_files} files", action="Send the files in several uploads"
            )
        if note.failed is not None:
            self.failed.append(FailedFile(self._shown((*below, member.name)), note.failed))
            return
        try:
            path = stored_path(member.name, below)
            if is_archive(path[-1]):
                raise RejectedFile("is an archive inside an archive")  # noqa: TRY301  # handled below
            if names.is_readable(path[-1]) or member.reason in {IS_LINK, NOT_REGULAR}:
                self._store(member, path)
            else:
                self.skipped.add(SkippedFile(self._shown(path), NO_READER, names.kind(path[-1])))
        except LeftOutFile as left_out:
            self._leave_out(left_out)
        except RejectedFile as rejected:
            self._reject((*below, member.name), rejected.reason)
        except MEMBER_ERRORS:
            self._reject((*below, member.name), "is damaged in its archive")

    def _store(self, member: Member, path: PathParts) -> None:
        if member.reason is not None:
            raise RejectedFile(member.reason)
        target = self._folder.joinpath(*path)
        try:
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except (FileExistsError, NotADirectoryError):
            raise RejectedFile("has the name of another file in the upload") from None
        except OSError as error:
            if error.errno == ENAMETOOLONG:
                raise RejectedFile("has too long a name") from None
            raise
        try:
            with os.fdopen(descriptor, "wb") as file:
                self._copy(member, file)
        except BaseException:
            target.unlink()
            raise
        if member.modified is not None:
            with suppress(OSError, OverflowError, ValueError):
                os.utime(target, (member.modified, member.modified))

    def _copy(self, member: Member, file: IO[bytes]) -> None:
        stream = member.open()
        limit = self._file_limit
        if member.packed is not None:
            limit = min(limit, max(MIN_BOMB_BYTES, MAX_RATIO * member.packed))
        length = 0
        while piece := stream.read(_PIECE_BYTES):
            length += len(piece)
            self._stored_bytes += len(piece)
            if length > self._file_limit:
                raise RejectedFile(f"is larger than {self._file_limit / 1e6:g} MB")
            if length > limit:
                raise RejectedFile(f"unpacks to more than {MAX_RATIO} times its size")
            if self._stored_bytes > self._upload_limit:
                raise Invalid(
                    f"The upload holds more than {self._upload_limit / 1e6:g} MB",
                    action="Send the files in several uploads",
                )
            file.write(piece)

    def _reject(self, path: PathParts, reason: str) -> None:
        if names.is_readable(path[-1]) or is_archive(path[-1]):
            self.failed.append(FailedFile(self._shown(path), reason))
        else:
            self.skipped.add(SkippedFile(self._shown(path), reason))

    def _leave_out(self, file: LeftOutFile) -> None:
        """Skip a file, or its folder; other files of that folder were skipped with it."""
        if file.parts not in self._left_out_folders:
            self.skipped.add(SkippedFile(self._shown(file.parts) + "/" * file.is_folder, file.reason))
        if file.is_folder:
            self._left_out_folders.add(file.parts)

    def _add_skipped(self, sent: SkippedFiles) -> None:
        first = tuple(replace(file, path=self._shown((file.path,))) for file in sent.first)
        self.skipped.add(replace(sent, first=first))

    def _shown(self, path: PathParts) -> str:
        return names.shown((self._root_name, *path))[:_MAX_SHOWN_LENGTH]
