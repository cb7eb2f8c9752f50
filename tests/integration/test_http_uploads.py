"""Uploads: streamed to disk, whole or not at all; a job reads them."""

import io
import tarfile
import zipfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.service import Service, application, run_service, wait_until, wait_until_ready

UPLOAD = "/api/v1/archives/upload"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with run_service(tmp_path_factory.mktemp("uploads")) as started:
        wait_until_ready(started)
        yield started


@pytest.fixture
def client(service: Service) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.url, trust_env=False, timeout=60) as opened:
        yield opened


def done(client: httpx.Client, started: dict[str, Any]) -> dict[str, Any]:
    """Return the status of an upload's job when it is done."""
    assert started["success"], started
    assert set(started) == {"success", "job_id", "status"}

    def status() -> dict[str, Any] | None:
        shown: dict[str, Any] = client.get(f"/api/v1/jobs/{started['job_id']}").json()
        return shown if shown["status"] in {"done", "failed"} else None

    ended = wait_until(status, "the job has ended")
    assert ended["status"] == "done"
    return ended


def paths(client: httpx.Client, query: str) -> set[str]:
    found = client.post("/api/v1/archives/search", json={"query": query, "fuzzy": False}).json()
    return {hit["document"]["path"] for hit in found["results"]}


def zipped(files: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


def tarred(files: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return stream.getvalue()


def test_files_that_are_sent_are_found(client: httpx.Client) -> None:
    files = [
        ("files", ("osprey.md", b"# An osprey\n\nNear the lake.\n")),
        ("files", ("birds/Zo\u00eb.txt", b"Another osprey.\n")),
        ("files", ("broken.pdf", b"%PDF-1.7 no osprey")),
    ]
    status = done(client, client.post(UPLOAD, files=files).json())
    assert (status["counts"]["indexed"], status["counts"]["failed"]) == (2, 1)
    assert status["errors"][0]["path"] == "upload/broken.pdf"
    assert paths(client, "osprey") == {"upload/osprey.md", "upload/birds/Zo\u00eb.txt"}


def test_an_upload_that_nothing_reads_says_so(client: httpx.Client) -> None:
    files = [("files", ("book.epub", b"PK")), ("files", ("birds.zip", zipped({"a.dwg": "x", "__MACOSX/b.md": "y"})))]
    status = done(client, client.post(UPLOAD, files=files).json())
    assert status["counts"] == {"found": 3, "indexed": 0, "unchanged": 0, "removed": 0, "failed": 0, "skipped": 3}
    assert [each["kind"] for each in status["skipped_kinds"]] == [".dwg", ".epub"]
    assert status["skipped"][-1] == {"path": "upload/__MACOSX/", "reason": "left out by default: __MACOSX/"}
    assert status["warning"] == "Nothing was indexed: 3 skipped"


@pytest.mark.parametrize(("name", "pack"), [("kites.zip", zipped), ("kites.tar.gz", tarred)])
def test_what_is_in_archives_is_found(client: httpx.Client, name: str, pack: Any) -> None:
    word = "redkite" if name.endswith("zip") else "blackkite"
    packed = pack({"a.md": f"# A {word}\n", "deep/b.md": f"# Another {word}\n", "../out.md": f"# A third {word}\n"})
    sent = client.post(UPLOAD, data={"root": word}, files=[("files", (name, packed))])
    status = done(client, sent.json())
    assert (status["counts"]["indexed"], status["counts"]["failed"]) == (2, 1)
    assert paths(client, word) == {f"{word}/a.md", f"{word}/deep/b.md"}


def test_a_mirror_removes_what_was_not_sent_again(client: httpx.Client) -> None:
    def send(*names: str) -> dict[str, Any]:
        files = [("files", (name, f"# A stork in {name}\n".encode())) for name in names]
        return done(client, client.post(UPLOAD, data={"root": "storks", "mirror": "true"}, files=files).json())

    send("a.md", "b.md")
    assert send("b.md")["counts"] == {"found": 1, "indexed": 0, "unchanged": 1, "removed": 1, "failed": 0, "skipped": 0}
    assert paths(client, "stork") == {"storks/b.md"}


def test_much_is_taken_without_holding_it_in_memory(client: httpx.Client, service: Service) -> None:
    status = Path(f"/proc/{service.process.pid}/status")
    if not status.exists():
        pytest.skip("memory is read from /proc")

    def peak() -> int:
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM"))

    before = peak()
    text = "# A crane\n\n" + "Over the marsh it goes. " * 40_000
    files = [("files", (f"crane{number}.md", text.encode())) for number in range(200)]
    started = client.post(UPLOAD, data={"root": "cranes"}, files=files, timeout=300).json()
    assert started["success"]
    assert peak() - before < 100_000, "kB more than before, for 190 MB that were sent"
    assert client.delete(f"/api/v1/jobs/{started['job_id']}").status_code in {200, 409}


async def refused(folder: Path, **request: Any) -> httpx.Response:
    async with application(folder) as client:
        response = await client.post(UPLOAD, **request)
        jobs = (await client.get("/api/v1/jobs")).json()["jobs"]
    assert jobs == []
    assert not list((folder / "data").glob("uploads/*"))
    return response


@pytest.mark.parametrize(
    "request_",
    [
        {"json": {"files": []}},
        {"content": b"x", "headers": {"content-type": "multipart/form-data; boundary=x"}},
        {"data": {"root": "x"}, "files": []},
        {"files": [("file", ("a.md", b"# A\n"))]},
        {"data": {"colour": "red"}, "files": [("files", ("a.md", b"# A\n"))]},
        {"data": {"mirror": "perhaps"}, "files": [("files", ("a.md", b"# A\n"))]},
        {"data": {"root": "../out"}, "files": [("files", ("a.md", b"# A\n"))]},
    ],
)
async def test_a_wrong_form_is_refused_and_leaves_nothing(tmp_path: Path, request_: dict[str, Any]) -> None:
    answer = await refused(tmp_path, **request_)
    assert answer.status_code == 422
    assert answer.json()["fix"]["required_action"]


async def test_a_body_that_is_cut_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    async def cut() -> AsyncIterator[bytes]:
        yield b'--b\r\nContent-Disposition: form-data; name="files"; filename="a.md"\r\n\r\n# A note'

    headers = {"content-type": "multipart/form-data; boundary=b"}
    assert (await refused(tmp_path, content=cut(), headers=headers)).status_code == 422


async def test_only_uploads_may_be_bigger_than_other_bodies(tmp_path: Path) -> None:
    big = b"# Big\n\n" + b"word " * 200_000
    async with application(tmp_path, worker={"max_upload_mb": 0.5}) as client:
        answer = await client.post(UPLOAD, files=[("files", ("a.md", big))])
        assert (answer.status_code, answer.json()["details"]) == (413, {"limit_bytes": 500_000})
    async with application(tmp_path, worker={"max_upload_mb": 2}) as client:
        assert (await client.post(UPLOAD, files=[("files", ("a.md", big))])).json()["status"] == "queued"


async def test_the_reference_describes_the_form(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        document = (await client.get("/openapi.json")).json()
    body = document["paths"][UPLOAD]["post"]["requestBody"]["content"]["multipart/form-data"]["schema"]
    assert set(body["properties"]) == {"files", "root", "origin", "mirror"}
