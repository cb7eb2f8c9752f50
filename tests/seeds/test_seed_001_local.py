"""What the document "Search - MCP Tool Specification" asks for, on both engines."""

import json
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.seeds import rows_001 as rows
from tests.seeds.agent import Agent
from tests.seeds.requirements import seed
from tests.service import Service

TITLE = "Seed 001: local indices"
DEVIATIONS = rows.DEVIATIONS
ADDED = {"success": True, "status": "indexed", "doc_id": "doc-001", "token_count": 6}


def cases(table: list[Any]) -> list[Any]:
    return [pytest.param(*row, marks=seed(lines, requirement)) for lines, requirement, *row in table]


@pytest.fixture(scope="module")
def library(service: Service) -> str:
    """The index of the first example, with the documents that the searches are tried on."""
    index = f"{service.url}/api/v1/indices"
    httpx.post(index, json={"index_name": "documentation"}).raise_for_status()
    httpx.post(f"{index}/documentation/documents", json={"documents": rows.LIBRARY}).raise_for_status()
    return "documentation"


async def new_index(agent: Agent, **arguments: Any) -> str:
    """Create an index that no other test knows."""
    name = f"i-{uuid4().hex}"
    created = await agent.call("search_create_index", index_name=name, **arguments)
    assert created == {"success": True, "status": "created", "index_name": name, "backend": "memory"}
    return name


async def example(agent: Agent, text: str) -> dict[str, Any]:
    call = json.loads(text)
    return await agent.call(call["tool_name"], **call["arguments"])


def found(result: dict[str, Any]) -> list[str]:
    assert result["success"], result
    return [hit["doc_id"] for hit in result["results"]]


def hints(agent: Agent, tool: str) -> tuple[bool | None, bool | None]:
    listed = agent.tools[tool].annotations
    return (listed.read_only_hint, listed.idempotent_hint) if listed else (None, None)


@pytest.mark.parametrize(("tool", "name", "kind", "default"), cases(rows.PARAMETERS))
@seed("19,79,128", "The tools search_index, search_add_document and search_create_index")
async def test_parameters_are_those_of_the_tables(
    agent: Agent, tool: str, name: str, kind: str, default: object
) -> None:
    listed = agent.arguments(tool)[name]
    assert listed["type"] == kind
    assert (name in agent.required(tool)) is (default is rows.REQUIRED)
    assert listed.get("default", rows.REQUIRED if name in agent.required(tool) else None) == default
    valid = dict.fromkeys(agent.required(tool), "a")
    assert f"{name}: " in await agent.refusal(tool, **valid | {name: [["x"]]})


@seed("7,27,87", "Without an index name, or with null, the default index is used")
async def test_no_index_name_is_the_default_index(agent: Agent) -> None:
    word = f"w{uuid4().hex}"
    await agent.call("search_add_document", doc_id=word, content=word)
    for given in ({}, {"index_name": None}, {"index_name": "default"}):
        assert found(await agent.call("search_index", query=word, **given)) == [word]
    await agent.call("search_add_document", doc_id=f"{word}-2", content=word, index_name=None)
    assert (await agent.call("search_index", query=word))["total_matches"] == 2


@seed("26", "k is the maximum of results: 5 as in the example, 10 if it is left out")
async def test_k_bounds_the_results(agent: Agent) -> None:
    name = await new_index(agent)
    documents = [{"doc_id": f"d{number}", "content": "python"} for number in range(12)]
    await agent.call("search_add_documents", documents=documents, index_name=name)
    for given, expected in (({"k": 5}, 5), ({}, 10), ({"k": 1_000}, 12)):
        result = await agent.call("search_index", query="python", index_name=name, **given)
        assert (len(result["results"]), result["total_matches"]) == (expected, 12)
    for wrong in (0, 1_001):
        assert "k: " in await agent.refusal("search_index", query="python", k=wrong)


@pytest.mark.parametrize(("query", "expected"), cases(rows.QUERIES))
async def test_queries_with_operators(agent: Agent, library: str, query: str, expected: set[str]) -> None:
    result = await agent.call("search_index", query=query, index_name=library)
    assert set(found(result)) == expected
    assert result["total_matches"] == len(expected)


