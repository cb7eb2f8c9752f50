"""Buckets and folders by team: denied when a job is asked for, and again when a worker runs it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
import httpx
import pytest

from indexer.library import Library
from indexer.settings import IndexerSettings
from indexer.tenancy import TeamId
from tests.integration.teams.conftest import Issue, bearer, eventually
from tests.service import application
from tests.unit.workers.jobs_workplace import ListedBroker
from workers.context import WorkerContext
from workers.ingest.steps import run_job
from workers.jobs.jobs import Jobs
from workers.jobs.records import Job
from workers.settings import WorkerSettings

if TYPE_CHECKING:
    from types_boto3_s3.client import S3Client

INGEST = "/api/v1/archives/ingest"
OBJECTS = "/api/v1/quilt/buckets/reports/objects"


@pytest.fixture
def s3(s3_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> "S3Client":
    """A bucket that the process itself may read: the operator's own credentials are in its environment."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "of-the-process")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "of-the-process")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", s3_endpoint)
    client = boto3.client("s3")
    client.create_bucket(Bucket="reports")
    for key in ("geo/well.md", "bio/cell.md"):
        client.put_object(Bucket="reports", Key=key, Body=f"# {key}".encode())
    return client


@pytest.fixture
def file(tmp_path: Path, s3_endpoint: str) -> Path:
    (tmp_path / "secret").write_text("of-the-team")
    for name in ("red", "all"):
        (tmp_path / "srv" / name).mkdir(parents=True)
        (tmp_path / "srv" / name / "note.md").write_text("# A reef")
    path = tmp_path / "connections.toml"
    path.write_text(
        f"""
        [teams.red.s3]
        access_key_id = "of-the-team"
        secret_access_key = "file:secret"
        endpoint_url = "{s3_endpoint}"
        region = "us-east-1"
        buckets = ["reports/geo"]
        [teams.red.folders]
        roots = ["{tmp_path}/srv/red"]
        """
    )
    return path


@asynccontextmanager
async def served(folder: Path, library: Library, file: Path | None, auth: str) -> AsyncIterator[httpx.AsyncClient]:
    worker = {"connections": file, "ingest_roots": (folder / "srv",), "redis_url": None}
    async with application(folder, library=library, auth=auth, worker=worker) as client:
        yield client


async def ingested(client: httpx.AsyncClient, token: dict[str, str], **source: Any) -> httpx.Response:
    return await client.post(INGEST, json={"source": source}, headers=token)


@pytest.mark.usefixtures("s3")
async def test_a_team_without_sections_reads_nothing_of_the_host(
    tmp_path: Path, library: Library, file: Path, issue: Issue
) -> None:
    blue = bearer(issue("blue"))
    async with served(tmp_path, library, file, "on") as client:
        refused = [
            await ingested(client, blue, type="s3", bucket="reports"),
            await ingested(client, blue, type="s3", bucket="reports", prefix="geo/"),
            await ingested(client, blue, type="s3", bucket="no-such-bucket"),
            await ingested(client, blue, type="folder", path=f"{tmp_path}/srv/all"),
            await ingested(client, blue, type="folder", path=f"{tmp_path}/srv/red"),
            await ingested(client, blue, type="folder", path="/no/such/folder"),
            await client.get(OBJECTS, headers=blue),
            await client.get("/api/v1/quilt/buckets/no-such-bucket/objects", headers=blue),
        ]
        jobs = (await client.get("/api/v1/jobs", headers=blue)).json()["jobs"]
    assert {(each.status_code, each.json()["error_category"]) for each in refused} == {(403, "authorization")}
    assert jobs == []
    # What exists is refused like what does not.
    for known, unknown in ((0, 2), (3, 5), (6, 7)):
        assert refused[known].json() == refused[unknown].json()


@pytest.mark.usefixtures("s3")
async def test_a_team_lists_its_part_of_a_bucket_with_its_own_credentials(
    tmp_path: Path, library: Library, file: Path, issue: Issue
) -> None:
    red = bearer(issue("red"))
    async with served(tmp_path, library, file, "on") as client:
        mine = (await client.get(OBJECTS, params={"prefix": "geo/"}, headers=red)).json()
        theirs = await client.get(OBJECTS, params={"prefix": "bio/"}, headers=red)
        everything = await client.get(OBJECTS, headers=red)
    assert [each["key"] for each in mine["objects"]] == ["geo/well.md"]
    assert (theirs.status_code, everything.status_code) == (403, 403)
    assert theirs.json()["details"] == {"buckets": ["reports/geo"]}


@pytest.mark.usefixtures("s3")
async def test_without_authentication_everything_stays_as_it_was(tmp_path: Path, library: Library, file: Path) -> None:
    del file
    async with served(tmp_path, library, None, "off") as client:
        listed = (await client.get(OBJECTS)).json()
        started = [
            (await ingested(client, {}, type="s3", bucket="reports")).json()["success"],
            (await ingested(client, {}, type="folder", path=f"{tmp_path}/srv/all")).json()["success"],
        ]
    assert [each["key"] for each in listed["objects"]] == ["bio/cell.md", "geo/well.md"]
    assert started == [True, True]


@pytest.mark.usefixtures("s3")
async def test_a_worker_decides_again_by_the_team_of_the_job(
    tmp_path: Path, library: Library, file: Path, issue: Issue
) -> None:
    red = bearer(issue("red"))
    async with served(tmp_path, library, file, "on") as client:
        sources = (
            {"type": "s3", "bucket": "reports", "prefix": "geo/"},
            {"type": "folder", "path": f"{tmp_path}/srv/red"},
        )
        ids = [(await ingested(client, red, **source)).json()["job_id"] for source in sources]
        # Rights withdrawn before the job runs, on a worker that knows nothing of authentication.
        file.write_text("")  # noqa: ASYNC240 - a few bytes
        withdrawn = [run_at_worker(tmp_path, library, file, job_id) for job_id in ids]
        await eventually(
            lambda: client.get(OBJECTS, params={"prefix": "geo/"}, headers=red),
            lambda answer: answer.status_code == 403,
        )
        retried = [await client.post(f"/api/v1/jobs/{job_id}/retry", headers=red) for job_id in ids]
    assert [job.status for job in withdrawn] == ["failed", "failed"]
    reasons = [job.tally.errors[0].reason for job in withdrawn]
    assert all(reason.startswith("This team may") for reason in reasons), reasons
    assert [each.status_code for each in retried] == [403, 403]


@pytest.mark.usefixtures("s3")
async def test_a_worker_reads_what_the_team_may_read(
    tmp_path: Path, library: Library, file: Path, issue: Issue
) -> None:
    red = bearer(issue("red"))
    async with served(tmp_path, library, file, "on") as client:
        job_id = (await ingested(client, red, type="s3", bucket="reports", prefix="geo/")).json()["job_id"]
        job = run_at_worker(tmp_path, library, file, job_id)
    assert (job.status, job.tally.found) == ("running", 1)


def run_at_worker(folder: Path, library: Library, file: Path, job_id: str) -> Job:
    """Plan a job of red as a worker with these connections does."""
    settings = WorkerSettings(_env_file=None, connections=file, worker_lease_seconds=1_000)  # type: ignore[call-arg]
    context = WorkerContext(settings, IndexerSettings(engine="tantivy", data_dir=folder), ListedBroker(settings))
    context.__dict__["library"] = library
    run_job(context, f"red/{job_id}")
    return Jobs(library.engine.records).get(TeamId("red"), job_id)
