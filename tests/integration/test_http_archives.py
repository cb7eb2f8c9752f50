import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from tests.contract.shelf import Shelf, paper
from tests.made_services import MAIN
from tests.service import application

DOCUMENTS = "/api/v1/archives/documents"
NETS = paper("notes/nets.md", "A trawl is a net that a ship tows.", title="Trawl nets", date="2021-04-12")
MESH = paper("notes/mesh.md", "The mesh lets small fish out.", title="Mesh size", links=("nets.md",))
OTHER = paper("other/tides.md", "The tide comes in.", title="Tides")


@asynccontextmanager
async def archive(folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    library = open_library(IndexerSettings(_env_file=None, engine="tantivy", data_dir=folder / "data"))
    try:
        await Shelf(library, MAIN).put(NETS, MESH, OTHER)
        async with application(folder, library=library) as client:
            yield client
    finally:
        await library.aclose()


async def test_a_search_answers_with_the_tools_result(tmp_path: Path) -> None:
    async with archive(tmp_path) as client:
        asked = {"query": "fish", "includeCitations": True}
        answer = await client.post("/api/v1/archives/search", json=asked)
    found = answer.json()
    assert answer.status_code == 200
    assert found["metadata"]["totalResults"] == 1
    (hit,) = found["results"]
    assert hit["document"]["id"] == MESH.id
    assert hit["citations"]["citing"][0]["targetId"] == NETS.id


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ({}, ["notes/mesh.md", "notes/nets.md", "other/tides.md"]),
        ({"filters": json.dumps({"path": {"prefix": "notes/"}})}, ["notes/mesh.md", "notes/nets.md"]),
        ({"sort": "-title"}, ["notes/nets.md", "other/tides.md", "notes/mesh.md"]),
        ({"sort": "date,-path"}, ["notes/nets.md", "other/tides.md", "notes/mesh.md"]),
        ({"sort": '["-path"]', "limit": "1"}, ["other/tides.md"]),
    ],
)
async def test_documents_are_listed_by_the_query_string(
    tmp_path: Path, query: dict[str, str], paths: list[str]
) -> None:
    async with archive(tmp_path) as client:
        answer = await client.get(DOCUMENTS, params=query)
    assert answer.status_code == 200
    assert [document["path"] for document in answer.json()["documents"]] == paths


async def test_pages_of_a_list_follow_each_other(tmp_path: Path) -> None:
    async with archive(tmp_path) as client:
        first = (await client.get(DOCUMENTS, params={"limit": "2"})).json()
        second = (await client.get(DOCUMENTS, params={"limit": "2", "cursor": first["next_cursor"]})).json()
    assert (first["total"], len(first["documents"]), len(second["documents"])) == (3, 2, 1)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"filters": "canary"}, "filters is not valid JSON"),
        ({"filters": "[]"}, "filters"),
        ({"limit": "0"}, "limit"),
        ({"limit": "canary"}, "limit"),
        ({"colour": "canary"}, "colour"),
    ],
)
async def test_wrong_arguments_are_named_without_their_values(tmp_path: Path, query: dict[str, str], said: str) -> None:
    async with archive(tmp_path) as client:
        answer = await client.get(DOCUMENTS, params=query)
    assert answer.status_code == 422
    assert said in answer.json()["error"]
    assert "canary" not in answer.text


async def test_a_document_is_got_cited_and_deleted(tmp_path: Path) -> None:
    async with archive(tmp_path) as client:
        got = (await client.get(f"{DOCUMENTS}/{NETS.id}", params={"offset": "2"})).json()
        assert (got["document"]["title"], got["next_offset"]) == ("Trawl nets", None)
        assert got["content"].endswith("that a ship tows.")
        cited = (await client.get(f"{DOCUMENTS}/{NETS.id}/citation", params={"format": "csl-json"})).json()
        assert cited["citation"]["title"] == "Trawl nets"
        assert (await client.delete(f"{DOCUMENTS}/{NETS.id}")).json() == {"success": True, "deleted": 1}
        assert (await client.delete(f"{DOCUMENTS}/{NETS.id}")).json() == {"success": True, "deleted": 0}
        gone = await client.get(f"{DOCUMENTS}/{NETS.id}")
    assert (gone.status_code, gone.json()["error_category"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("source", "status", "category"),
    [
        ({"type": "folder", "path": "/srv/notes"}, 501, "not_configured"),
        ({"type": "urls", "urls": ["ftp://example.org/canary"]}, 422, "validation"),
        ({"type": "canary"}, 422, "validation"),
        ({"type": "upload", "staged": "canary"}, 422, "validation"),
    ],
)
async def test_a_source_that_cannot_be_read_is_refused(
    tmp_path: Path, source: dict[str, Any], status: int, category: str
) -> None:
    async with application(tmp_path) as client:
        answer = await client.post("/api/v1/archives/ingest", json={"source": source})
    assert (answer.status_code, answer.json()["error_category"]) == (status, category)
    assert "canary" not in answer.text
