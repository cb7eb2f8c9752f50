"""`trawl ingest` against an embedded service: what goes in is found, with its citations."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.service import PATIENCE_SECONDS, Service, environment, run_service, trawl, wait_until, wait_until_ready


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("ingest")
    (folder / "shared").mkdir()
    with run_service(folder, env={"TRAWL_INGEST_ROOTS": str(folder / "shared")}) as started:
        wait_until_ready(started)
        yield started


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def ingested(service: Service, *arguments: str, **env: str) -> dict[str, Any]:
    ended = trawl("ingest", *arguments, "--wait", "--json", folder=service.folder, env=env)
    assert ended.returncode == 0, ended.stderr
    status: dict[str, Any] = json.loads(ended.stdout)
    assert (status["success"], status["status"], status["progress"]) == (True, "done", 1.0)
    return status


def found(service: Service, query: str) -> dict[str, dict[str, Any]]:
    """Return the hits of an exact search by path."""
    asked = {"query": query, "fuzzy": False, "includeCitations": True}
    with httpx.Client(trust_env=False, timeout=60) as client:
        result = client.post(f"{service.url}/api/v1/archives/search", json=asked).json()
    assert result["success"], result
    return {hit["document"]["path"]: hit for hit in result["results"]}


def test_a_folder_is_sent_and_found_with_its_citations(service: Service, tmp_path: Path) -> None:
    notes = write(
        tmp_path / "notes",
        {
            "2025-05-20/alpha.md": "# Alpha\n\nThe walrus paper. See [beta](../beta.md).\n",
            "beta.md": "---\nauthor: Maren Holt\n---\n# Beta\n\nHarbour cranes.\n",
            "picture.png": "no text",
        },
    )
    status = ingested(service, str(notes))
    assert status["counts"] == {"found": 3, "indexed": 2, "unchanged": 0, "removed": 0, "failed": 0, "skipped": 1}
    hit = found(service, "walrus")["notes/2025-05-20/alpha.md"]
    assert hit["document"]["date"] == "2025-05-20"
    (cited,) = hit["citations"]["citing"]
    assert (cited["targetUrl"], cited["confidence"]) == ("../beta.md", 1.0)
    assert cited["targetId"] == found(service, "harbour")["notes/beta.md"]["document"]["id"]
    again = ingested(service, str(notes))
    assert (again["counts"]["indexed"], again["counts"]["unchanged"]) == (0, 2)


def test_the_archive_is_what_is_searched_by_default(service: Service, tmp_path: Path) -> None:
    ingested(service, str(write(tmp_path / "default", {"one.md": "# Narwhal\n\nA narwhal in the fjord.\n"})))
    shown = trawl("search", "narwhal", folder=service.folder)
    assert shown.returncode == 0
    assert "Narwhal" in shown.stdout
    assert "default/one.md" in shown.stdout
    as_json = json.loads(trawl("search", "narwhal", "--json", folder=service.folder).stdout)
    assert as_json["results"][0]["document"]["path"] == "default/one.md"


def test_a_folder_below_the_roots_is_read_by_the_workers_themselves(service: Service) -> None:
    shared = service.folder / "shared"
    pelican = write(shared / "pelican", {"a.md": "# Pelican\n\nA pelican.\n", "b.txt": "Another pelican.\n"})
    status = ingested(service, str(pelican), "--include", "*.md", TRAWL_INGEST_ROOTS=str(shared))
    assert (status["counts"]["found"], status["counts"]["skipped"]) == (2, 1)
    assert set(found(service, "pelican")) == {"pelican/a.md"}
    # sent instead, the same files have the same ids
    assert ingested(service, str(pelican))["counts"] == {
        "found": 2,
        "indexed": 1,
        "unchanged": 1,
        "removed": 0,
        "failed": 0,
        "skipped": 0,
    }


@pytest.mark.parametrize("by_path", [False, True])
def test_a_mirror_removes_nothing_of_another_folder_of_the_same_name(service: Service, by_path: bool) -> None:
    word = "avocet" if by_path else "dunlin"
    shared = service.folder / "shared"
    env = {"TRAWL_INGEST_ROOTS": str(shared)} if by_path else {}
    one = write(shared / "one" / word, {"a.md": f"# A {word}\n", "same.md": f"# One {word}\n"})
    two = write(shared / "two" / word, {"b.md": f"# Another {word}\n", "same.md": f"# Two {word}s\n"})
    ingested(service, str(one), "--mirror", **env)
    status = ingested(service, str(two), "--mirror", **env)
    assert status["counts"] == {"found": 2, "indexed": 2, "unchanged": 0, "removed": 0, "failed": 0, "skipped": 0}
    assert set(found(service, word)) == {f"{word}/a.md", f"{word}/b.md", f"{word}/same.md"}
    # a single file is always sent, and belongs to its folder all the same
    (one / "a.md").unlink()
    assert ingested(service, str(one / "same.md"), **env)["counts"]["indexed"] == 1
    assert ingested(service, str(one), "--mirror", **env)["counts"] == {
        "found": 1,
        "indexed": 0,
        "unchanged": 1,
        "removed": 1,
        "failed": 0,
        "skipped": 0,
    }
    assert set(found(service, word)) == {f"{word}/b.md", f"{word}/same.md"}


@pytest.mark.parametrize("by_path", [False, True])
def test_a_mirror_removes_what_is_gone(service: Service, by_path: bool) -> None:
    word = "gannet" if by_path else "cormorant"
    folder = write(service.folder / "shared" / word, {"a.md": f"# A {word}\n", "b.md": f"# Another {word}\n"})
    env = {"TRAWL_INGEST_ROOTS": str(service.folder / "shared")} if by_path else {}
    ingested(service, str(folder), "--mirror", **env)
    (folder / "a.md").unlink()
    assert ingested(service, str(folder), **env)["counts"]["removed"] == 0
    assert len(found(service, word)) == 2
    assert ingested(service, str(folder), "--mirror", **env)["counts"]["removed"] == 1
    assert set(found(service, word)) == {f"{word}/b.md"}


def test_single_files_go_by_the_name_of_their_folder(service: Service, tmp_path: Path) -> None:
    folder = write(tmp_path / "singles", {"a.md": "# A puffin\n", "b.md": "# Another puffin\n", "c.md": "# A puffin\n"})
    status = ingested(service, str(folder / "a.md"), str(folder / "b.md"))
    assert status["counts"]["found"] == 2
    assert set(found(service, "puffin")) == {"singles/a.md", "singles/b.md"}


def test_failed_files_are_named_and_matter_only_to_the_strict(service: Service, tmp_path: Path) -> None:
    folder = write(tmp_path / "mixed", {"good.md": "# A fulmar\n", "bad.pdf": "%PDF-1.7 but no more"})
    status = ingested(service, str(folder))
    assert (status["counts"]["indexed"], status["counts"]["failed"], status["error_count"]) == (1, 1, 1)
    assert status["errors"][0]["path"] == "mixed/bad.pdf"
    strict = trawl("ingest", str(folder), "--strict", folder=service.folder)
    assert strict.returncode == 1
    assert "mixed/bad.pdf" in strict.stdout


@pytest.mark.parametrize("by_path", [False, True])
def test_what_is_skipped_is_told_with_its_reason(service: Service, tmp_path: Path, by_path: bool) -> None:
    word = "plover" if by_path else "turnstone"
    folder = write(
        (service.folder / "shared" if by_path else tmp_path) / f"{word}s",
        {
            "a.md": f"# A {word}\n",
            "slides.pptx": "",
            "book.epub": "",
            "other.epub": "",
            "Makefile": "",
            "big.md": "x" * 2_000,
            ".gitignore": "private/\n",
            "private/b.md": f"# A {word}\n",
            "node_modules/c.md": f"# A {word}\n",
        },
    )
    env = {"TRAWL_INGEST_ROOTS": str(service.folder / "shared")} if by_path else {}
    status = ingested(service, str(folder), **env)
    assert status["counts"] == {"found": 9, "indexed": 2, "unchanged": 0, "removed": 0, "failed": 0, "skipped": 7}
    assert {each["path"].partition("/")[2]: each["reason"] for each in status["skipped"]} == {
        ".gitignore": "hidden",
        "Makefile": "no reader for this kind",
        "book.epub": "no reader for this kind",
        "node_modules/": "left out by default: node_modules/",
        "other.epub": "no reader for this kind",
        "private/": "left out by .gitignore: private/",
        "slides.pptx": "no reader for this kind",
    }
    reason = "no reader for this kind"
    assert status["skipped_kinds"] == [
        {"kind": ".epub", "count": 2, "reason": reason},
        {"kind": ".pptx", "count": 1, "reason": reason},
        {"kind": "no extension", "count": 1, "reason": reason},
    ]
    shown = trawl("ingest", str(folder), "--wait", folder=service.folder, env=env)
    assert "Skipped, no reader for this kind: 4 files (2 .epub, 1 .pptx, 1 with no extension)" in shown.stdout
    assert "Skipped for another reason: 3 files or folders" in shown.stdout
    assert "private/: left out by .gitignore: private/" in shown.stdout
    assert "Nothing was indexed" not in shown.stderr
    everything = ingested(service, str(folder), "--no-ignore", **env)
    assert (everything["counts"]["indexed"], everything["counts"]["skipped"]) == (2, 5)
    assert len(found(service, word)) == 3
    # A mirror deletes what is left out by now.
    assert ingested(service, str(folder), "--mirror", **env)["counts"]["removed"] == 2
    assert set(found(service, word)) == {f"{word}s/a.md"}


def test_a_job_that_adds_nothing_warns_and_is_done_all_the_same(service: Service, tmp_path: Path) -> None:
    folder = write(tmp_path / "pictures", {"a.png": "", "b.epub": ""})
    ended = trawl("ingest", str(folder / "b.epub"), "--wait", folder=service.folder)
    assert ended.returncode == 0
    assert "Nothing was indexed: 1 skipped." in ended.stderr
    assert "Skipped, no reader for this kind: 1 file (1 .epub)" in ended.stdout
    assert trawl("ingest", str(folder / "b.epub"), "--strict", folder=service.folder).returncode == 1
    assert trawl("ingest", str(folder), "--strict", folder=service.folder).returncode == 0
    as_json = trawl("ingest", str(folder), "--wait", "--json", folder=service.folder)
    assert json.loads(as_json.stdout)["warning"] == "Nothing was indexed: 2 skipped"
    assert "Nothing was indexed: 2 skipped." in as_json.stderr


def test_jobs_are_listed_shown_and_done_again(service: Service, tmp_path: Path) -> None:
    folder = write(tmp_path / "again", {"good.md": "# A skua\n", "bad.pdf": "%PDF-1.7 but no more"})
    job_id = ingested(service, str(folder))["job_id"]
    assert job_id in trawl("jobs", folder=service.folder).stdout
    assert "again/bad.pdf" in trawl("jobs", "show", job_id, folder=service.folder).stdout
    late = trawl("jobs", "cancel", job_id, "--json", folder=service.folder)
    assert (late.returncode, json.loads(late.stdout)["error_category"]) == (1, "conflict")
    retried = trawl("jobs", "retry", job_id, "--json", folder=service.folder)
    assert json.loads(retried.stdout)["status"] == "queued"

    def shown() -> dict[str, Any]:
        status: dict[str, Any] = json.loads(trawl("jobs", "show", job_id, "--json", folder=service.folder).stdout)
        return status

    ended = wait_until(lambda: status if (status := shown())["status"] == "done" else None, "the job is done again")
    assert ended["counts"]["failed"] == 1


@pytest.mark.parametrize("name", ["archive", "default"])
def test_an_index_is_built_anew(service: Service, name: str) -> None:
    ended = trawl("reindex", name, "--wait", "--json", folder=service.folder)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    status = json.loads(ended.stdout)
    assert (status["kind"], status["status"]) == ("reindex", "done")


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let children heed interrupts as they do in a terminal: where tests run in the background, they are ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_a_watched_folder_is_ingested_again_when_it_changes(service: Service, tmp_path: Path) -> None:
    folder = write(tmp_path / "watched", {"a.md": "# A heron\n"})
    watching = subprocess.Popen(
        [sys.executable, "-m", "app", "ingest", str(folder), "--watch", "--wait", "--mirror", "--json"],
        cwd=service.folder,
        env=environment(service.folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert next_status(watching)["counts"]["indexed"] == 1
        write(folder, {"b.md": "# Another heron\n"})
        wait_until(lambda: set(found(service, "heron")) == {"watched/a.md", "watched/b.md"}, "the new file is found")
        (folder / "a.md").unlink()
        wait_until(lambda: set(found(service, "heron")) == {"watched/b.md"}, "the old file is gone")
        os.kill(watching.pid, signal.SIGINT)
        assert watching.wait(PATIENCE_SECONDS) == 0
    finally:
        watching.kill()
        watching.wait()
        watching.stdout.close()


def next_status(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    readable, _, _ = select.select([process.stdout], [], [], PATIENCE_SECONDS)
    assert readable
    status: dict[str, Any] = json.loads(process.stdout.readline())
    return status


def test_a_page_on_this_machine_is_refused_and_the_job_says_so(service: Service) -> None:
    status = ingested(service, "http://127.0.0.1:9/page")
    assert (status["counts"]["found"], status["counts"]["failed"]) == (1, 1)
    assert "127.0.0.1" in status["errors"][0]["path"]


@pytest.mark.parametrize(
    ("arguments", "code"), [(["absent"], 1), ([], 2), (["https://example.org", "--watch"], 2), ([".", "--limit"], 2)]
)
def test_wrong_use_is_said_before_anything_is_done(service: Service, arguments: list[str], code: int) -> None:
    ended = trawl("ingest", *arguments, folder=service.folder)
    assert ended.returncode == code
    assert "Traceback" not in ended.stderr
