"""A caller who keeps a folder of notes in the archive: changes files, ingests, searches, and cites."""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.faults.calling import Calling, Unanswered
from tests.faults.ledger import Ledger
from tests.faults.notes import FINISHED, job_is, started

NOTES = 120
PAUSE = 0.2
SAMPLE = 20
"""Notes whose text is looked for at the end; of all others the title tells the version."""
_TITLE = re.compile(r"Note (\d+) of version (\d+)")


class Archivist:
    """A file that a job without failures has covered is acknowledged as it then was."""

    def __init__(self, root: Path, seed: int, client: Calling, jobs: list[str], is_over: Callable[[], bool]) -> None:
        self.ledger = Ledger()
        self._folder = root / "kept"
        self._folder.mkdir(parents=True)
        self._chance = random.Random(seed)
        self._client = client
        self._jobs = jobs
        """Where the ids of all jobs are kept."""
        self._is_over = is_over
        self._versions: dict[str, int | None] = {}
        self._version = 0
        self.cited = 0
        for number in range(NOTES):
            self._write(number)

    async def work(self) -> None:
        """Change some files, bring the folder into the archive, and look at a note there."""
        for number in self._chance.sample(range(NOTES), 20):
            if self._chance.random() < 0.2:
                self._path(number).unlink(missing_ok=True)
                self._versions[_name(number)] = None
            else:
                self._write(number)
        with self.ledger.changing({f"kept/{name}": version for name, version in self._versions.items()}):
            await self._ingest()
        await self._cite(self._chance.randrange(NOTES))

    async def _ingest(self) -> None:
        source = {"type": "folder", "path": str(self._folder), "mirror": True}
        job_id = await started(self._client, "/archives/ingest", {"source": source})
        self._jobs.append(job_id)
        await self._until(job_is(self._client, job_id, FINISHED))
        job = await self._client.rest("GET", f"/jobs/{job_id}")
        if job["status"] != "done" or job["errors"]:
            raise Unanswered("job with failures", job)

    async def _until(self, has_ended: Callable[[], Awaitable[bool]]) -> None:
        """Ask until it is so, whatever the service does meanwhile, or until the work is over."""
        while True:
            try:
                if await has_ended():
                    return
            except Unanswered:
                pass
            if self._is_over():
                raise Unanswered("job without end", None)
            await asyncio.sleep(PAUSE)

    async def _cite(self, number: int) -> None:
        """See that a note is found by its word, and can be cited."""
        path, version = f"kept/{_name(number)}", self._versions[_name(number)]
        if self.ledger.possible(path) != {version}:
            return
        if version is None:
            return
        asked = {"query": f"+{_word(path, version)}", "fuzzy": False}
        results = (await self._client.rest("POST", "/archives/search", asked))["results"]
        paths = [hit["document"]["path"] for hit in results]
        assert paths == [path], f"{paths} found: {self.ledger.told(path, version)}"
        cited = await self._client.tool("cite", id=results[0]["document"]["id"])
        assert f"Note {number}" in cited["citation"], cited
        self.cited += 1

    async def found(self) -> dict[str, int]:
        """Return the notes in the archive, each with the version that its text says; none comes twice."""
        found: dict[str, int] = {}
        query = {"limit": "200"}
        while True:
            page = await self._client.rest("GET", "/archives/documents", query=query)
            for document in page["documents"]:
                if document["path"].startswith("kept/"):
                    assert document["path"] not in found, f"{document['path']} is there twice"
                    found[document["path"]] = _version(document["path"], document["title"])
            if page["next_cursor"] is None:
                break
            query["cursor"] = page["next_cursor"]
        for path in self._chance.sample(sorted(found), min(SAMPLE, len(found))):
            await self._check_text(path, found[path])
        return found

    async def _check_text(self, path: str, version: int) -> None:
        """See that a note is found by a word of its text, and no other note is."""
        asked = {"query": f"+{_word(path, version)}", "fuzzy": False}
        results = (await self._client.rest("POST", "/archives/search", asked))["results"]
        paths = [hit["document"]["path"] for hit in results]
        assert paths == [path], f"the word of {path}, version {version}, finds {paths}"

    def _write(self, number: int) -> None:
        self._version += 1
        self._versions[_name(number)] = self._version
        path, version = self._path(number), self._version
        word = _word(f"kept/{path.name}", version)
        path.write_text(f"# Note {number} of version {version}\n\nIt says {word}.\n\n" + "A lantern on a boat. " * 50)

    def _path(self, number: int) -> Path:
        return self._folder / _name(number)


def _version(path: str, title: str) -> int:
    """Return the version that a title tells."""
    told = _TITLE.fullmatch(title)
    assert told is not None, f"{path} has a title that was never written"
    assert path == f"kept/{_name(int(told[1]))}", f"{path} has the title of another"
    return int(told[2])


def _word(path: str, version: int) -> str:
    """Return a word that only this version of a note says."""
    return f"note{path[5:9]}version{version}"


def _name(number: int) -> str:
    return f"{number:04d}.md"
