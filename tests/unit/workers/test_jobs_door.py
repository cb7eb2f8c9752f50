"""What callers may ask for, how settings and addresses are read, and when a file counts as changed."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from indexer.environment import read_settings
from indexer.errors import NotConfigured
from indexer.library import Library
from indexer.tenancy import Principal, TeamId
from tests.made_services import MAIN
from workers.broker import client_url
from workers.celery_app import CHUNK_SECONDS, broker_url, make_celery
from workers.context import WorkerContext
from workers.enqueue import Background
from workers.jobs.arguments import ArchiveIngest, JobStatus
from workers.jobs.jobs import Jobs
from workers.settings import WorkerSettings
from workers.sources.arguments import FolderSource, UrlsSource
from workers.sources.versions import version_of


@pytest.fixture
def library(context: WorkerContext) -> Library:
    return context.library


@pytest.mark.parametrize(
    "source",
    [
        {"type": "folder", "path": "/notes", "include": ["**/*.md"], "mirror": True},
        {"type": "urls", "urls": ["https://example.org/"]},
        {"type": "s3", "bucket": "notes", "prefix": "2025/"},
    ],
)
def test_folders_pages_and_buckets_can_be_ingested(source: dict[str, object]) -> None:
    assert ArchiveIngest.model_validate({"source": source}).source.model_dump(exclude_unset=True) == source


@pytest.mark.parametrize(
    "source",
    [
        {"type": "upload", "staged": "u_1"},
        {"type": "folder"},
        {"type": "folder", "path": "/notes", "recursive": True},
        {"type": "urls", "urls": []},
        {"path": "/notes"},
    ],
)
def test_staged_uploads_and_malformed_sources_are_refused(source: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ArchiveIngest.model_validate({"source": source})


def test_without_an_address_of_redis_a_job_is_recorded_and_health_says_what_is_missing(
    library: Library, tmp_path: Path
) -> None:
    background = Background(library, WorkerSettings(redis_url=None, ingest_roots=(tmp_path,)))
    started = background.ingest(MAIN, FolderSource(type="folder", path=str(tmp_path / "notes")))
    assert started["status"] == "queued"
    assert background.status(MAIN, JobStatus(job_id=started["job_id"]))["status"] == "queued"
    assert background.health() == {
        "redis": "unavailable: TRAWL_REDIS_URL is not set",
        "workers": "none answer",
    }
    background.close()


def test_redis_that_refuses_connections_is_told_without_its_address(library: Library, tmp_path: Path) -> None:
    url = f"unix://{tmp_path}/nothing.sock"
    background = Background(library, WorkerSettings(redis_url=url, ingest_roots=(tmp_path,)))
    started = background.ingest(MAIN, FolderSource(type="folder", path=str(tmp_path / "notes")))
    assert started["status"] == "queued"
    assert background.health()["redis"].startswith("unavailable: ")
    assert str(tmp_path) not in background.health()["redis"]
    background.close()


def test_a_socket_is_spelt_as_each_client_wants_it() -> None:
    assert broker_url("unix:///data/redis.sock?db=2") == "redis+socket:///data/redis.sock?virtual_host=2"
    assert client_url("redis+socket:///data/redis.sock?virtual_host=2") == "unix:///data/redis.sock?db=2"
    for url in ("redis://127.0.0.1:6379/0", "rediss://cache:6380/1"):
        assert broker_url(url) == client_url(url) == url


def test_a_wrong_address_of_redis_is_named_without_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_REDIS_URL", "http://:secret@cache/")
    with pytest.raises(NotConfigured, match="TRAWL_REDIS_URL") as raised:
        read_settings(WorkerSettings)
    assert "secret" not in raised.value.message


def test_the_queue_takes_json_alone_keeps_no_results_and_waits_longer_than_a_chunk_may_take() -> None:
    configuration = make_celery(WorkerSettings(redis_url="redis://127.0.0.1/0")).conf
    assert configuration.accept_content == ["json"]
    assert configuration.result_backend is None
    assert configuration.task_acks_late
    assert configuration.task_reject_on_worker_lost
    assert configuration.worker_prefetch_multiplier == 1
    assert configuration.broker_transport_options["visibility_timeout"] > CHUNK_SECONDS


def test_versions_differ_by_content_and_origin_alone() -> None:
    assert version_of(b"a", "x") == version_of(b"a", "x")
    assert len({version_of(b"a", "x"), version_of(b"b", "x"), version_of(b"a", "y")}) == 3


def test_every_setting_is_described() -> None:
    assert all(field.description for field in WorkerSettings.model_fields.values())


def test_a_job_knows_who_asked_for_it(library: Library) -> None:
    background = Background(library, WorkerSettings(_env_file=None, redis_url=None))
    source = UrlsSource(type="urls", urls=["https://example.org/"])
    started = background.ingest(Principal(TeamId("geology"), "ada"), source)
    assert Jobs(library.engine.records).get(TeamId("geology"), started["job_id"]).subject == "ada"
