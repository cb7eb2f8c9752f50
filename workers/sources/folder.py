"""Folders that workers see: only below the roots that the settings allow, whatever a path is made of."""

import os
from hashlib import sha256
from pathlib import Path

from indexer.errors import Invalid, NotConfigured, NotFound, PlatformError
from workers.sources.arguments import FolderSource
from workers.sources.files import FileSource
from workers.sources.patterns import Selection
from workers.sources.settings import SourceSettings
from workers.sources.tree import Tree
from workers.sources.uploads.names import Unfit, root_name


def check_folder(source: FolderSource, settings: SourceSettings) -> None:
    """Refuse what no worker may read, by the path alone."""
    if not settings.ingest_roots:
        raise NotConfigured(
            "Folders cannot be ingested by path: TRAWL_INGEST_ROOTS is not set",
            action="Set TRAWL_INGEST_ROOTS to the folders that may be read, or send the files: trawl ingest PATH",
            command="trawl ingest PATH",
        )
    given = Path(os.path.normpath(source.path))
    if "\0" in source.path or not given.is_absolute():
        raise Invalid("The folder's path is not absolute", action="Give the whole path, from / on")
    if not _is_below(given, settings.ingest_roots) and not _is_below(given, _real(settings.ingest_roots)):
        raise _outside()
    folder_name(source.path)


def open_folder(source: FolderSource, settings: SourceSettings) -> FileSource:
    """Open a folder by its real path, which must be below a root as well."""
    check_folder(source, settings)
    try:
        top = Path(source.path).resolve(strict=True)
    except (OSError, RuntimeError):
        raise _missing() from None
    if not _is_below(top, _real(settings.ingest_roots)):
        raise _outside()
    if not top.is_dir():
        raise _missing()
    return FileSource(
        root=folder_name(source.path),
        origin=folder_origin(source.path),
        tree=Tree(top),
        limit=settings.max_file_bytes,
        selection=Selection.read(source.include, source.exclude),
    )


def folder_name(path: str) -> str:
    """Return what an archive calls a folder: its own name, as given."""
    try:
        return root_name(os.path.normpath(path).rpartition("/")[2])
    except Unfit:
        raise Invalid("The folder has a name that no archive can show", action="Rename it, or give one above") from None


def folder_origin(path: str) -> str:
    """Return what tells a folder from others of its name: a digest of its path, as given, that shows no path."""
    return sha256(os.path.normpath(path).encode(errors="surrogateescape")).hexdigest()[:32]


def _is_below(path: Path, roots: tuple[Path, ...]) -> bool:
    return any(path.is_relative_to(root) for root in roots)


def _real(roots: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(Path(os.path.realpath(root)) for root in roots)


def _outside() -> PlatformError:
    return Invalid(
        "The folder is not below any of TRAWL_INGEST_ROOTS",
        action="Give a folder below one of them, or send the files: trawl ingest PATH",
        command="trawl ingest PATH",
    )


def _missing() -> PlatformError:
    return NotFound("The folder does not exist where the workers run", action="Check its path, and that it is mounted")
