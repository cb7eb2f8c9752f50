"""The tool on a real index: what it is, what it refuses, and that its results keep to its schema."""

from collections.abc import AsyncIterator
from pathlib import Path

import jsonschema  # type: ignore[import-untyped] # ships no types
import pytest
from mcp import Client

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from mcp_server.features.everywhere.sources import sources_of
from tests.contract.shelf import page, paper
from tests.made_services import MAIN, made_services
from tests.unit.everywhere.everywhere_caller import Caller, caller


@pytest.fixture
async def call(tmp_path: Path) -> AsyncIterator[Caller]:
    library = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path, search_timeout=60.0))
    async with caller(library) as made:
        yield made
    await library.aclose()


async def test_the_tool_reads_only_and_asks_elsewhere(call: Caller) -> None:
    async with Client(call.server) as client:
        [tool] = (await client.list_tools()).tools
    assert tool.name == "search_everywhere"
    assert tool.annotations is not None
    assert tool.annotations.read_only_hint
    assert tool.annotations.open_world_hint
    assert tool.annotations.idempotent_hint
    assert not tool.annotations.destructive_hint
    assert tool.input_schema["required"] == ["query"]
    assert tool.input_schema["properties"]["limit"]["default"] == 10


async def test_a_result_has_the_shape_of_the_contract_and_of_its_schema(call: Caller) -> None:
    url = "https://example.org/reef"
    await call.shelf.put(page(url, "A reef of corals."), paper("notes/reef.md", "A reef again."))
    await call.indices.fill({"a": ("Reef, a third time", {"url": url}), "b": "A last reef"})
    result = await call("reef", sources=["archive", "indices", "osdu"])
    async with Client(call.server) as client:
        [tool] = (await client.list_tools()).tools
    jsonschema.validate(result, tool.output_schema or {})
    assert (result["success"], result["query"], result["truncated"]) == (True, "reef", False)
    for hit in result["results"]:
        assert set(hit) >= {"source", "id", "title", "url", "snippet", "score", "rank"}
    assert [hit["rank"] for hit in result["results"]] == [1, 2, 3]
    for outcome in result["sources"]:
        assert set(outcome) >= {"source", "success", "count", "took_ms"}
        assert ("error" in outcome) is not outcome["success"]


async def test_the_text_is_the_same_answer(call: Caller) -> None:
    await call.indices.fill({"a": "A reef"})
    await call("reef")
    assert "[indices default: a]" in call.text
    assert "doc://default/a" in call.text


async def test_an_unknown_source_is_refused_with_those_there_are(call: Caller) -> None:
    told = await call.refused(query="reef", sources=["archive", "canary_51"])
    assert "sources.1" in told
    assert all(name in told for name in ("archive", "indices", "osdu", "quilt", "web"))
    assert "canary_51" not in told


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"query": 5},
        {"query": "reef", "limit": 0},
        {"query": "reef", "limit": 101},
        {"query": "reef", "limit": "five"},
        {"query": "reef", "max_chars": 10},
        {"query": "reef", "sources": "archive"},
        {"query": "reef", "cursor": "x"},
    ],
)
async def test_what_breaks_the_schema_is_refused(call: Caller, arguments: dict[str, object]) -> None:
    assert "Allowed" in await call.refused(**arguments)


async def test_a_result_is_bounded_unless_another_bound_is_given(call: Caller) -> None:
    words = "reef " * 200
    await call.indices.fill({f"{'x' * 300}{number}": words for number in range(60)})
    bounded = await call("reef", limit=60, detail="full")
    assert bounded["truncated"]
    assert not (await call("reef", limit=60, detail="full", max_chars=1_000_000))["truncated"]


async def test_a_query_against_the_rules_is_a_failure_that_does_not_repeat_it(call: Caller) -> None:
    failure = await call("canary " * 400)
    assert (failure["success"], failure["error_category"]) == (False, "validation")
    assert "canary" not in str(failure)


async def test_each_source_has_less_time_than_a_search_may_take(call: Caller) -> None:
    services = made_services(call.shelf.library)
    sources = sources_of(services, MAIN)
    deadlines = {source.name: source.deadline for source in sources}
    assert deadlines.pop("web") == 16.0
    assert set(deadlines.values()) == {48.0}
    await services.upstreams.aclose()
