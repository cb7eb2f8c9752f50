"""What the document "MCP Tool Specification" asks for: searchLocalArchives, on both engines."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from indexer.settings import IndexerSettings
from tests.integration.source_site import Page, serving
from tests.seeds import rows_003 as rows
from tests.seeds.agent import Agent
from tests.seeds.requirements import seed
from tests.service import Service

TITLE = "Seed 003: archives"
DEVIATIONS = rows.DEVIATIONS
SEARCH = "searchLocalArchives"
NOWHERE = {"page": None, "heading": None, "line": None}
WEB_PAGE = b"<html><head><title>Engine rooms</title></head><body><p>A page about turbines</p></body></html>"


def cases(table: list[Any]) -> list[Any]:
    return [pytest.param(*row, marks=seed(lines, requirement)) for lines, requirement, *row in table]


def ingest(service: Service, source: dict[str, Any]) -> None:
    """Put a source into the archive, and wait until it is searchable."""
    with httpx.Client(base_url=f"{service.url}/api/v1", timeout=60, trust_env=False) as client:
        job = client.post("/archives/ingest", json={"source": source}).raise_for_status().json()["job_id"]
        status: dict[str, Any] = {}
        while status.get("status") not in {"done", "failed"}:
            status = client.get(f"/jobs/{job}", params={"wait_seconds": 50}).raise_for_status().json()
    assert (status["status"], status["counts"]["failed"]) == ("done", 0), status


@pytest.fixture(scope="module", autouse=True)
def page_url(service: Service) -> Iterator[str]:
    """Fill the archive with real files and a page; yield the page's address."""
    folder = service.folder / "archive"
    for path, text in rows.FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    ingest(service, {"type": "folder", "path": str(folder / "research-archive")})
    with serving() as site:
        site.pages["/turbines"] = Page(WEB_PAGE)
        ingest(service, {"type": "urls", "urls": [f"{site.address}/turbines"]})
        yield f"{site.address}/turbines"


def paths(found: dict[str, Any]) -> list[str]:
    return [hit["document"]["path"] for hit in found["results"]]


async def hit_at(agent: Agent, path: str, **arguments: Any) -> dict[str, Any]:
    """Search, and return the result of this path."""
    found = await agent.call(SEARCH, **arguments)
    assert found["success"], found
    (hit,) = [hit for hit in found["results"] if hit["document"]["path"] == path]
    return dict(hit)


@seed("47,166-175", "A tool named searchLocalArchives is registered with the MCP server")
@seed("48", "Its description: Searches the local research and URL content archives")
async def test_the_tool_is_listed(agent: Agent) -> None:
    listed = agent.tools[SEARCH]
    assert (listed.description or "").startswith("Searches the local research and URL content archives")
    assert listed.input_schema["type"] == "object"


@pytest.mark.parametrize(("name", "expected"), cases(rows.ARGUMENTS))
async def test_arguments_have_type_default_and_limits(agent: Agent, name: str, expected: dict[str, Any]) -> None:
    listed = agent.arguments(SEARCH)[name]
    assert {key: listed.get(key, rows.REQUIRED) for key in expected} == expected
    assert listed["description"]
    assert agent.required(SEARCH) == {"query"}


@pytest.mark.parametrize(("name", "wrong"), cases(rows.REFUSED))
async def test_arguments_outside_their_limits_are_refused(agent: Agent, name: str, wrong: object) -> None:
    given = {"query": "sea", name: wrong} if wrong is not None else {}
    assert name in await agent.refusal(SEARCH, **given)


@seed("84", "An argument that is left out has its default")
@seed("111-119,250-257", "metadata: totalResults and what was asked")
async def test_defaults_are_told_in_the_metadata(agent: Agent) -> None:
    found = await agent.call(SEARCH, query="calculus")
    assert found["metadata"] == {
        "totalResults": len(found["results"]),
        "query": "calculus",
        "fuzzy": True,
        "includeCitations": False,
        "citationDepth": 1,
        "limit": 10,
        "corrected": {},
    }
    given = {"query": "calculus", "fuzzy": False, "includeCitations": True, "citationDepth": 2, "limit": 3}
    assert given.items() <= (await agent.call(SEARCH, **given))["metadata"].items()


@seed("75,98", "limit is the maximum number of results: 10 by default, at most 50")
async def test_limit_bounds_the_results(agent: Agent) -> None:
    for given, expected in (({}, 10), ({"limit": 1}, 1), ({"limit": 50}, 50)):
        found = await agent.call(SEARCH, query="plankton", max_chars=1_000_000, **given)
        assert (len(found["results"]), found["metadata"]["totalResults"]) == (expected, 55)


@seed("58,95", "fuzzy enables fuzzy matching, and false turns it off")
async def test_fuzzy_matching_can_be_turned_off(agent: Agent) -> None:
    assert rows.INTRO in paths(await agent.call(SEARCH, query="machin lerning"))
    assert paths(await agent.call(SEARCH, query="lerning", fuzzy=False)) == []


@seed("16,48,138", "Local research and URL content is searched; source tells which it is")
async def test_files_and_pages_are_searched(agent: Agent, page_url: str) -> None:
    page = await hit_at(agent, page_url, query="turbines")
    assert (page["document"]["source"], page["document"]["title"]) == ("url", "Engine rooms")
    assert (await hit_at(agent, rows.INTRO, query="subset"))["document"]["source"] == "research"


