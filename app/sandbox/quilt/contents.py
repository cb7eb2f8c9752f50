"""What a Quilt catalog holds: objects in S3, and packages of them with their revisions."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any


@dataclass(frozen=True, slots=True)
class QuiltObject:
    """A version of an object in S3."""

    bucket: str
    key: str
    version: str
    size: int
    modified: datetime
    content: str = ""
    deleted: bool = False

    @property
    def ext(self) -> str:
        return PurePosixPath(self.key).suffix.lower()


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a package: its name there, and its address in S3."""

    logical_key: str
    physical_key: str
    size: int


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision of a package."""

    modified: datetime
    message: str
    meta: dict[str, Any]
    entries: tuple[Entry, ...]

    @property
    def hash(self) -> str:
        return sha256(repr((self.modified, self.message, self.meta, self.entries)).encode()).hexdigest()

    @property
    def size(self) -> int:
        return sum(entry.size for entry in self.entries)


@dataclass(frozen=True, slots=True)
class QuiltPackage:
    """A package with its revisions, the oldest first."""

    bucket: str
    name: str
    revisions: tuple[Revision, ...]

    @property
    def latest(self) -> Revision:
        return self.revisions[-1]


@dataclass(frozen=True, slots=True)
class QuiltContents:
    """What a catalog holds."""

    buckets: tuple[str, ...]
    objects: tuple[QuiltObject, ...] = ()
    packages: tuple[QuiltPackage, ...] = ()
    strays: tuple[str, ...] = ()
    """Keys of objects that only the packager has heard of: documents without a key."""
