"""A folder of notes and the job that brings it into the archive."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.faults.calling import Calling

FINISHED = frozenset({"done", "failed", "cancelled"})
BEGUN = FINISHED | {"running"}
QUICK = {"TRAWL_WORKER_LEASE_SECONDS": "5", "TRAWL_WORKER_SWEEP_SECONDS": "0.5", "TRAWL_SEARCH_TIMEOUT": "60"}
"""A dead worker's work is soon taken by another; a loaded machine is not late."""


class Notes:
    """Files below a root that a service may read."""

    def __init__(self, root: Path, count: int) -> None:
        self.root = root
        self.count = count
        self._folder = root / "notes"
        self._folder.mkdir(parents=True)
        for number in range(count):
            (self._folder / f"{number:04d}.md").write_text(f"# Note {number}\n\n" + "A lantern on a boat. " * 20)

    async def ingest(self, client: Calling) -> str:
        """Begin the job, and return its id."""
        source = {"type": "folder", "path": str(self._folder)}
        return await started(client, "/archives/ingest", {"source": source})

    async def check(self, client: Calling, job_id: str) -> None:
        """See that the job ended well, each file is in the archive once, and the counts say so."""
        await check_done(client, job_id)
        counts = (await client.rest("GET", f"/jobs/{job_id}"))["counts"]
        assert counts == {
            "found": self.count,
            "indexed": self.count,
            "unchanged": 0,
            "removed": 0,
            "failed": 0,
            "skipped": 0,
        }
        assert await client.archived() == {f"notes/{number:04d}.md": 1 for number in range(self.count)}


async def started(client: Calling, path: str, body: dict[str, Any]) -> str:
    job_id: str = (await client.rest("POST", path, body))["job_id"]
    return job_id


async def check_done(client: Calling, job_id: str) -> None:
    job = await client.rest("GET", f"/jobs/{job_id}")
    assert (job["status"], job["errors"]) == ("done", [])


def job_is(client: Calling, job_id: str, states: frozenset[str]) -> Callable[[], Awaitable[bool]]:
    """Return a question whether the job is in one of these states."""

    async def ask() -> bool:
        return (await client.rest("GET", f"/jobs/{job_id}"))["status"] in states

    return ask
