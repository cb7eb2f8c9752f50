"""What a model reads before its first call: how long it is, and whether it finds the right tool by it."""

import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped] # ships no types
import pytest
from mcp import Client
from mcp.types import Tool as ListedTool

from mcp_server.features.osdu.settings import OsduSettings
from mcp_server.features.quilt.settings import QuiltSettings
from mcp_server.features.web.settings import WebSettings
from mcp_server.protocol.server import OperationServer, build_server
from mcp_server.upstream.upstreams import Upstreams
from tests.made_services import MAIN, made_services, made_upstreams

REQUESTS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("everyday_requests.json").read_text("utf-8"))
UPSTREAM_TOOLS = {
    "search_query": ("TRAWL_OSDU_URL", "TRAWL_OSDU_PARTITION", "TRAWL_OSDU_TOKEN"),
    "search_by_id": ("TRAWL_OSDU_URL", "TRAWL_OSDU_PARTITION", "TRAWL_OSDU_TOKEN"),
    "search_by_kind": ("TRAWL_OSDU_URL", "TRAWL_OSDU_PARTITION", "TRAWL_OSDU_TOKEN"),
    "osdu_discover_fields": ("TRAWL_OSDU_URL", "TRAWL_OSDU_PARTITION", "TRAWL_OSDU_TOKEN"),
    "osdu_build_query": ("TRAWL_OSDU_URL", "TRAWL_OSDU_PARTITION", "TRAWL_OSDU_TOKEN"),
    "search_catalog": ("TRAWL_QUILT_CATALOG_URL", "TRAWL_QUILT_TOKEN"),
    "bucket_objects_list": ("TRAWL_QUILT_CATALOG_URL", "TRAWL_QUILT_TOKEN"),
    "search_web": ("OPENAI_API_KEY",),
    "web_history_list": ("OPENAI_API_KEY",),
    "web_history_delete": ("OPENAI_API_KEY",),
}


def everything() -> Upstreams:
    """Open all upstreams with settings; nothing is contacted."""
    return made_upstreams(
        osdu=OsduSettings.model_validate({"url": "https://osdu.example.com", "partition": "p", "token": "t"}),
        quilt=QuiltSettings.model_validate({"catalog_url": "https://quilt.example.com", "token": "t"}),
        web=WebSettings.model_validate({"OPENAI_API_KEY": "k"}),
    )


def server_with(upstreams: Upstreams | None) -> OperationServer:
    return build_server(made_services(upstreams=upstreams), MAIN)


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_by_a_model(tool: ListedTool) -> str:
    return f"{tool.name}{tool.description}{compact(tool.input_schema)}"


@pytest.mark.parametrize(
    ("configured", "tokens", "characters"), [(False, 3_500, 28_000), (True, 5_000, 40_000)], ids=["nothing", "all"]
)
async def test_the_listing_is_small(*, configured: bool, tokens: int, characters: int) -> None:
    async with Client(server_with(everything() if configured else None)) as client:
        listed = await client.list_tools()
        instructions = client.instructions or ""
    read = len(instructions) + sum(len(read_by_a_model(tool)) for tool in listed.tools)
    assert read / 4 <= tokens
    assert len(compact(listed.model_dump(by_alias=True, mode="json", exclude_none=True))) <= characters
    # Hosts cut instructions and descriptions at 2 KB.
    assert len(instructions.encode()) < 2_000


def words(text: str) -> list[str]:
    """Split text at everything but letters and digits."""
    return re.findall(r"[a-z0-9]+", text.lower())


def split(name: str) -> str:
    """Split a name at its capital letters."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)


def described(tool: ListedTool) -> list[str]:
    """Return the words that a search of tools goes by."""
    arguments = [
        f"{split(name)} {part.get('description', '')}" for name, part in tool.input_schema["properties"].items()
    ]
    return words(" ".join([split(tool.name), tool.title or "", tool.description or "", *arguments]))


def ranked(request: str, tools: dict[str, list[str]]) -> list[str]:
    """Rank tools by BM25, with the usual k1 of 1.2 and b of 0.75."""
    average = sum(map(len, tools.values())) / len(tools)
    frequency = Counter(word for text in tools.values() for word in set(text))

    def score(text: list[str]) -> float:
        counts, norm = Counter(text), 1.2 * (0.25 + 0.75 * len(text) / average)
        return sum(
            math.log(1 + (len(tools) - frequency[word] + 0.5) / (frequency[word] + 0.5))
            * (counts[word] * 2.2 / (counts[word] + norm))
            for word in set(words(request))
        )

    return sorted(tools, key=lambda name: -score(tools[name]))


async def test_everyday_requests_find_their_tool() -> None:
    async with Client(server_with(everything())) as client:
        tools = {tool.name: described(tool) for tool in (await client.list_tools()).tools}
    asked = [each for each in REQUESTS if set(each["tools"]) & set(tools)]
    missed = [each["request"] for each in asked if not set(each["tools"]) & set(ranked(each["request"], tools)[:3])]
    assert len(missed) <= 3, missed


def test_the_requests_name_no_tool() -> None:
    names = {name for each in REQUESTS for name in each["tools"]}
    assert len({each["request"] for each in REQUESTS}) == 60
    assert not any(name in re.findall(r"\w+", each["request"]) for name in names for each in REQUESTS)


async def test_tools_without_settings_are_listed_in_brief_with_the_settings_to_give() -> None:
    async with Client(server_with(None)) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        instructions = client.instructions or ""
    for name, settings in UPSTREAM_TOOLS.items():
        description = tools[name].description or ""
        assert all(setting in description for setting in settings)
        assert description.count(". ") == 0
        assert "description" not in compact(tools[name].input_schema["properties"]).replace('"description":{', "")
        assert name not in instructions
    assert "description" in compact(tools["search_index"].input_schema)


async def test_tools_with_settings_are_listed_in_full() -> None:
    async with Client(server_with(everything())) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        instructions = client.instructions or ""
    for name in UPSTREAM_TOOLS:
        assert "Not configured" not in (tools[name].description or "")
        assert "success" in (tools[name].output_schema or {})["properties"]
    assert "search_web" in instructions


async def test_output_schemas_are_flat_objects() -> None:
    async with Client(server_with(everything())) as client:
        tools = (await client.list_tools()).tools
    for tool in tools:
        schema = tool.output_schema or {}
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema.keys() == {"type", "properties", "required"}
        assert (schema["type"], schema["required"]) == ("object", ["success"])
        assert {"error", "error_category", "details", "fix", "alternatives"} < schema["properties"].keys()
        assert not re.search(r'"(\$ref|\$defs|oneOf|anyOf)":', compact(schema))
        assert not re.search(r'"(\$ref|\$defs)":', compact(tool.input_schema))


async def test_no_argument_mentions_null() -> None:
    async with Client(server_with(everything())) as client:
        tools = (await client.list_tools()).tools
    assert not [tool.name for tool in tools if "null" in compact(tool.input_schema)]
