"""What callers are told of where the documents of a job come from."""

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from indexer.archives.overview import Origin
from indexer.archives.stored import StoredFields
from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.schema.dates import utc_now
from indexer.settings import IndexerSettings
from indexer.tenancy import IndexName, Principal, TeamId
from workers.enqueue import Background
from workers.jobs.arguments import JobState
from workers.jobs.described import origins_of
from workers.jobs.history import histories
from workers.jobs.records import Job, Problem, Retry, Tally, new_job_id
from workers.jobs.render import render_entry
from workers.jobs.results import SourceHistory
from workers.settings import WorkerSettings
from workers.sources.folder import folder_origin
from workers.uploads import Uploads

ME = Principal(TeamId("ours"), "me")


def job(source: dict[str, Any] | None, **fields: Any) -> Job:
    made = Job(ME.team, new_job_id(), "ingest", utc_now(), revision=1, subject="me", source=source)
    return replace(made, **fields)


def name_of(source: dict[str, Any]) -> str:
    told = render_entry(job(source))["source"]
    assert told is not None
    assert told["type"] == source["type"]
    return told["name"]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ({"type": "folder", "path": "/srv/team/notes/", "mirror": False}, "notes"),
        ({"type": "folder", "path": "/srv/a\nb\ud800"}, "a\ufffdb\ufffd"),
        ({"type": "s3", "bucket": "papers", "prefix": ""}, "papers"),
        ({"type": "s3", "bucket": "papers", "prefix": "2025/reefs"}, "papers/2025/reefs"),
        ({"type": "urls", "urls": ["https://example.org/"]}, "example.org"),
        ({"type": "urls", "urls": [" https://example.org:8443/a/b?key=secret#part "]}, "example.org:8443/a/b"),
        ({"type": "urls", "urls": ["https://me:secret@example.org/a"] * 1_235}, "example.org/a and 1,234 more"),
        ({"type": "upload", "staged": "u_1", "name": "notes", "origin": "o"}, "notes"),
        ({"type": "upload", "staged": "u_1", "mirror": False}, "upload"),
    ],
)
def test_a_source_is_named_without_what_is_secret(source: dict[str, Any], name: str) -> None:
    assert name_of(source) == name


def test_a_long_name_is_cut_and_still_says_how_many_there_are() -> None:
    assert len(name_of({"type": "folder", "path": "/" + "x" * 250})) == 200
    assert name_of({"type": "urls", "urls": ["https://example.org/" + "x" * 900] * 3}).endswith("… and 2 more")


def test_a_re_index_names_its_index_and_a_job_who_asked_for_it() -> None:
    entry = render_entry(job(None, kind="reindex", index=IndexName("plans")))
    assert (entry["source"], entry["index_name"], entry["subject"]) == (None, "plans", "me")
    assert render_entry(job({"type": "s3", "bucket": "papers"}))["index_name"] is None


def test_the_origins_of_a_job_are_those_that_its_documents_have() -> None:
    pages = ["https://Example.org:443/a", "http://example.org/b?x", "https://other.example", "ftp://no.example/"]
    assert origins_of(job({"type": "urls", "urls": pages})) == {"example.org", "other.example"}
    assert origins_of(job({"type": "folder", "path": "/srv/notes"})) == {folder_origin("/srv/notes")}
    assert origins_of(job({"type": "s3", "bucket": "papers", "prefix": "a"})) == {"s3:papers"}
    assert origins_of(job({"type": "upload", "staged": "u_1", "origin": "upload:notes"})) == {"upload:notes"}
    assert origins_of(job({"type": "upload", "staged": "u_1"})) == origins_of(job(None)) == frozenset()


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    opened = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path / "data"))
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("names", "given", "told"),
    [
        (["a.md"], {}, ("a.md", "upload:upload")),
        (["reefs/2025/a.md"], {}, ("a.md", "upload:upload")),
        (["reefs/a.md", "reefs/deep/b.md"], {}, ("reefs", "upload:upload")),
        (["reefs/a.md", "b.md", "reefs/c.md"], {}, ("3 files", "upload:upload")),
        (["a.md", "b.md"], {}, ("2 files", "upload:upload")),
        (["a.md", "b.md"], {"root": "papers"}, ("papers", "upload:papers")),
        (["files.tar"], {"root": "papers", "origin": "a digest"}, ("papers", "a digest")),
    ],
)
def test_an_upload_is_named_after_what_was_sent(
    tmp_path: Path, library: Library, names: list[str], given: dict[str, str], told: tuple[str, str]
) -> None:
    settings = WorkerSettings(_env_file=None, redis_url=None)
    background = Background(library, settings)
    uploads = Uploads(tmp_path / "data", settings, background)
    uploads.take(ME, [(each, io.BytesIO(b"# A reef")) for each in names], **given)
    (stored,) = library.engine.records.list("jobs")
    assert (stored.value["source"]["name"], stored.value["source"]["origin"]) == told
    uploads.close()
    background.close()


