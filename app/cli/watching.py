"""Folders that are watched: what has changed is ingested again."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from watchfiles import awatch

from app.cli.ingestion import Task


@asynccontextmanager
async def watched(tasks: Sequence[Task]) -> AsyncIterator[AsyncIterator[list[Task]]]:
    """Watch from now on, and give the tasks that changes concern, a list a time; without tasks that ends at once.

    A whole folder is looked at again: what did not change in it is skipped, and what is gone is seen by a mirror.
    """
    folders = {task.folder for task in tasks if task.folder is not None}
    waiting: asyncio.Queue[list[Task]] = asyncio.Queue()
    watching = asyncio.create_task(_watch(tasks, folders, waiting))
    # lets it begin, which it does at its first step
    await asyncio.sleep(0)
    try:
        yield _gathered(waiting, watching)
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


async def _watch(tasks: Sequence[Task], folders: Iterable[Path], waiting: asyncio.Queue[list[Task]]) -> None:
    if not tasks:
        return
    try:
        async for changes in awatch(*folders, step=200):
            paths = [Path(path) for _, path in changes]
            waiting.put_nowait([task for task in tasks if any(_concerns(task, path) for path in paths)])
    finally:
        # whoever waits shall see that nothing comes any more
        waiting.put_nowait([])


async def _gathered(waiting: asyncio.Queue[list[Task]], watching: "asyncio.Task[None]") -> AsyncIterator[list[Task]]:
    """Join what came while the jobs before ran."""
    while not watching.done():
        concerned = await waiting.get()
        while not waiting.empty():
            concerned += waiting.get_nowait()
        if concerned:
            yield list(dict.fromkeys(concerned))


def _concerns(task: Task, path: Path) -> bool:
    if task.folder is None:
        return False
    # some systems tell of changes by the real path
    folder = next((folder for folder in (task.folder, task.folder.resolve()) if path.is_relative_to(folder)), None)
    return folder is not None and (task.files is None or (path.parent == folder and path.name in task.files))
