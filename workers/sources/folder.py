"""Folders on the disks of the workers. Only folders below the roots of a team can be opened."""

import os
from hashlib import sha256
from pathlib import Path

from indexer.errors import Authorization, Invalid, NotConfigured, NotFound, PlatformError
from workers.sources.arguments import FolderSource
from workers.sources.files import FileSource
from workers.sources.patterns import Selection
from workers.sources.rights import SourceRights
from workers.sources.settings import SourceSettings
from workers.sources.tree import Tree
from workers.sources.uploads.names import RejectedFile, check_root_name


def check_folder(source: FolderSource, rights: SourceRights) -> None:
    """Refuse a folder by its path and patterns alone; it need not exist on this machine."""
    if not rights.roots and rights.is_restricted:
        raise _denied("This team may read no folder of this host")
    if not rights.roots:
        raise NotConfigured(
            "Folders cannot be ingested by path: TRAWL_INGEST_ROOTS is not set",
            action="Set TRAWL_INGEST_ROOTS to the folders that may be read, or send the files: trawl ingest PATH",
            command="trawl ingest PATH",
        )
    path = Path(os.path.normpath(source.path))
    if "\0" in source.path or not path.is_absolute():
        raise Invalid("The folder's path is not absolute", action="Give the whole path, from / on")
    if not _is_below(path, rights.roots) and not _is_below(path, _resolve(rights.roots)):
        raise _outside(rights)
    folder_name(source.path)
    Selection.read(source.include, source.exclude)


def open_folder(source: FolderSource, settings: SourceSettings, rights: SourceRights) -> FileSource:
    """Open a folder; its real path must be below a root as well."""
    check_folder(source, rights)
    try:
        top = Path(source.path).resolve(strict=True)
    except (OSError, RuntimeError):
        raise _missing() from None
    private = None if rights.private is None else Path(os.path.realpath(rights.private))
    if not _is_below(top, _resolve(rights.roots)) or (private is not None and top.is_relative_to(private)):
        raise _outside(rights)
    if not top.is_dir():
        raise _missing()
    hidden = private.relative_to(top).parts if private is not None and private.is_relative_to(top) else ()
    return FileSource(
        root_name=folder_name(source.path),
        origin=folder_origin(source.path),
        tree=Tree(top, hidden),
        limit=settings.max_file_bytes,
        selection=Selection.read(source.include, source.exclude),
        ignore=source.ignore,
    )


def folder_name(path: str) -> str:
    """Return the name that an archive shows for a folder: the last component of its path."""
    try:
        return check_root_name(os.path.normpath(path).rpartition("/")[2])
    except RejectedFile:
        raise Invalid("The folder has a name that no archive can show", action="Rename it, or give one above") from None


def folder_origin(path: str) -> str:
    """Return the identity of a folder: a digest of its path, which does not reveal the path."""
    return sha256(os.path.normpath(path).encode(errors="surrogateescape")).hexdigest()[:32]


def _is_below(path: Path, roots: tuple[Path, ...]) -> bool:
    return any(path.is_relative_to(root) for root in roots)


def _resolve(roots: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(Path(os.path.realpath(root)) for root in roots)


def _outside(rights: SourceRights) -> PlatformError:
    if rights.is_restricted:
        return _denied("This team may not read this folder")
    return Invalid(
        "The folder is not below any of TRAWL_INGEST_ROOTS",
        action="Give a folder below one of them, or send the files: trawl ingest PATH",
        command="trawl ingest PATH",
    )


def _denied(message: str) -> Authorization:
    return Authorization(
        message,
        action="Send the files instead: trawl ingest PATH; or ask the operator to add it to `roots` of the team's "
        "section folders in TRAWL_CONNECTIONS",
        command="trawl ingest PATH",
    )


def _missing() -> PlatformError:
    return NotFound("The folder does not exist where the workers run", action="Check its path, and that it is mounted")
