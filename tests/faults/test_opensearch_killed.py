"""The only OpenSearch node is killed under writers, deleters, searchers and an ingestion, and comes back."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.local.cluster import Cluster
from tests.faults.calling import Calling
from tests.faults.load import Load
from tests.faults.notes import BEGUN, FINISHED, QUICK, Notes, job_is
from tests.service import run_service, wait_until_ready


@pytest.mark.timeout(900)
async def test_what_was_acknowledged_outlives_a_killed_node(
    tmp_path: Path, own_cluster: Callable[..., Cluster]
) -> None:
    chance, load, notes = random.Random(3), Load(3), Notes(tmp_path / "roots", 2_000)
    cluster = own_cluster()
    env = {
        **QUICK,
        "TRAWL_INGEST_ROOTS": str(notes.root),
        "TRAWL_ENGINE": "opensearch",
        "TRAWL_OPENSEARCH_URL": cluster.url,
        "TRAWL_SECRET_KEY": "k" * 32,
    }
    with run_service(tmp_path, env=env) as service:
        wait_until_ready(service)
        async with Calling(service.url) as client:
            await load.raise_pillars(client)
            async with load.on(client):
                await load.answers(chance.randrange(20, 60))
                assert load.silences == []
                ingestion = await notes.ingest(client)
                await load.until(job_is(client, ingestion, BEGUN), "the job runs")
                await load.answers(chance.randrange(1, 8))
                cluster.kill()
                await asyncio.to_thread(cluster.start)
                await load.answers(chance.randrange(20, 60))
                await load.until(job_is(client, ingestion, FINISHED), "the job has ended")
            assert load.searches > 0
            await load.check(client)
            await notes.check(client, ingestion)
