"""What hostile callers do: each offence is a name and a call. Others are added to `offences`."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx

from tests.faults.calling import Calling
from tests.faults.hostile_bodies import BODIES
from tests.faults.hostile_files import lay_out
from tests.faults.notes import started

Offence = Callable[[Calling], Awaitable[None]]
HTTP_BAD_REQUEST = 400


class Hostile:
    """Requests and files that cost more than they should, chosen by chance."""

    def __init__(self, root: Path, seed: int, jobs: list[str], *, files: bool) -> None:
        self._folder = root / "hostile"
        self._chance = random.Random(seed)
        self._jobs = jobs
        self.offences: dict[str, Offence] = {"hostile request": self._send_body}
        if files:
            self.offences["hostile files"] = self._ingest

    def prepare(self) -> None:
        """Make the files, which takes a while."""
        if "hostile files" in self.offences:
            self._folder.mkdir()
            lay_out(self._folder)

    async def _send_body(self, client: Calling) -> None:
        name = self._chance.choice(list(BODIES))
        path, headers, body = await asyncio.to_thread(BODIES[name][0])
        async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
            answer = await http.post(f"{client.url}{path}", content=body, headers=headers)
        assert answer.status_code >= HTTP_BAD_REQUEST or "error" in answer.text, f"{name} was accepted"

    async def _ingest(self, client: Calling) -> None:
        source = {"type": "folder", "path": str(self._folder)}
        self._jobs.append(await started(client, "/archives/ingest", {"source": source}))
