"""What `trawl ingest` was asked for, and how each of it gets into the archive."""

import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from app.cli.connection import Caller
from indexer.errors import Invalid, NotFound, shown
from workers.local_files import SkippedFile, files_of_folder, single_files

_SCHEMES: Final = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class Options:
    """What holds for all that is ingested."""

    include: tuple[str, ...]
    exclude: tuple[str, ...]
    mirror: bool
    roots: tuple[Path, ...]
    """Folders that the workers can read by themselves."""
    largest_file: int


@dataclass(frozen=True, slots=True)
class Task:
    """One job: pages, a whole folder, or some files of one."""

    urls: tuple[str, ...] = ()
    folder: Path | None = None
    files: tuple[str, ...] | None = None
    """Names in the folder; None: all of it."""


def tasks_of(given: Sequence[str], options: Options) -> list[Task]:
    """Sort what was named on the command line: all URLs are one job, and so are the files of one folder."""
    urls = tuple(name for name in given if name.lower().startswith(_SCHEMES))
    folders: list[Path] = []
    files: dict[Path, list[str]] = defaultdict(list)
    for name in given:
        if name in urls:
            continue
        path = _absolute(name)
        if path.is_dir():
            folders.append(path)
        else:
            files[path.parent].append(path.name)
    if options.mirror and (urls or files):
        raise Invalid("--mirror works with folders only", action="Name folders, or leave out --mirror")
    tasks = [Task(urls=urls)] if urls else []
    tasks += [Task(folder=folder) for folder in dict.fromkeys(folders)]
    return tasks + [Task(folder=folder, files=tuple(dict.fromkeys(names))) for folder, names in files.items()]


class Ingestion:
    """Starts the job of one task; `refused` are files that were not even sent."""

    def __init__(self, caller: Caller, options: Options) -> None:
        self._caller = caller
        self._options = options
        self.refused: tuple[SkippedFile, ...] = ()

    async def start(self, task: Task) -> Mapping[str, Any]:
        """Return the job's start, or a failure."""
        if task.folder is None:
            return await self._caller.call("archive_ingest", {"source": {"type": "urls", "urls": list(task.urls)}})
        if task.files is None and _is_below(task.folder, self._options.roots):
            return await self._caller.call("archive_ingest", {"source": self._folder_source(task.folder)})
        return await self._send(task.folder, task.files)

    def _folder_source(self, folder: Path) -> dict[str, Any]:
        options = self._options
        return {
            "type": "folder",
            "path": str(folder),
            "include": list(options.include) or None,
            "exclude": list(options.exclude) or None,
            "mirror": options.mirror,
        }

    async def _send(self, folder: Path, files: Iterable[str] | None) -> Mapping[str, Any]:
        options = self._options
        if files is None:
            sending = files_of_folder(
                folder,
                include=options.include,
                exclude=options.exclude,
                mirror=options.mirror,
                limit=options.largest_file,
            )
        else:
            sending = single_files(folder, files, limit=options.largest_file)
        self.refused = sending.refused
        with click.progressbar(length=sending.size, label="Sending ", file=sys.stderr) as bar:
            return await self._caller.upload(sending, bar.update)


def _absolute(name: str) -> Path:
    """Return the path as given, made absolute: its last name is what the archive shows, also of a link."""
    path = Path(os.path.abspath(name))  # noqa: PTH100 - resolve() would follow links
    if "\0" in name or not path.exists():
        raise NotFound(f"There is no file or folder {shown(name)}", action="Check the path")
    return path


def _is_below(folder: Path, roots: Iterable[Path]) -> bool:
    real = folder.resolve()
    return any(real.is_relative_to(root.resolve()) for root in roots)
