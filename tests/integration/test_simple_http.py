"""`search` and `fetch` as chat clients call them, and the page of a document."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from indexer.tenancy import TeamId
from mcp_server.access.scopes import ALL_SCOPES
from mcp_server.access.token_store import TokenStore
from tests.operations import over_mcp
from tests.service import application

LONG = "".join(f"Paragraph {number} about reefs.\n\n" for number in range(10_000))
DOCUMENTS = [
    {
        "doc_id": "reef & <co>",
        "content": "Corals build a <b>reef</b>.\n\nIt grows.",
        "metadata": {"title": "On <reefs>"},
    },
    {"doc_id": "page", "content": "A page on kelp", "metadata": {"url": "https://example.org/kelp", "source": "mine"}},
    {"doc_id": "ж" * 256, "content": "The longest name of a plankton net"},
    {"doc_id": "long", "content": LONG, "metadata": {"notes": "n" * 50_000}},
]


@asynccontextmanager
async def served(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with application(tmp_path) as made:
        await made.post("/api/v1/indices/default/documents", json={"documents": DOCUMENTS})
        yield made


async def called(client: httpx.AsyncClient, name: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool; both forms of its result must say the same."""
    result = (await over_mcp(client, "tools/call", {"name": name, "arguments": arguments}))["result"]
    [content] = result["content"]
    structured: dict[str, Any] = result["structuredContent"]
    if structured["success"]:
        assert json.loads(content["text"]) == structured
    return structured


async def first(client: httpx.AsyncClient, query: str) -> dict[str, Any]:
    hit: dict[str, Any] = (await called(client, "search", query=query))["results"][0]
    assert set(hit) == {"id", "title", "url", "text"}
    return hit


async def test_a_result_has_one_plain_passage_and_an_address_that_opens(tmp_path: Path) -> None:
    async with served(tmp_path) as client:
        hit = await first(client, "corals")
        assert (hit["title"], hit["text"]) == ("On <reefs>", "Corals build a <b>reef</b>. It grows.")
        assert hit["url"] == f"http://127.0.0.1:8000/d/{hit['id']}"
        assert (await client.get(f"/d/{hit['id']}")).status_code == 200
        assert (await first(client, "kelp"))["url"] == "https://example.org/kelp"


async def test_the_public_address_comes_from_the_settings(tmp_path: Path) -> None:
    library = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path / "data"))
    issued = TokenStore(library.engine.records).issue(TeamId("main"), ALL_SCOPES, name="test", created_by="test")
    async with application(tmp_path, library=library, public_url="https://search.example.org") as client:
        client.headers["authorization"] = f"Bearer {issued.token}"
        await client.post("/api/v1/indices/default/documents", json={"documents": DOCUMENTS[:1]})
        hit = await first(client, "corals")
    await library.aclose()
    assert hit["url"] == f"https://search.example.org/d/{hit['id']}"


async def test_what_search_found_can_be_fetched_whole(tmp_path: Path) -> None:
    async with served(tmp_path) as client:
        hit = await first(client, "corals")
        document = await called(client, "fetch", id=hit["id"])
        assert set(document) == {"success", "id", "title", "text", "url", "metadata"}
        assert (document["id"], document["title"], document["url"]) == (hit["id"], hit["title"], hit["url"])
        assert document["text"] == DOCUMENTS[0]["content"]
        assert document["metadata"]["source"] == "indices"
        assert document["metadata"]["index_name"] == "default"
        assert document["metadata"]["truncated"] is False
        kelp = await called(client, "fetch", id=(await first(client, "kelp"))["id"])
        assert (kelp["url"], kelp["metadata"]["source"]) == ("https://example.org/kelp", "indices")
        longest = await called(client, "fetch", id=(await first(client, "plankton"))["id"])
        assert longest["metadata"]["doc_id"] == DOCUMENTS[2]["doc_id"]


