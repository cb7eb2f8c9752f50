"""Jobs over MCP, from the first call to a found document: with a running service, and without one."""

import asyncio
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.service import PATIENCE_SECONDS, Service, environment, run_service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("mcp_jobs")
    with run_service(folder, env={"TRAWL_INGEST_ROOTS": str(folder)}) as started:
        yield started


def notes(folder: Path, word: str) -> Path:
    made = folder / f"{word}s"
    made.mkdir()
    (made / "a.md").write_text(f"# A {word}\n\nSee [another](b.md).\n")
    (made / "b.md").write_text(f"# Another {word}\n")
    return made


async def called(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    structured: dict[str, Any] = result.structured_content
    assert structured["success"], structured
    return structured


async def ended(client: Client, job_id: str) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (status := await called(client, "job_status", job_id=job_id))["status"] not in {"done", "failed"}:
        assert time.monotonic() < deadline, f"the job has not ended: {status}"
        await asyncio.sleep(0.2)
    return status


async def ingest_and_find(client: Client, folder: Path, word: str) -> None:
    started = await called(client, "archive_ingest", source={"type": "folder", "path": str(folder)})
    status = await ended(client, started["job_id"])
    assert (status["status"], status["counts"]["indexed"]) == ("done", 2)
    found = await called(client, "searchLocalArchives", query=f"+{word} another", includeCitations=True)
    paths = {hit["document"]["path"]: hit for hit in found["results"]}
    assert set(paths) == {f"{folder.name}/a.md", f"{folder.name}/b.md"}
    (cited,) = paths[f"{folder.name}/a.md"]["citations"]["citing"]
    assert cited["targetId"] == paths[f"{folder.name}/b.md"]["document"]["id"]


@pytest.mark.parametrize("era", ["2026-07-28", "legacy"])
async def test_an_agent_ingests_a_folder_and_finds_it(service: Service, era: str) -> None:
    word = "heron" if era == "legacy" else "egret"
    async with Client(streamable_http_client(f"{service.url}/mcp"), mode=era) as client:
        await ingest_and_find(client, notes(service.folder, word), word)


async def test_an_index_is_built_anew_and_finds_the_same(service: Service) -> None:
    async with Client(streamable_http_client(f"{service.url}/mcp")) as client:
        await called(client, "search_add_document", doc_id="a", content="A bittern in the reeds")
        started = await called(client, "reindex_start", index_name="default")
        assert (await ended(client, started["job_id"]))["status"] == "done"
        found = await called(client, "search_index", query="bittern")
    assert [hit["doc_id"] for hit in found["results"]] == ["a"]


async def test_a_client_that_starts_the_service_itself_has_jobs_too(tmp_path: Path) -> None:
    env = environment(tmp_path, {"TRAWL_INGEST_ROOTS": str(tmp_path)})
    program = StdioServerParameters(command=sys.executable, args=["-m", "app", "mcp"], env=env, cwd=str(tmp_path))
    async with Client(stdio_client(program)) as client:
        await ingest_and_find(client, notes(tmp_path, "stilt"), "stilt")