@seed("33-35,41-44", "The fields of a search and of each of its results, with the tables' types")
@seed("35", 'query_parsed: {"terms": [], "must": ["python"]}')
@seed("8,43", "Highlights are made automatically around the words that match")
async def test_a_search_returns_the_fields_of_the_tables(agent: Agent, library: str) -> None:
    result = await agent.call("search_index", query="+python", index_name=library)
    assert (result["query_parsed"]["terms"], result["query_parsed"]["must"]) == ([], ["python"])
    assert result["total_matches"] == 2
    first, second = sorted(result["results"], key=lambda hit: str(hit["doc_id"]))
    assert (first["doc_id"], first["metadata"]) == ("doc-001", {"author": "Smith", "year": 2026})
    assert isinstance(first["score"], float)
    assert first["highlights"] == ["<mark>Python</mark> rate limiting with token buckets"]
    assert second["metadata"] == {}


@seed("16,33,42", "Results are ranked by their relevance scores, best first")
@seed("55-64", "The usage example of search_index")
@pytest.mark.usefixtures("library")
async def test_the_example_of_a_search_is_ranked(agent: Agent) -> None:
    result = await example(agent, rows.EXAMPLE_SEARCH)
    scores = [hit["score"] for hit in result["results"]]
    assert found(result)[0] == "doc-005"
    assert set(found(result)) == {"doc-001", "doc-005", "doc-006"}
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[-1] > 0


@seed("43", "At most 3 highlights")
@seed("67", "Highlights are excerpts of the content")
async def test_at_most_three_highlights_come_from_the_content(agent: Agent) -> None:
    name, content = await new_index(agent), ("Other words stand here in between. " * 20 + "Python. ") * 8
    await agent.call("search_add_document", doc_id="long", content=content, index_name=name)
    [hit] = (await agent.call("search_index", query="python", index_name=name, detail="full"))["results"]
    excerpts = [text.replace("<mark>", "").replace("</mark>", "").strip("… ") for text in hit["highlights"]]
    assert len(excerpts) == 3
    assert all("<mark>Python</mark>" in text for text in hit["highlights"])
    assert all(excerpt in content and len(excerpt) < len(content) for excerpt in excerpts)


@pytest.mark.parametrize("query", ["", "  \n"])
@seed("47", 'Empty query returns {"results": [], "total_matches": 0}')
async def test_an_empty_query_finds_nothing(agent: Agent, library: str, query: str) -> None:
    result = await agent.call("search_index", query=query, index_name=library)
    assert (result["success"], result["results"], result["total_matches"]) == (True, [], 0)


@seed("51", "Search is idempotent and read-only")
async def test_a_search_changes_nothing(agent: Agent, library: str) -> None:
    first, second = [await agent.call("search_index", query="machine", index_name=library) for _ in range(2)]
    assert first["results"] == second["results"]
    assert hints(agent, "search_index") == (True, True)


@pytest.mark.parametrize("query", rows.HOSTILE)
@seed("68", "Query strings are tokenized and sanitized: no injection")
async def test_hostile_queries_are_text(agent: Agent, library: str, query: str) -> None:
    result = await agent.call("search_index", query=query, index_name=library)
    assert result["success"]
    assert result["total_matches"] < len(rows.LIBRARY)


@pytest.mark.parametrize(("tool", "arguments", "error"), cases(rows.FAILURES))
async def test_failures_have_the_documents_words(
    agent: Agent, tool: str, arguments: dict[str, Any], error: str
) -> None:
    failure = await agent.call(tool, **arguments)
    assert (failure["success"], failure["error"]) == (False, error)
    if "doc_id" in arguments:
        bulk = await agent.call("search_add_documents", documents=[arguments])
        assert bulk["results"] == [{"doc_id": "blank", "status": "failed", "error": error}]


@seed("75,84-87,93-95", "A document is indexed, and re-indexed with new content; doc-001 has 6 tokens")
async def test_documents_are_added_and_updated(agent: Agent) -> None:
    name = await new_index(agent)
    assert await agent.call("search_add_document", **rows.LIBRARY[0], index_name=name) == ADDED
    updated = await agent.call("search_add_document", doc_id="doc-001", content="Leaky buckets", index_name=name)
    assert updated == {"success": True, "status": "re-indexed", "doc_id": "doc-001", "token_count": 2}
    assert found(await agent.call("search_index", query="leaky", index_name=name)) == ["doc-001"]
    assert found(await agent.call("search_index", query="python", index_name=name)) == []


