"""Searching everywhere over HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from mcp_server.document_ids import DocumentKey
from tests.service import application
from tests.unit.everywhere.made_sources import PATIENT

SEARCH = "/api/v1/search"


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    library = open_library(IndexerSettings(engine="tantivy", data_dir=folder, search_timeout=PATIENT))
    async with application(folder, library=library) as client:
        yield client
    await library.aclose()


async def test_a_search_answers_with_the_tool_s_result(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        documents = [{"doc_id": "a", "content": "A reef <1>"}]
        await client.post("/api/v1/indices/default/documents", json={"documents": documents})
        answer = await client.post(SEARCH, json={"query": "reef"})
        found = answer.json()
        assert answer.status_code == 200
        [hit] = found["results"]
        assert hit == {
            "source": "indices",
            "id": "a",
            "title": "a",
            "url": "doc://default/a",
            "snippet": "A <mark>reef</mark> &lt;1&gt;",
            "score": 1.0,
            "rank": 1,
            "index_name": "default",
            "fetch_id": DocumentKey("indices", "default", "a").encode(),
            "matched": "exact",
            "passages": [{"text": "A <mark>reef</mark> &lt;1&gt;", "page": None, "heading": None, "line": None}],
            "fields": {},
        }
        assert (found["success"], found["query"], found["truncated"]) == (True, "reef", False)
        assert [(outcome["source"], outcome["count"]) for outcome in found["sources"]] == [
            ("archive", 0),
            ("indices", 1),
        ]
        assert found["not_configured"] == ["osdu", "quilt", "web"]


async def test_a_source_without_settings_is_told_beside_the_others(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        answer = await client.post(SEARCH, json={"query": "reef", "sources": ["archive", "web"]})
        assert answer.status_code == 200
        archive, web = answer.json()["sources"]
        assert (archive["success"], web["success"]) == (True, False)
        assert "not configured" in web["error"]


async def test_where_nothing_else_was_asked_the_status_is_that_of_the_failure(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        answer = await client.post(SEARCH, json={"query": "reef", "sources": ["osdu", "web"]})
        failure = answer.json()
        assert (answer.status_code, failure["success"], failure["error_category"]) == (501, False, "not_configured")
        assert [outcome["source"] for outcome in failure["details"]["sources"]] == ["osdu", "web"]


async def test_an_unknown_source_is_refused_with_those_there_are(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        answer = await client.post(SEARCH, json={"query": "reef", "sources": ["canary_77"]})
        assert answer.status_code == 422
        assert "canary_77" not in answer.text
        assert all(name in answer.json()["error"] for name in ("archive", "indices", "osdu", "quilt", "web"))


async def test_results_are_not_bounded_unless_asked_for(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        documents = [{"doc_id": f"{'x' * 300}{number}", "content": "reef " * 200} for number in range(60)]
        await client.post("/api/v1/indices/default/documents", json={"documents": documents})
        whole = (await client.post(SEARCH, json={"query": "reef", "limit": 60})).json()
        short = (await client.post(SEARCH, json={"query": "reef", "limit": 60, "max_chars": 2_000})).json()
        assert (len(whole["results"]), whole["truncated"]) == (60, False)
        assert len(short["results"]) < 60
        assert short["truncated"]
