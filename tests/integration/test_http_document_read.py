"""A document with its matches and its citations over REST, and tokens that may not read it."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from indexer.tenancy import IndexName
from mcp_server.access.scopes import ALL_SCOPES
from mcp_server.access.token_store import TokenStore
from mcp_server.document_ids import DocumentKey
from tests.contract.shelf import Shelf, paper
from tests.made_services import MAIN
from tests.operations import over_mcp
from tests.service import application

NETS = paper("notes/nets.md", "A trawl is a net that a ship tows.", title="Trawl nets", date="2021-04-12")
MESH = paper("notes/mesh.md", "The mesh lets small fish out.", title="Mesh <size>", links=("nets.md",))
ARCHIVED = DocumentKey("archive", None, NETS.id).encode()
INDEXED = DocumentKey("indices", "default", "a/b & c").encode()
TEXT = "".join(f"Paragraph {number} about reefs.\n\n" for number in range(1_000))


class Served:
    """A service with documents, and tokens for it."""

    def __init__(self, client: httpx.AsyncClient, store: TokenStore) -> None:
        self.client = client
        self._store = store

    def header(self, *scopes: str, indices: tuple[str, ...] | None = None) -> dict[str, str]:
        limited = None if indices is None else [IndexName(name) for name in indices]
        issued = self._store.issue(MAIN.team, scopes or ALL_SCOPES, name="test", created_by="test", indices=limited)
        return {"authorization": f"Bearer {issued.token}"}

    async def read(self, id_: str, **query: Any) -> httpx.Response:
        return await self.client.get(f"/api/v1/documents/{id_}", params=query)

    async def citations(self, id_: str, **query: Any) -> httpx.Response:
        return await self.client.get(f"/api/v1/documents/{id_}/citations", params=query)


@asynccontextmanager
async def served(folder: Path, **settings: Any) -> AsyncIterator[Served]:
    library = open_library(IndexerSettings(_env_file=None, engine="tantivy", data_dir=folder / "data"))
    try:
        await Shelf(library, MAIN).put(NETS, MESH)
        async with application(folder, library=library, auth="on", **settings) as client:
            made = Served(client, TokenStore(library.engine.records))
            client.headers.update(made.header())
            documents = [{"doc_id": "a/b & c", "content": TEXT, "metadata": {"title": "On <reefs>"}}]
            await client.post("/api/v1/indices/default/documents", json={"documents": documents})
            yield made
    finally:
        await library.aclose()


async def test_a_document_comes_with_its_matches(tmp_path: Path) -> None:
    async with served(tmp_path) as service:
        answer = await service.read(ARCHIVED, query="trawls shipp")
        plain = await service.read(ARCHIVED)
    result = answer.json()
    assert answer.status_code == 200
    assert [result["text"][start:end] for start, end in result["matches"]] == ["Trawl", "trawl", "ship"]
    assert (result["matches_total"], result["source"], result["document_id"]) == (3, "archive", NETS.id)
    assert result["places"] == [{"start": 12, "page": None, "heading": None, "line": 1}]
    assert (plain.json()["matches"], plain.json()["text"]) == ([], result["text"])


async def test_a_long_document_is_read_in_parts(tmp_path: Path) -> None:
    async with served(tmp_path) as service:
        first = (await service.read(INDEXED, query="reef", max_chars="5000")).json()
        second = (await service.read(INDEXED, query="reef", max_chars="5000", offset=first["next_offset"])).json()
        past = await service.read(INDEXED, offset=len(TEXT) + 1)
    assert first["text"] + second["text"] == TEXT[: second["next_offset"]]
    assert len(json.dumps([first["text"], first["metadata"]])) <= 5_004
    assert first["matches_total"] == second["matches_total"] == 1_000
    assert (past.status_code, past.json()["details"]) == (404, {"total_chars": len(TEXT)})


async def test_citations_come_by_the_ids_that_documents_have(tmp_path: Path) -> None:
    async with served(tmp_path) as service:
        answer = await service.citations(ARCHIVED, depth="3")
        cited = await service.read(answer.json()["cited_by"][0]["id"])
        none = await service.citations(INDEXED)
    assert answer.status_code == 200
    assert answer.json()["cites"] == []
    assert answer.json()["cited_by"][0]["title"] == cited.json()["title"] == "Mesh <size>"
    assert none.json()["graph"] == {"nodes": [], "edges": [], "truncated": False}


@pytest.mark.parametrize(
    ("id_", "query", "status"),
    [
        ("nonsense", {}, 404),
        (DocumentKey("indices", "nowhere", "a").encode(), {}, 404),
        (DocumentKey("archive", None, "d_none").encode(), {}, 404),
        (ARCHIVED, {"offset": "-1"}, 422),
        (ARCHIVED, {"max_chars": "999"}, 422),
        (ARCHIVED, {"depth": "1"}, 422),
        (DocumentKey("osdu", None, "x:y:1").encode(), {}, 501),
    ],
)
async def test_what_cannot_be_read_is_a_failure_with_what_to_do(
    tmp_path: Path, id_: str, query: dict[str, str], status: int
) -> None:
    async with served(tmp_path) as service:
        answer = await service.read(id_, **query)
    assert answer.status_code == status, answer.text
    assert answer.json()["fix"]["required_action"]


@pytest.mark.parametrize("scope", ["write", "ingest", "osdu", "admin"])
async def test_without_the_scope_nothing_is_read(tmp_path: Path, scope: str) -> None:
    async with served(tmp_path) as service:
        service.client.headers.update(service.header(scope))
        for answer in (await service.read(ARCHIVED), await service.read(INDEXED), await service.citations(ARCHIVED)):
            assert answer.status_code == 403
            assert answer.json()["details"] == {"missing_scopes": ["search"]}
            assert "reef" not in answer.text


async def test_a_token_limited_to_indices_reads_those_alone(tmp_path: Path) -> None:
    async with served(tmp_path) as service:
        service.client.headers.update(service.header("search", indices=("default",)))
        assert (await service.read(INDEXED, query="reef")).status_code == 200
        for answer in (await service.read(ARCHIVED, query="trawl"), await service.citations(ARCHIVED)):
            assert answer.status_code == 403
            assert answer.json()["details"] == {"indices": ["default"]}
        service.client.headers.update(service.header("search", indices=("archive",)))
        assert (await service.read(ARCHIVED)).status_code == 200
        assert (await service.citations(ARCHIVED)).status_code == 200
        assert (await service.read(INDEXED)).status_code == 403


async def test_a_source_needs_its_own_scope_too(tmp_path: Path) -> None:
    async with served(tmp_path) as service:
        service.client.headers.update(service.header("search"))
        answer = await service.read(DocumentKey("osdu", None, "x:y:1").encode())
    assert (answer.status_code, answer.json()["details"]) == (403, {"missing_scopes": ["osdu"]})


async def test_they_are_no_tools(tmp_path: Path) -> None:
    async with served(tmp_path) as service:
        tools = (await over_mcp(service.client, "tools/list", {}))["result"]["tools"]
        described = (await service.client.get("/openapi.json")).json()["paths"]
    assert not {"document_read", "document_citations"} & {tool["name"] for tool in tools}
    assert {"/api/v1/documents/{id}", "/api/v1/documents/{id}/citations"} <= described.keys()


async def test_a_service_of_these_operations_alone_reads_all_documents(tmp_path: Path) -> None:
    async with served(tmp_path, mcp={"tools": ("documents",), "read_only": True}) as service:
        assert (await service.read(ARCHIVED)).status_code == 200
        assert (await service.citations(ARCHIVED)).status_code == 200


async def test_a_reference_is_given_as_markdown(tmp_path: Path) -> None:
    path = f"/api/v1/archives/documents/{MESH.id}/citation"
    async with served(tmp_path) as service:
        cited = (await service.client.get(path, params={"format": "markdown"})).json()
        wrong = await service.client.get(path, params={"format": "html"})
    assert (cited["format"], cited["citation"]) == ("markdown", r"Mesh \<size\> — 2025-05-20")
    assert wrong.status_code == 422
