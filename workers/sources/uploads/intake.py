"""Taking the files of one upload: each is stored, refused with its reason, or passed over."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from errno import ENAMETOOLONG
from pathlib import Path
from typing import IO, Final

from indexer.errors import Invalid
from workers.sources import names
from workers.sources.settings import SourceSettings
from workers.sources.tree import PathParts
from workers.sources.uploads.inflate import HARMLESS, MOST_TIMES, Damaged, Measured, Readable
from workers.sources.uploads.names import Unfit, is_archive, is_zip, placed
from workers.sources.uploads.unpack import IS_LINK, NOT_REGULAR, UNREADABLE, Member, tar_members, zip_members

MOST_FILES: Final = 100_000
_PIECE: Final = 1 << 20


class Intake:
    """Fills a folder that nobody else writes to."""

    def __init__(self, folder: Path, root: str, settings: SourceSettings, most_files: int = MOST_FILES) -> None:
        self.refused: dict[str, str] = {}
        """By path."""
        self.whole = True
        """Whether every archive could be read to its end."""
        self._folder = folder
        self._root = root
        self._file_limit = settings.max_file_bytes
        self._limit = settings.max_upload_bytes
        self._most_files = most_files
        self._seen = 0
        self._stored = 0

    def take(self, name: str, stream: Readable) -> None:
        """Take one sent file; `Invalid` if the upload as a whole is too much."""
        if not is_archive(name):
            self._take(Member(name, lambda: stream))
            return
        try:
            place = placed(name)
            if place is None:
                return
            for member in self._members(name, stream):
                self._take(member, place[:-1])
        except Unfit as unfit:
            self._refuse((name,), unfit.reason)
        except Damaged as damaged:
            self.whole = False
            self._refuse((name,), damaged.reason)

    def _members(self, name: str, stream: Readable) -> Iterator[Member]:
        if not is_zip(name):
            yield from tar_members(Measured(stream, self._limit))
            return
        with tempfile.TemporaryFile(dir=self._folder.parent) as file:
            length = 0
            while piece := stream.read(_PIECE):
                length += len(piece)
                if length > self._limit:
                    raise Damaged(f"is larger than {self._limit / 1e6:g} MB")
                file.write(piece)
            yield from zip_members(file)

    def _take(self, member: Member, below: PathParts = ()) -> None:
        self._seen += 1
        if self._seen > self._most_files:
            raise Invalid(
                f"The upload holds more than {self._most_files} files", action="Send the files in several uploads"
            )
        try:
            way = placed(member.name, below)
            if way is None:
                return
            if is_archive(way[-1]):
                raise Unfit("is an archive inside an archive")  # noqa: TRY301  # all refusals end below
            if names.is_readable(way[-1]) or member.reason in {IS_LINK, NOT_REGULAR}:
                self._store(member, way)
        except Unfit as unfit:
            self._refuse((*below, member.name), unfit.reason)
        except UNREADABLE:
            self._refuse((*below, member.name), "is damaged in its archive")

    def _store(self, member: Member, way: PathParts) -> None:
        if member.reason is not None:
            raise Unfit(member.reason)
        target = self._folder.joinpath(*way)
        try:
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except (FileExistsError, NotADirectoryError):
            raise Unfit("has the name of another file in the upload") from None
        except OSError as error:
            if error.errno == ENAMETOOLONG:
                raise Unfit("has too long a name") from None
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
        most = self._file_limit
        if member.packed is not None:
            most = min(most, max(HARMLESS, MOST_TIMES * member.packed))
        length = 0
        while piece := stream.read(_PIECE):
            length += len(piece)
            self._stored += len(piece)
            if length > self._file_limit:
                raise Unfit(f"is larger than {self._file_limit / 1e6:g} MB")
            if length > most:
                raise Unfit(f"unpacks to more than {MOST_TIMES} times its size")
            if self._stored > self._limit:
                raise Invalid(
                    f"The upload holds more than {self._limit / 1e6:g} MB", action="Send the files in several uploads"
                )
            file.write(piece)

    def _refuse(self, way: PathParts, reason: str) -> None:
        self.refused[names.shown((self._root, *way))] = reason
