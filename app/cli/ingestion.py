"""Turns the arguments of `trawl ingest` into tasks, and starts a job for each."""

import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from app.cli.connection import Caller
from app.cli.known_folders import remember_folder
from indexer.data_folder import configured_data_folder
from indexer.errors import Invalid, NotFound, printable
from workers.local_files import files_of_folder, single_files

_SCHEMES: Final = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class Options:
    """Options that apply to all tasks."""

    include: tuple[str, ...]
    exclude: tuple[str, ...]
    ignore: bool
    """Whether .gitignore, .trawlignore and folders of programs count."""
    mirror: bool
    roots: tuple[Path, ...]
    """Folders that the workers can read directly."""
    max_file_bytes: int


@dataclass(frozen=True, slots=True)
class Task:
    """One ingest job: pages, a whole folder, or single files of a folder."""

    urls: tuple[str, ...] = ()
    folder: Path | None = None
    files: tuple[str, ...] | None = None
    """File names in the folder; None: the whole folder."""


def tasks_of(names: Sequence[str], options: Options) -> list[Task]:
    """Group paths and URLs into tasks: one for all URLs, one per folder, and one for the single files of a folder."""
    urls = tuple(name for name in names if name.lower().startswith(_SCHEMES))
    folders: list[Path] = []
    files: dict[Path, list[str]] = defaultdict(list)
    for name in names:
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
    return tasks + [Task(folder=folder, files=tuple(dict.fromkeys(inside))) for folder, inside in files.items()]


class Ingestion:
    """Starts the job of one task."""

    def __init__(self, caller: Caller, options: Options) -> None:
        self._caller = caller
        self._options = options

    async def start(self, task: Task) -> Mapping[str, Any]:
        """Start the job, and return the operation's result or a failure."""
        if task.folder is None:
            return await self._caller.call("archive_ingest", {"source": {"type": "urls", "urls": list(task.urls)}})
        remember_folder(configured_data_folder(), task.folder)
        if task.files is None and _is_below(task.folder, self._options.roots):
            return await self._caller.call("archive_ingest", {"source": self._folder_source(task.folder)})
        return await self._upload(task.folder, task.files)

    def _folder_source(self, folder: Path) -> dict[str, Any]:
        options = self._options
        return {
            "type": "folder",
            "path": str(folder),
            "include": list(options.include) or None,
            "exclude": list(options.exclude) or None,
            "ignore": options.ignore,
            "mirror": options.mirror,
        }

    async def _upload(self, folder: Path, files: Iterable[str] | None) -> Mapping[str, Any]:
        options = self._options
        if files is None:
            local_files = files_of_folder(
                folder,
                include=options.include,
                exclude=options.exclude,
                ignore=options.ignore,
                mirror=options.mirror,
                limit=options.max_file_bytes,
            )
        else:
            local_files = single_files(folder, files, limit=options.max_file_bytes)
        with click.progressbar(length=local_files.size, label="Sending ", file=sys.stderr) as bar:
            return await self._caller.upload(local_files, bar.update)


def _absolute(name: str) -> Path:
    """Return the absolute path without following links: the archive shows its last name."""
    path = Path(os.path.abspath(name))  # noqa: PTH100 - resolve() would follow links
    if "\0" in name or not path.exists():
        raise NotFound(f"There is no file or folder {printable(name)}", action="Check the path")
    return path


def _is_below(folder: Path, roots: Iterable[Path]) -> bool:
    real = folder.resolve()
    return any(real.is_relative_to(root.resolve()) for root in roots)
