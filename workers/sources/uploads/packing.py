"""The tar stream by which the command line sends files.

It also tells what is not sent, so that the job counts that: PAX records of empty members, with keywords of their own.
"""

import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from pydantic import TypeAdapter, ValidationError

from workers.sources.names import is_kind, shown
from workers.sources.skipped import MAX_NAMED, OTHER_KINDS, SkippedFile, SkippedFiles, bounded_kinds

_BLOCK_BYTES: Final = tarfile.BLOCKSIZE
_PIECE_BYTES: Final = 1 << 20
_FAILED: Final = "TRAWL.failed"
_SKIPPED: Final = "TRAWL.skipped"
_SKIPPED_MEMBER: Final = ".trawl-skipped"
"""A hidden name, which services that do not know the record pass over."""
_MAX_REASON_LENGTH: Final = 200
_MAX_PATH_LENGTH: Final = 1_000
_MAX_COUNT: Final = 1_000_000_000
_SKIPPED_FILES: Final = TypeAdapter(SkippedFiles)
END: Final = bytes(2 * _BLOCK_BYTES)
"""Ends the stream."""


@dataclass(frozen=True, slots=True)
class PackingNote:
    """What an empty member stands for: a file that could not be sent, or all that were left out."""

    failed: str | None = None
    """The reason, which completes the sentence "this file …"."""
    skipped: SkippedFiles | None = None


def file_member(path: str, data: bytes, modified: float) -> Iterator[bytes]:
    """Yield a file."""
    yield _header(path, size=len(data), modified=modified)
    for start in range(0, len(data), _PIECE_BYTES):
        yield data[start : start + _PIECE_BYTES]
    yield bytes(-len(data) % _BLOCK_BYTES)


def failed_member(path: str, reason: str) -> bytes:
    """Return the note that a file could not be sent."""
    return _header(path, records={_FAILED: reason})


def skipped_member(skipped: SkippedFiles) -> bytes:
    """Return the note of what was left out."""
    first = tuple(replace(file, path=file.path[:_MAX_PATH_LENGTH]) for file in skipped.first)
    text = _SKIPPED_FILES.dump_json(replace(skipped, first=first)).decode()
    return _header(_SKIPPED_MEMBER, records={_SKIPPED: text})


def read_note(records: Mapping[str, str]) -> PackingNote | None:
    """Return the note in a member's PAX records, cleaned; None without one, or if it makes no sense."""
    if _FAILED in records:
        return PackingNote(failed=shown([records[_FAILED][:_MAX_REASON_LENGTH]]))
    try:
        skipped = _SKIPPED_FILES.validate_json(records.get(_SKIPPED, ""))
    except ValidationError:
        return None
    counts = (len(skipped.first), sum(skipped.kinds.values()), *skipped.kinds.values())
    if min(counts) < 0 or max(counts) > skipped.count or skipped.count > _MAX_COUNT:
        return None
    kinds = bounded_kinds((kind if is_kind(kind) else OTHER_KINDS, count) for kind, count in skipped.kinds.items())
    first = tuple(_cleaned(file) for file in skipped.first[:MAX_NAMED])
    return PackingNote(skipped=SkippedFiles(skipped.count, first, kinds))


def _cleaned(file: SkippedFile) -> SkippedFile:
    path = shown([file.path[:_MAX_PATH_LENGTH]])
    return SkippedFile(path, shown([file.reason[:_MAX_REASON_LENGTH]]))


def _header(path: str, *, size: int = 0, modified: float = 0.0, records: Mapping[str, str] | None = None) -> bytes:
    header = tarfile.TarInfo(path)
    header.size = size
    header.mtime = int(modified)
    header.pax_headers = dict(records or {})
    return header.tobuf(tarfile.PAX_FORMAT, "utf-8", "strict")