async def test_a_long_text_is_cut_for_agents_and_goes_on_at_the_next_offset(tmp_path: Path) -> None:
    async with served(tmp_path) as client:
        id_ = (await first(client, "paragraph"))["id"]
        texts, offset = [], 0
        while offset is not None:
            part = await called(client, "fetch", id=id_, offset=offset)
            assert len(json.dumps(part)) < 100_000
            assert part["metadata"]["total_chars"] == len(LONG)
            texts.append(part["text"])
            offset = part["metadata"].get("next_offset")
            assert part["metadata"]["truncated"] is (offset is not None or len(texts) > 1)
        assert "".join(texts) == LONG
        assert len(texts) < 8
        small = await called(client, "fetch", id=id_, max_chars=1_000)
        assert len(json.dumps(small)) <= 1_000
        past = await called(client, "fetch", id=id_, offset=10**7)
        assert past["error_category"] == "not_found"


async def test_the_same_is_there_over_rest(tmp_path: Path) -> None:
    async with served(tmp_path) as client:
        found = (await client.post("/api/v1/search/simple", json={"query": "corals"})).json()
        fetched = await client.get(f"/api/v1/fetch/{found['results'][0]['id']}")
        assert fetched.json()["text"] == DOCUMENTS[0]["content"]
        whole = (await client.get(f"/api/v1/fetch/{(await first(client, 'paragraph'))['id']}")).json()
        assert (whole["text"], whole["metadata"]["truncated"]) == (LONG, False)


@pytest.mark.parametrize("id_", ["nonsense", "1", "d_1f", "1aWRlZmF1bHQAbm90aGVyZQ", "1YWQA_"])
async def test_an_id_of_nothing_is_not_found_and_says_what_to_do(tmp_path: Path, id_: str) -> None:
    async with served(tmp_path) as client:
        failure = await called(client, "fetch", id=id_)
        assert (failure["success"], failure["error_category"]) == (False, "not_found")
        assert failure["fix"]["required_action"]
        assert (await client.get(f"/api/v1/fetch/{id_}")).status_code == 404
        page = await client.get(f"/d/{id_}")
        assert page.status_code == 404
        assert "<h1>" in page.text


async def test_the_page_of_a_document_escapes_everything_and_loads_nothing_inline(tmp_path: Path) -> None:
    async with served(tmp_path) as client:
        page = await client.get(f"/d/{(await first(client, 'corals'))['id']}")
        assert page.headers["content-type"].startswith("text/html")
        assert "unsafe" not in page.headers["content-security-policy"]
        assert "<h1>On &lt;reefs&gt;</h1>" in page.text
        assert "<p>Corals build a &lt;b&gt;reef&lt;/b&gt;.</p>" in page.text
        assert "style=" not in page.text
        linked = await client.get(f"/d/{(await first(client, 'kelp'))['id']}")
        assert '<a href="https://example.org/kelp" rel="noreferrer">' in linked.text


async def test_the_page_of_a_long_document_is_bounded_and_links_to_the_rest(tmp_path: Path) -> None:
    async with served(tmp_path) as client:
        address = f"/d/{(await first(client, 'paragraph'))['id']}"
        first_page = page = await client.get(address)
        while '<a href="?offset=' in page.text:
            assert len(page.text) < 300_000
            _, _, rest = page.text.partition('<a href="?offset=')
            page = await client.get(f"{address}?offset={rest.partition(chr(34))[0]}")
        assert page.text != first_page.text
        assert "Paragraph 9999 about reefs." in page.text
        assert (await client.get(f"{address}?offset=x")).text == first_page.text


async def test_only_what_the_service_offers_is_there(tmp_path: Path) -> None:
    async with application(tmp_path, mcp={"tools": ("simple",)}) as client:
        listed = (await over_mcp(client, "tools/list", {}))["result"]["tools"]
        assert [tool["name"] for tool in listed] == ["search", "fetch"]
        assert (await called(client, "search", query="reef"))["results"] == []
    async with application(tmp_path, mcp={"tools": ("archives",)}) as client:
        assert (await client.get("/d/1aWRlZmF1bHQAb25l")).status_code == 403