@seed("101", "Re-indexing the same content with the same id produces an identical index state")
async def test_adding_the_same_again_changes_nothing(agent: Agent) -> None:
    name = await new_index(agent)
    documents = [rows.LIBRARY[0], {**rows.LIBRARY[0], "doc_id": "tie"}, *rows.LIBRARY[1:]]
    await agent.call("search_add_documents", documents=documents, index_name=name)

    async def state() -> list[Any]:
        hits = (await agent.call("search_index", query="python buckets", index_name=name))["results"]
        read = [await agent.call("search_get_document", doc_id=hit["doc_id"], index_name=name) for hit in hits]
        return [hits, read]

    before = await state()
    for _ in range(6):
        again = await agent.call("search_add_document", **rows.LIBRARY[0], index_name=name)
        assert again == ADDED | {"status": "re-indexed"}
    bulk = await agent.call("search_add_documents", documents=documents[::-1], index_name=name)
    assert {row["status"] for row in bulk["results"]} == {"re-indexed"}
    assert await state() == before
    assert hints(agent, "search_add_document") == (False, True)


@seed("105-114", "The usage example of search_add_document")
@seed("86,118", "Metadata is arbitrary and stored as it is")
async def test_the_example_of_an_add(agent: Agent) -> None:
    added = await example(agent, rows.EXAMPLE_ADD)
    assert added == {"success": True, "status": "indexed", "doc_id": "readme-rate-limiting", "token_count": 10}
    read = await agent.call("search_get_document", doc_id="readme-rate-limiting")
    assert read["metadata"] == {"module": "rate_limiting", "type": "readme"}
    deep = {"any": {"thing": [1, 2.5, None, {"x": True}]}, "": "<b>"}
    await agent.call("search_add_document", doc_id="deep", content="a deep one", metadata=deep)
    assert (await agent.call("search_get_document", doc_id="deep"))["metadata"] == deep


@pytest.mark.parametrize(("config", "tokens", "matches"), cases(rows.TOKENIZERS))
async def test_the_tokenizer_is_as_configured(
    agent: Agent, config: dict[str, Any], tokens: int, matches: dict[str, int]
) -> None:
    name = await new_index(agent, tokenizer_config=config)
    given = {"doc_id": "doc", "content": "Python is a rate limiting API", "index_name": name}
    added = await agent.call("search_add_document", **given)
    assert added["token_count"] == tokens
    results = {word: await agent.call("search_index", query=word, index_name=name) for word in matches}
    assert {word: result["total_matches"] for word, result in results.items()} == matches


@seed("125,134-136,149-151", "A new index: created, its name, and the backend in use")
@seed("158", "Creating it again is an error that names search_add_document")
@seed("162-173", "The usage example of search_create_index")
async def test_the_example_of_a_new_index(agent: Agent) -> None:
    created = {"success": True, "status": "created", "index_name": "codebase_search", "backend": "memory"}
    assert await example(agent, rows.EXAMPLE_CREATE) == created
    again = await example(agent, rows.EXAMPLE_CREATE)
    assert (again["error"], again["error_category"]) == ("Index already exists: codebase_search", "conflict")
    assert "search_add_document" in again["alternatives"]
    assert hints(agent, "search_create_index") == (False, False)
    described = await agent.call("search_describe_index", index_name="codebase_search")
    assert (described["tokenizer_config"]["lowercase"], described["tokenizer_config"]["min_length"]) == (True, 3)
    asked = {
        "index_name": "project_docs",
        "backend": "memory",
        "tokenizer_config": {"lowercase": True, "min_length": 3},
    }
    assert await agent.call("search_create_index", **asked) == created | {"index_name": "project_docs"}


@seed("177", "The total of indices can be monitored")
@pytest.mark.usefixtures("library")
def test_indices_and_documents_are_gauges(service: Service) -> None:
    listed = httpx.get(f"{service.url}/api/v1/indices").json()["indices"]
    metrics = httpx.get(f"{service.url}/metrics").text
    assert f'trawl_indices{{kind="local",team="main"}} {len(listed)}.0\n' in metrics
    assert f'trawl_documents{{kind="local",team="main"}} {sum(each["documents"] for each in listed)}.0\n' in metrics
