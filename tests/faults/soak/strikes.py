"""What befalls the processes and their surroundings, at moments and in an order that follow from the seed."""

import asyncio
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial

import httpx
from redis import RedisError

from tests.faults.calling import Calling, Refused, Unanswered
from tests.faults.notes import started
from tests.faults.small_disk import fill
from tests.faults.soak.clock import can_jump
from tests.faults.soak.hostile import Hostile
from tests.faults.soak.stage import Stage
from tests.service import is_alive, wait_until

KILLED = ("web", "worker", "worker process", "parser", "guard", "redis", "opensearch")
HOURS = (-5, -1, 0, 0, 1, 5)
CALM_SECONDS = (0.5, 3.0)
"""Between two strikes, at least and at most."""
FULL_SECONDS = (1.0, 4.0)

Strike = Callable[[], Awaitable[bool]]
"""Return whether there was something to strike."""


class Strikes:
    """Each kind in turn, in an order by chance, until told to stop."""

    def __init__(self, stage: Stage, seed: int, client: Calling, hostile: Hostile, jobs: list[str]) -> None:
        self._stage = stage
        self._chance = random.Random(seed)
        self._client = client
        self._jobs = jobs
        self._stopped = asyncio.Event()
        self._begun = time.monotonic()
        self.done: Counter[str] = Counter()
        self.moments: list[str] = []
        """When which began and ended, in seconds."""
        self.wrong: list[str] = []
        self._kinds: dict[str, Strike] = {
            **{f"kill {kind}": partial(self._kill, kind) for kind in KILLED},
            "flush redis": self._flush,
            "full disk": self._fill_disk,
            "clock jump": self._jump,
            "re-index": self._reindex,
            **{name: partial(self._offend, offence) for name, offence in hostile.offences.items()},
        }

    async def run(self) -> None:
        """Strike until `stop`, which waits for no strike that has not begun."""
        while not self._stopped.is_set():
            order = list(self._kinds)
            self._chance.shuffle(order)
            for name in order:
                if await self._is_stopped_within(self._chance.uniform(*CALM_SECONDS)):
                    return
                for server in self._stage.ended():
                    self.wrong.append(f"{server.name} ended by itself: {server.log.read_text()[-1000:]}")
                    await asyncio.to_thread(server.start)
                await self._strike(name)

    def stop(self) -> None:
        self._stopped.set()

    async def _strike(self, name: str) -> None:
        begun = time.monotonic() - self._begun
        if await self._kinds[name]():
            self.done[name] += 1
            self.moments.append(f"{name} from {begun:.1f} to {time.monotonic() - self._begun:.1f} s")

    async def _is_stopped_within(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._stopped.wait(), seconds)
        except TimeoutError:
            return False
        return True

    async def _kill(self, kind: str) -> bool:
        """Kill a process as a power cut would; what nobody watches over is started again after a while."""
        pids = self._stage.processes().get(kind, [])
        if not pids:
            return False
        pid = self._chance.choice(pids)
        os.kill(pid, signal.SIGKILL)
        await asyncio.to_thread(wait_until, lambda: not is_alive(pid), "a killed process has ended")
        await asyncio.sleep(self._chance.uniform(0, 2))
        await asyncio.to_thread(self._stage.start)
        return True

    async def _flush(self) -> bool:
        try:
            await asyncio.to_thread(self._stage.flush_redis)
        except RedisError:
            return False
        return True

    async def _fill_disk(self) -> bool:
        if not self._stage.is_small:
            return False
        filler = await asyncio.to_thread(fill, self._stage.disk, leave=0)
        try:
            await self._is_stopped_within(self._chance.uniform(*FULL_SECONDS))
        finally:
            filler.unlink()
        if self._stage.cluster is not None:
            # A shard that failed five times stays so until it is told to try again.
            async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
                await http.post(f"{self._stage.cluster.url}/_cluster/reroute", params={"retry_failed": "true"})
        return True

    async def _jump(self) -> bool:
        if can_jump():
            self._chance.choice(self._stage.clocks).jump(self._chance.choice(HOURS))
        return can_jump()

    async def _reindex(self) -> bool:
        index = self._chance.choice(("default", "archive"))
        try:
            self._jobs.append(await started(self._client, f"/indices/{index}/reindex", {}))
        except Unanswered:
            return False
        except Refused as failure:
            # One is on already.
            if failure.category != "conflict":
                self.wrong.append(str(failure))
            return False
        return True

    async def _offend(self, offence: Callable[[Calling], Awaitable[None]]) -> bool:
        try:
            await offence(self._client)
        except (Unanswered, httpx.HTTPError):
            return False
        except AssertionError as error:
            self.wrong.append(str(error))
        return True
