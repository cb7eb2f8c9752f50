"""Commands about documents, against a running service and on the folder itself: the results are the operations' own."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.service import Service, run_service, trawl, wait_until_ready

FILES = {
    "2025-05-20/alpha.md": (
        "---\nauthor: Maren Holt\ntags: [ice, cold]\n---\n# Alpha\n\nA walrus & a <b>. See [b](../beta.md).\n"
    ),
    "beta.md": "# Beta\n\nA walrus by the harbour. See https://example.org/cranes.\n",
    "gamma.txt": "Gamma rays.\n" * 400,
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("documents")
    for name, text in FILES.items():
        path = folder / "notes" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with run_service(folder) as started:
        wait_until_ready(started)
        assert trawl("ingest", "notes", "--wait", folder=folder).returncode == 0
        with httpx.Client(trust_env=False, base_url=started.url) as client:
            documents = [{"doc_id": "a/b", "content": "A seal.", "metadata": {"author": "Lind"}}]
            client.post("/api/v1/indices/default/documents", json={"documents": documents}).raise_for_status()
        yield started


def asked(service: Service, path: str) -> dict[str, Any]:
    with httpx.Client(trust_env=False, base_url=service.url) as client:
        answer: dict[str, Any] = client.get(path).json()
        return answer


def told(service: Service, *arguments: str) -> dict[str, Any]:
    ended = trawl(*arguments, "--json", folder=service.folder)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    result: dict[str, Any] = json.loads(ended.stdout)
    return result


def id_of(service: Service, path: str) -> str:
    ids = {each["path"]: each["id"] for each in asked(service, "/api/v1/archives/documents")["documents"]}
    return str(ids[path])


def test_the_list_is_a_table_with_dates_and_sources(service: Service) -> None:
    assert told(service, "list") == asked(service, "/api/v1/archives/documents?limit=50")
    head, first, *_ = trawl("list", folder=service.folder).stdout.splitlines()
    assert head.split() == ["ID", "DATE", "SOURCE", "TITLE", "PATH"]
    assert first.split() == [
        id_of(service, "notes/2025-05-20/alpha.md"),
        *("2025-05-20", "research", "Alpha", "notes/2025-05-20/alpha.md"),
    ]


def test_the_list_is_narrowed_sorted_and_read_page_by_page(service: Service) -> None:
    for narrowed in (("--author", "Maren Holt"), ("--tag", "cold"), ("--path", "notes/2025")):
        assert [each["title"] for each in told(service, "list", *narrowed)["documents"]] == ["Alpha"]
    assert told(service, "list", "--source", "url")["documents"] == []
    assert [each["title"] for each in told(service, "list", "--sort=-title")["documents"]][-1] == "Alpha"
    page = trawl("list", "--limit", "2", folder=service.folder)
    assert "2 of 3 documents shown" in page.stderr
    rest = told(service, "list", "--limit", "2", "--cursor", page.stderr.split()[-1])
    assert [each["path"] for each in rest["documents"]] == ["notes/gamma.txt"]


def test_a_document_is_shown_with_what_is_known_about_it(service: Service) -> None:
    id_ = id_of(service, "notes/2025-05-20/alpha.md")
    assert told(service, "show", id_) == asked(service, f"/api/v1/archives/documents/{id_}")
    lines = trawl("show", id_, folder=service.folder).stdout.splitlines()
    assert lines[0] == "Alpha"
    assert lines[1] == f"notes/2025-05-20/alpha.md · 2025-05-20 · research · {id_}"
    assert "authors: Maren Holt" in lines
    assert "A walrus & a . See b." in lines


def test_a_long_document_is_shown_part_by_part(service: Service) -> None:
    id_ = id_of(service, "notes/gamma.txt")
    first = trawl("show", id_, "--max-chars", "1000", folder=service.folder)
    assert first.stderr.startswith("Characters 0 to ")
    following = first.stderr.rstrip(".\n").split()[-1]
    rest = trawl("show", id_, "--offset", following, folder=service.folder)
    assert rest.stderr.endswith(f" of {len(FILES['gamma.txt'].rstrip()):,}.\n")
    assert trawl("show", id_, folder=service.folder).stderr == ""


def test_a_document_of_an_index_is_shown(service: Service) -> None:
    assert told(service, "show", "a/b", "--index", "default")["content"] == "A seal."
    shown = trawl("show", "a/b", "--index", "default", folder=service.folder).stdout
    assert shown.splitlines() == ["a/b", "author: Lind", "", "A seal."]


@pytest.mark.parametrize("arguments", [("show", "d_none"), ("cite", "d_none"), ("open", "d_none")])
def test_a_document_that_does_not_exist_is_a_failure(service: Service, arguments: tuple[str, ...]) -> None:
    ended = trawl(*arguments, "--json", folder=service.folder)
    assert ended.returncode == 1
    assert json.loads(ended.stdout)["error_category"] == "not_found"
    assert trawl(*arguments, folder=service.folder).stderr.startswith("Document not found in the archive\n")


def test_a_reference_is_printed_as_it_goes_into_a_bibliography(service: Service) -> None:
    id_ = id_of(service, "notes/2025-05-20/alpha.md")
    assert told(service, "cite", id_) == asked(service, f"/api/v1/archives/documents/{id_}/citation")
    assert trawl("cite", id_, folder=service.folder).stdout.startswith("@misc{holt2025")
    shown = trawl("cite", id_, "--format", "csl-json", folder=service.folder).stdout
    assert json.loads(shown)["author"] == [{"family": "Holt", "given": "Maren"}]


def test_the_original_is_opened_by_the_systems_program(service: Service, tmp_path: Path) -> None:
    id_ = id_of(service, "notes/2025-05-20/alpha.md")
    original = str(service.folder / "notes/2025-05-20/alpha.md")
    assert trawl("open", id_, "--print", folder=service.folder).stdout == f"{original}\n"
    assert told(service, "open", id_, "--print") == {"success": True, "id": id_, "address": original, "opened": False}
    # a system without such a program
    assert trawl("open", id_, folder=service.folder, env={"PATH": str(tmp_path)}).stdout == f"{original}\n"
    opener = tmp_path / ("open" if sys.platform == "darwin" else "xdg-open")
    opener.write_text(f'#!/bin/sh\necho "$1" > {tmp_path / "opened"}\n')
    opener.chmod(0o755)
    ended = trawl("open", id_, folder=service.folder, env={"PATH": str(tmp_path)})
    assert (ended.returncode, ended.stdout) == (0, "")
    assert (tmp_path / "opened").read_text() == f"{original}\n"
    opener.write_text("#!/bin/sh\nexit 3\n")
    assert trawl("open", id_, folder=service.folder, env={"PATH": str(tmp_path)}).stdout == f"{original}\n"


def test_an_original_that_is_not_here_is_a_failure(service: Service) -> None:
    with httpx.Client(trust_env=False, base_url=service.url) as client:
        files = {"files": ("sent.md", b"# Sent from elsewhere\n")}
        job = client.post("/api/v1/archives/upload", files=files, data={"root": "sent"}).json()["job_id"]
        client.get(f"/api/v1/jobs/{job}?wait_seconds=50", timeout=60)
    ended = trawl("open", id_of(service, "sent/sent.md"), "--print", folder=service.folder)
    assert ended.returncode == 1
    assert "trawl show" in ended.stderr
    assert trawl("rm", id_of(service, "sent/sent.md"), folder=service.folder).stdout == "1 document deleted\n"


def test_the_indices_and_the_status_are_the_services_own(service: Service) -> None:
    assert told(service, "indices") == asked(service, "/api/v1/indices")
    head, row = trawl("indices", folder=service.folder).stdout.splitlines()
    assert head.split() == ["INDEX", "DOCUMENTS", "SIZE", "CREATED", "STATE"]
    assert row.split()[:2] == ["default", "1"]
    assert told(service, "status").keys() == asked(service, "/api/v1/status").keys()
    shown = trawl("status", folder=service.folder).stdout
    assert f"service    runs at {service.url}\n" in shown
    assert "documents  3 in the archive, 1 in 1 index\n" in shown
    assert "queue      redis: ok, workers: ok\n" in shown
    assert "jobs       0 queued, 0 running, " in shown


def test_citations_are_shown_by_title(service: Service) -> None:
    shown = trawl("search", "walrus", "--citations", folder=service.folder).stdout
    beta = id_of(service, "notes/beta.md")
    assert f"   cites Beta  {beta}\n" in shown
    assert "   cites https://example.org/cranes\n" in shown
    assert f"   cited by Alpha  {id_of(service, 'notes/2025-05-20/alpha.md')}\n" in shown


def test_documents_are_deleted_and_absent_ones_named(service: Service, tmp_path: Path) -> None:
    with httpx.Client(trust_env=False, base_url=service.url) as client:
        documents = [{"doc_id": f"gone-{number}", "content": "x"} for number in range(3)]
        client.post("/api/v1/indices/default/documents", json={"documents": documents}).raise_for_status()
    ended = trawl("rm", "gone-0", "none", "gone-1", "--index", "default", folder=service.folder)
    assert (ended.returncode, ended.stdout) == (1, "2 documents deleted\n")
    assert ended.stderr == "There is no document none\n"
    assert told(service, "rm", "gone-2", "--index", "default")["status"] == "deleted"
    (tmp_path / "birds").mkdir()
    (tmp_path / "birds" / "a.md").write_text("# A puffin\n")
    (tmp_path / "birds" / "b.md").write_text("# A skua\n")
    assert trawl("ingest", str(tmp_path / "birds"), "--wait", folder=service.folder).returncode == 0
    assert told(service, "rm", *(id_of(service, f"birds/{name}.md") for name in "ab")) == {
        "success": True,
        "deleted": 2,
    }


def test_where_no_service_runs_the_results_are_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "one.md").write_text("# One\n\nA heron.\n")
    ingested = trawl("ingest", str(folder), folder=tmp_path)
    assert ingested.returncode == 0, ingested.stderr
    (document,) = json.loads(trawl("list", "--json", folder=tmp_path).stdout)["documents"]
    shown = json.loads(trawl("show", document["id"], "--json", folder=tmp_path).stdout)
    assert shown["document"] == document
    status = trawl("status", folder=tmp_path).stdout
    assert "service    does not run; `trawl serve` starts it\n" in status
    assert "queue      starts with the service\n" in status
    assert json.loads(trawl("rm", document["id"], "--json", folder=tmp_path).stdout) == {"success": True, "deleted": 1}
    assert trawl("list", folder=tmp_path).stdout == ""
