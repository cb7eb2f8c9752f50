"""The whole embedded service is killed under writers, deleters, searchers and jobs, and started again on its data."""

import os
import random
import signal
from pathlib import Path

import pytest

from tests.faults.calling import Calling
from tests.faults.load import Load
from tests.faults.notes import BEGUN, FINISHED, QUICK, Notes, check_done, job_is, started
from tests.service import Service, run_service


def kill(service: Service, load: Load) -> None:
    """Kill it as a power cut would; until then, every call was answered."""
    assert load.silences == [], load.silences
    os.kill(service.process.pid, signal.SIGKILL)
    service.process.wait(60)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.timeout(900)
async def test_what_was_acknowledged_outlives_a_killed_service(tmp_path: Path, seed: int) -> None:
    chance, load, notes = random.Random(seed), Load(seed), Notes(tmp_path / "roots", 700)
    env = {**QUICK, "TRAWL_INGEST_ROOTS": str(notes.root)}
    with run_service(tmp_path, env=env) as service:
        async with Calling(service.url) as client:
            await load.raise_pillars(client)
            async with load.on(client):
                await load.answers(chance.randrange(20, 60))
                kill(service, load)
    with run_service(tmp_path, env=env) as service:
        async with Calling(service.url) as client:
            await load.check(client)
            ingestion = await notes.ingest(client)
            rebuild = await started(client, "/indices/default/reindex", {})
            async with load.on(client):
                awaited = chance.choice((ingestion, rebuild))
                await load.until(job_is(client, awaited, BEGUN), "a job runs")
                await load.answers(chance.randrange(1, 30))
                kill(service, load)
    with run_service(tmp_path, env=env) as service:
        async with Calling(service.url) as client:
            await load.check(client)
            async with load.on(client):
                await load.answers(chance.randrange(1, 200))
                kill(service, load)
    with run_service(tmp_path, env=env) as service:
        async with Calling(service.url) as client:
            await load.check(client)
            async with load.on(client):
                for job_id in (ingestion, rebuild):
                    await load.until(job_is(client, job_id, FINISHED), "a job has ended")
            assert load.silences == [], load.silences
            assert load.searches > 0
            await load.check(client)
            await check_done(client, rebuild)
            await notes.check(client, ingestion)
