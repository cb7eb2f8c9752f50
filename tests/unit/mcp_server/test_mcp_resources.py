"""What clients read by address."""

import json
import logging

import pytest
from mcp import Client, MCPError
from mcp.types import TextResourceContents

from mcp_server.protocol.server import OperationServer

CANARY = "canary_c40a"


async def read(client: Client, address: str) -> TextResourceContents:
    (contents,) = (await client.read_resource(address)).contents
    assert isinstance(contents, TextResourceContents)
    return contents


async def test_resources_and_templates_are_listed(server: OperationServer) -> None:
    async with Client(server) as client:
        assert [str(each.uri) for each in (await client.list_resources()).resources] == [
            "trawl://status",
            "catalog://info",
        ]
        templates = (await client.list_resource_templates()).resource_templates
    assert [each.uri_template for each in templates] == ["doc://{index}/{id}", "doc://archive/{id}"]
    assert {each.mime_type for each in templates} == {"text/plain"}


async def test_the_status_is_json(server: OperationServer) -> None:
    async with Client(server) as client:
        contents = await read(client, "trawl://status")
    assert contents.mime_type == "application/json"
    status = json.loads(contents.text)
    assert status["engine"] == {"name": "tantivy", "status": "ok"}
    assert {source for source, state in status["sources"].items() if state == "configured"} == {"archive", "indices"}
    assert {"osdu", "web"} <= {source for source, state in status["sources"].items() if state == "not configured"}
    assert set(status["queues"]) == {"redis", "workers"}
    assert status["outdated_indices"] == []
    assert "trawl" in status["versions"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(
    ("identifier", "address"),
    [
        ("plain", "doc://default/plain"),
        ("a/b c?#%", "doc://default/a%2Fb%20c%3F%23%25"),
        ("a/../b", "doc://default/a/../b"),
        ("/etc/x", "doc://default//etc/x"),
        ("größe=1&b", "doc://default/größe=1&b"),
    ],
)
async def test_a_document_is_read_by_its_encoded_id(
    server: OperationServer, identifier: str, address: str, mode: str
) -> None:
    async with Client(server, mode=mode) as client:
        await client.call_tool("search_add_document", {"doc_id": identifier, "content": "A reef"})
        contents = await read(client, address)
    assert contents.text == "A reef"
    assert contents.mime_type == "text/plain"


@pytest.mark.parametrize(
    "address",
    [
        f"doc://default/{CANARY}",
        f"doc://{CANARY}/x",
        f"doc://{CANARY}%20!/x",
        f"doc://default/{CANARY}%00",
        "doc://default/",
        f"trawl://{CANARY}",
        CANARY,
    ],
)
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_what_is_not_there_is_not_found_and_not_repeated(
    server: OperationServer, address: str, mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        async with Client(server, mode=mode) as client:
            with pytest.raises(MCPError) as raised:
                await client.read_resource(address)
    assert raised.value.error.code == -32602
    assert CANARY not in raised.value.error.message
    assert CANARY not in caplog.text


async def test_an_unknown_prompt_is_not_repeated(server: OperationServer) -> None:
    async with Client(server) as client:
        with pytest.raises(MCPError) as raised:
            await client.get_prompt(CANARY)
    assert raised.value.error.code == -32602
    assert CANARY not in raised.value.error.message