@seed("179-188", "The example call")
@seed("134-141,196-203", "document: id, title, path, source, date, score")
async def test_the_example_finds_its_document(agent: Agent) -> None:
    found = await agent.call(SEARCH, **rows.EXAMPLE_CALL)
    assert set(paths(found)) == {rows.INTRO, rows.ALGORITHMS}
    document = (await hit_at(agent, rows.INTRO, **rows.EXAMPLE_CALL))["document"]
    assert document == {
        "id": document["id"],
        "title": "Introduction to Machine Learning",
        "path": "research-archive/2025-05-20/machine_learning_intro.md",
        "source": "research",
        "date": "2025-05-20",
        "score": document["score"],
    }
    assert 0 < document["score"] <= 1
    assert (await agent.call("archive_get_document", id=document["id"]))["document"]["path"] == rows.INTRO
    given = {key: found["metadata"][key] for key in ("query", "fuzzy", "includeCitations", "citationDepth", "limit")}
    assert given == {**rows.EXAMPLE_CALL, "citationDepth": 1}
    assert found["metadata"]["totalResults"] == 2


@seed("142-145,204-213", "highlights: an entry for the title and one for the content, neighbouring words in one mark")
async def test_the_example_is_highlighted_in_title_and_content(agent: Agent) -> None:
    title, content = (await hit_at(agent, rows.INTRO, **rows.EXAMPLE_CALL, detail="full"))["highlights"]
    assert title == {
        "field": "title",
        "snippets": ["Introduction to <mark>Machine Learning</mark>"],
        "locations": [{**NOWHERE, "heading": "Introduction to Machine Learning", "line": 1}],
    }
    assert content["field"] == "content"
    (snippet,) = content["snippets"]
    assert snippet.startswith("<mark>Machine learning</mark> is a subset of artificial intelligence...")
    assert content["locations"] == [{**NOWHERE, "heading": "Introduction to Machine Learning", "line": 3}]


@seed("146-161,214-225", "citations: citing and cited, each with source, target, address, context and confidence")
async def test_the_example_has_citations(agent: Agent) -> None:
    intro = await hit_at(agent, rows.INTRO, **rows.EXAMPLE_CALL)
    algorithms = await hit_at(agent, rows.ALGORITHMS, **rows.EXAMPLE_CALL)
    citation = {
        "sourceId": intro["document"]["id"],
        "targetId": algorithms["document"]["id"],
        "targetUrl": "https://example.com/ml-algorithms",
        "context": "For more information on ML algorithms, see this resource.",
        "confidence": 1.0,
    }
    assert intro["citations"] == {"citing": [citation], "cited": []}
    assert algorithms["citations"]["cited"] == [citation]


@seed("101-106,229-249", "citationGraph: nodes with id, label and type, edges with from, to and confidence")
async def test_the_example_has_a_citation_graph(agent: Agent) -> None:
    found = await agent.call(SEARCH, **{**rows.EXAMPLE_CALL, "query": "introduction"})
    ids = {hit["document"]["path"]: hit["document"]["id"] for hit in found["results"]}
    (target,) = [node for node in found["citationGraph"]["nodes"] if node["type"] == "target"]
    source = {"id": ids[rows.INTRO], "label": "Introduction to Machine Learning", "type": "source"}
    assert found["citationGraph"] == {
        "nodes": [source, {"id": target["id"], "label": "Machine Learning Algorithms", "type": "target"}],
        "edges": [{"from": source["id"], "to": target["id"], "confidence": 1.0}],
        "truncated": False,
    }


@seed("68,97", "citationDepth is the number of levels of citations")
async def test_the_graph_goes_as_deep_as_asked(agent: Agent) -> None:
    chain = ["Introduction to Machine Learning", "Machine Learning Algorithms", "Descent", "Calculus"]
    for depth in (1, 2, 3):
        found = await agent.call(SEARCH, query="introduction", includeCitations=True, citationDepth=depth)
        assert [node["label"] for node in found["citationGraph"]["nodes"]] == chain[: depth + 1]


@seed("63,146,161", "Without includeCitations there are no citations")
@seed("101-103", "Without includeCitations there is no citationGraph")
async def test_citations_are_left_out_unless_asked_for(agent: Agent) -> None:
    found = await agent.call(SEARCH, query="introduction")
    assert "citationGraph" not in found
    assert all("citations" not in hit for hit in found["results"])


@pytest.mark.parametrize(("arguments", "what", "category"), cases(rows.FAILURES))
async def test_failures_say_what_failed(agent: Agent, arguments: dict[str, Any], what: str, category: str) -> None:
    failure = await agent.call(SEARCH, **arguments)
    assert failure["success"] is False
    assert failure["error"].startswith(f"Failed to search local archives: {what}")
    assert len(failure["error"]) > len("Failed to search local archives: ")
    assert failure["error_category"] == category
    assert failure["fix"]["required_action"]


@seed("122,269", "The operator learns of failures: they are counted by tool and category")
def test_failures_are_counted(service: Service) -> None:
    with httpx.Client(base_url=service.url, trust_env=False) as client:
        client.post("/api/v1/archives/search", json={"query": "sea", "sort": ["-auther"]})
        metrics = client.get("/metrics").text
    assert any(SEARCH in line and "validation" in line for line in metrics.splitlines())


@seed("274-280", "An environment variable says where the data is; without it there is a default")
def test_the_data_is_where_the_environment_says(service: Service) -> None:
    assert any((service.folder / "data").iterdir())
    assert IndexerSettings.model_fields["data_dir"].default
