"""One soak: load, strikes, a power cut, and then what is there against what was acknowledged."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx

from tests.faults.calling import Calling, Unanswered
from tests.faults.ledger import Differences
from tests.faults.load import PILLARS, Load, text_of
from tests.faults.notes import FINISHED
from tests.faults.soak.archivist import Archivist
from tests.faults.soak.clock import can_jump
from tests.faults.soak.hostile import Hostile
from tests.faults.soak.memory import MemoryWatch
from tests.faults.soak.report import Report
from tests.faults.soak.sizes import sizes_of
from tests.faults.soak.stage import Stage
from tests.faults.soak.staging import staged
from tests.faults.soak.strikes import Strikes

WRITERS: Final = 3
"""With the archivist, four callers keep a ledger."""
DOCUMENTS: Final = 300
PAUSE: Final = 0.2
SAMPLE: Final = 30
"""Documents that are read at the end; of all others a search tells the value."""
HEALED_SECONDS: Final = 120.0
JOBS_SECONDS: Final = 300.0
"""After that, a job hangs."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do."""

    engine: str
    seconds: float
    seed: int
    quiet_seconds: float = 0.0
    """Before the disk is measured; 0: it is not."""
    hostile_files: bool = True


async def soak(plan: Plan, folder: Path) -> Report:
    """Run it below a folder, which others may enter, and return what came of it."""
    with staged(plan.engine, folder) as stage:
        async with AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(Calling(url)) for url in stage.urls]
            return await _Soak(plan, stage, clients).run()


class _Soak:
    def __init__(self, plan: Plan, stage: Stage, clients: list[Calling]) -> None:
        self._plan = plan
        self._stage = stage
        self._clients = clients
        self._jobs: list[str] = []
        self._load = Load(plan.seed, writers=WRITERS, documents=DOCUMENTS, pause=PAUSE)
        self._archivist = Archivist(stage.roots, plan.seed, clients[0], self._jobs, self._is_over)
        self._hostile = Hostile(stage.roots, plan.seed, self._jobs, files=plan.hostile_files)
        self._strikes = Strikes(stage, plan.seed, clients[-1], self._hostile, self._jobs)
        self._report = Report(plan.engine, plan.seconds, plan.seed)

    async def run(self) -> Report:
        await asyncio.to_thread(self._hostile.prepare)
        watch = MemoryWatch(self._stage)
        await self._until(self._is_ready, HEALED_SECONDS)
        await self._load.raise_pillars(self._clients[0])
        watching = asyncio.create_task(watch.run())
        await self._bear()
        watching.cancel()
        await asyncio.to_thread(self._heal)
        await self._until(self._is_ready, HEALED_SECONDS)
        await self._check()
        self._report.memory = watch.result()
        if self._plan.quiet_seconds > 0:
            await asyncio.sleep(self._plan.quiet_seconds)
            self._report.sizes = await sizes_of(self._stage)
        self._sum_up()
        return self._report

    async def _bear(self) -> None:
        """Let everything happen at once, for the time of the plan."""
        striking = asyncio.create_task(self._strikes.run())
        async with self._load.on(*self._clients), asyncio.TaskGroup() as group:
            group.create_task(self._load.again_and_again(self._archivist.work))
            await asyncio.wait({striking}, timeout=self._plan.seconds)
            self._strikes.stop()
            await striking
            self._load.stop()

    def _heal(self) -> None:
        """Cut the power, set the clocks right, and start everything."""
        self._stage.power_cut()
        for clock in self._stage.clocks:
            clock.jump(0)
        self._stage.start()

    async def _is_ready(self) -> bool:
        async with httpx.AsyncClient(trust_env=False, timeout=30) as http:
            try:
                answers = [await http.get(f"{url}/readyz") for url in self._stage.urls]
            except httpx.TransportError:
                return False
        return all(answer.is_success for answer in answers)

    def _is_over(self) -> bool:
        return self._load.is_stopped

    async def _until(self, condition: Callable[[], Awaitable[bool]], seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while not await condition():
            if time.monotonic() > deadline:
                return False
            await asyncio.sleep(0.2)
        return True

    async def _check(self) -> None:
        if not await self._until(self._is_quiet, JOBS_SECONDS):
            self._report.hung_jobs = [str(job) for job in await self._unfinished()]
        await self._checked(self._check_index)
        await self._checked(self._check_archive)

    async def _checked(self, check: Callable[[], Awaitable[None]]) -> None:
        try:
            await check()
        except (AssertionError, Unanswered) as error:
            self._report.wrong_answers.append(str(error))

    async def _is_quiet(self) -> bool:
        try:
            return not await self._unfinished()
        except Unanswered:
            return False

    async def _unfinished(self) -> list[object]:
        """Return the jobs that have not ended."""
        left: list[object] = []
        for job_id in self._jobs:
            job = await self._clients[0].rest("GET", f"/jobs/{job_id}")
            if job["status"] not in FINISHED:
                left.append(job)
        return left

    async def _check_index(self) -> None:
        for client in self._clients:
            found = await client.numbered("*")
            _join(self._report.differences, self._load.ledger.compare(found))
        changed = sorted(found.keys() - PILLARS.keys())
        for id_ in random.Random(self._plan.seed).sample(changed, min(SAMPLE, len(changed))):
            document = await self._clients[0].document(id_)
            assert document is not None, f"{id_} is found, and is not there"
            assert document["content"] == text_of(id_, found[id_]), f"{id_} says what was never written"

    async def _check_archive(self) -> None:
        _join(self._report.differences, self._archivist.ledger.compare(await self._archivist.found()))

    def _sum_up(self) -> None:
        report, ledger, kept = self._report, self._load.ledger, self._archivist.ledger
        report.written, report.deleted, report.archived = ledger.written, ledger.deleted, kept.written
        report.cited, report.searches, report.jobs = self._archivist.cited, self._load.searches, len(self._jobs)
        report.wrong_answers += [*self._load.wrong, *self._strikes.wrong]
        report.failed_calls = Counter(silence.kind for silence in self._load.silences)
        report.strikes, report.moments = self._strikes.done, self._strikes.moments
        report.left_out += [] if can_jump() else ["clock jump"]
        report.left_out += [] if self._stage.is_small else ["full disk"]


def _join(differences: Differences, more: Differences) -> None:
    differences.lost += more.lost
    differences.wrong += more.wrong
    differences.undead += more.undead
