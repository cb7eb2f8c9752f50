"""MCP over standard input and output, from a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters, stdio_client

PROGRAM = """
import asyncio, pathlib, sys
from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from mcp_server.protocol.server import build_server
from mcp_server.protocol.stdio import run_stdio
from tests.made_services import MAIN, with_jobs

async def main():
    library = open_library(IndexerSettings(engine="tantivy", data_dir=pathlib.Path(sys.argv[1])))
    try:
        await run_stdio(build_server(with_jobs(library), MAIN))
    finally:
        await library.aclose()
        pathlib.Path(sys.argv[1], "closed").touch()

asyncio.run(main())
"""


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
async def test_a_client_that_starts_the_service_searches_it(tmp_path: Path, mode: str) -> None:
    program = StdioServerParameters(command=sys.executable, args=["-c", PROGRAM, str(tmp_path)])
    async with Client(stdio_client(program), mode=mode) as client:
        added = await client.call_tool("search_add_document", {"doc_id": "a", "content": "A coral reef"})
        assert added.structured_content == {"success": True, "status": "indexed", "doc_id": "a", "token_count": 2}
        found = await client.call_tool("search_index", {"query": "reef"})
        assert [hit["doc_id"] for hit in found.structured_content["results"]] == ["a"]


def test_the_service_ends_with_its_input_and_writes_nothing_but_answers(tmp_path: Path) -> None:
    client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        input=json.dumps(request) + "\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=240,
    )
    (answer,) = ended.stdout.splitlines()
    assert json.loads(answer)["result"]["serverInfo"]["name"] == "trawl"
    assert (tmp_path / "closed").exists()