def fields(path: str, **more: Any) -> StoredFields:
    return StoredFields(path=path, source="research", ingested_at="2026-01-02T03:04:05+00:00", **more)  # type: ignore[typeddict-item] # the others are of no interest


def history_of(origin: Origin, *newest_first: Job) -> SourceHistory:
    (history,) = histories([origin], newest_first)
    return history


FOLDER = {"type": "folder", "path": "/srv/notes"}
NOTES = Origin(folder_origin("/srv/notes"), 3, fields("notes/a.md"))


def ended(status: JobState, at: str, **more: Any) -> Job:
    return job(FOLDER, status=status, finished_at=at, **more)


def test_the_newest_job_is_told_and_the_last_one_that_read_all() -> None:
    failed = ended("failed", "2026-03-03T00:00:00Z", tally=Tally(found=2, failed=2))
    done, older = ended("done", "2026-02-02T00:00:00Z"), ended("done", "2026-01-01T00:00:00Z")
    elsewhere = job({"type": "folder", "path": "/srv/other"}, status="done", finished_at="2026-04-04T00:00:00Z")
    history = history_of(NOTES, elsewhere, failed, done, older)
    assert history["source"] == {"type": "folder", "name": "notes"}
    assert history["last_read_at"] == "2026-02-02T00:00:00Z"
    assert history["last_job"] == {
        "job_id": failed.id,
        "status": "failed",
        "failed": 2,
        "skipped": 0,
        "finished_at": "2026-03-03T00:00:00Z",
    }


def test_files_that_are_tried_again_do_not_make_the_rest_fresher() -> None:
    tally = Tally(found=1, failed=1, errors=(Problem("notes/a.pdf", "is empty"),))
    retry = Retry(("notes/a.pdf",), tally, read_at="2026-02-02T00:00:00Z")
    for status, finished_at in (("running", None), ("done", "2026-03-03T00:00:00Z")):
        again = job(FOLDER, status=status, finished_at=finished_at, retry=retry)
        assert history_of(NOTES, again)["last_read_at"] == "2026-02-02T00:00:00Z"


@pytest.mark.parametrize(
    ("origin", "kind", "name"),
    [
        (NOTES, "folder", "notes"),
        (Origin("s3:papers", 1, fields("papers/a.md")), "s3", "papers"),
        (Origin("upload:reefs", 1, fields("reefs/a.md")), "upload", "reefs"),
        (Origin("example.org", 1, {**fields("https://example.org/a"), "source": "url"}), "urls", "example.org"),
        (Origin("x" * 256 + "…", 1, None), "folder", "x" * 256 + "…"),
    ],
)
def test_of_a_source_whose_jobs_are_forgotten_a_document_tells_when_it_was_read(
    origin: Origin, kind: str, name: str
) -> None:
    history = history_of(origin)
    assert history["source"] == {"type": kind, "name": name}
    assert history["last_job"] is None
    assert history["last_read_at"] == (None if origin.sample is None else "2026-01-02T03:04:05Z")


def test_pages_and_buckets_are_named_as_a_whole_and_uploads_as_they_were_sent() -> None:
    pages = job({"type": "urls", "urls": ["https://example.org/a", "https://other.example/b"]})
    page: StoredFields = {**fields("https://example.org/a"), "source": "url"}
    assert history_of(Origin("example.org", 1, page), pages)["source"] == {"type": "urls", "name": "example.org"}
    bucket = job({"type": "s3", "bucket": "papers", "prefix": "2025"})
    assert history_of(Origin("s3:papers", 1, fields("papers/a")), bucket)["source"] == {"type": "s3", "name": "papers"}
    sent = job({"type": "upload", "staged": "u_1", "name": "reefs", "origin": "a digest"})
    assert history_of(Origin("a digest", 1, fields("reefs/a.md")), sent)["source"] == {
        "type": "upload",
        "name": "reefs",
    }
