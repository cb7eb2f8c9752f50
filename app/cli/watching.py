"""Watches folders for `trawl ingest --watch`, and yields the tasks to run again."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from watchfiles import awatch

from app.cli.ingestion import Task


@asynccontextmanager
async def watch_folders(tasks: Sequence[Task]) -> AsyncIterator[AsyncIterator[list[Task]]]:
    """Watch the folders, and yield the tasks that changes affect, in batches; without tasks the iterator ends at once.

    A whole folder is ingested again: unchanged files are skipped, and a mirror detects deleted ones.
    """
    folders = {task.folder for task in tasks if task.folder is not None}
    batches: asyncio.Queue[list[Task]] = asyncio.Queue()
    watcher = asyncio.create_task(_watch(tasks, folders, batches))
    # The watcher starts to watch in its first step.
    await asyncio.sleep(0)
    try:
        yield _merge_batches(batches, watcher)
    finally:
        watcher.cancel()
        await asyncio.gather(watcher, return_exceptions=True)


async def _watch(tasks: Sequence[Task], folders: Iterable[Path], batches: asyncio.Queue[list[Task]]) -> None:
    if not tasks:
        return
    try:
        async for changes in awatch(*folders, step=200):
            paths = [Path(path) for _, path in changes]
            batches.put_nowait([task for task in tasks if any(_is_affected(task, path) for path in paths)])
    finally:
        # An empty batch wakes the reader when the watcher ends.
        batches.put_nowait([])


async def _merge_batches(
    batches: asyncio.Queue[list[Task]], watcher: "asyncio.Task[None]"
) -> AsyncIterator[list[Task]]:
    """Merge the batches that arrived while the previous jobs ran."""
    while not watcher.done():
        affected = await batches.get()
        while not batches.empty():
            affected += batches.get_nowait()
        if affected:
            yield list(dict.fromkeys(affected))


def _is_affected(task: Task, path: Path) -> bool:
    if task.folder is None:
        return False
    # Some operating systems report the real path.
    folder = next((folder for folder in (task.folder, task.folder.resolve()) if path.is_relative_to(folder)), None)
    return folder is not None and (task.files is None or (path.parent == folder and path.name in task.files))
