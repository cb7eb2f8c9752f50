"""`document_read` of documents that OSDU and Quilt keep: plain words are marked, and there are no places."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from indexer.bootstrap import open_library
from indexer.errors import NotConfigured, NotFound
from indexer.settings import IndexerSettings
from mcp_server.document_ids import DocumentKey
from mcp_server.features.documents.operations import READ_DOCUMENT
from mcp_server.run import run
from mcp_server.sandbox import OSDU_SANDBOX_TOKEN
from mcp_server.services import Services
from mcp_server.upstream.upstreams import Upstreams
from tests.made_services import MAIN, made_services, made_upstreams
from tests.unit.everywhere.everywhere_caller import osdu_settings
from tests.unit.everywhere.made_sources import PATIENT
from tests.upstreams.osdu import TOKEN, in_memory, osdu_server
from tests.upstreams.osdu_records import WELL, record
from tests.upstreams.quilt import in_memory as catalogue
from tests.upstreams.quilt import quilt_server
from tests.upstreams.quilt_caller import settings as quilt_settings
from tests.upstreams.quilt_contents import QuiltContents, QuiltPackage, Revision

BUCKET = "reef-data"
CORALS = QuiltPackage(BUCKET, "lab/corals", (Revision(datetime(2025, 1, 1, tzinfo=UTC), "Corals of a sea", {}, ()),))
DEEP = {"FacilityName": "Deep wells of the well 🐟", "Depth": 4_000, "URL": "https://example.org/w"}


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    """Services with an OSDU and a catalog."""
    async with (
        osdu_server(in_memory([record("deep", WELL, dict(DEEP))])) as osdu,
        quilt_server(catalogue(QuiltContents((BUCKET,), (), (CORALS,)))) as quilt,
    ):
        opened = made_upstreams(osdu=osdu_settings(osdu.url), quilt=quilt_settings(quilt.url, buckets=(BUCKET,)))
        async for made in _made(tmp_path, opened):
            yield made


@pytest.fixture
async def alone(tmp_path: Path) -> AsyncIterator[Services]:
    """Services without upstreams."""
    async for made in _made(tmp_path, made_upstreams()):
        yield made


async def _made(folder: Path, opened: Upstreams) -> AsyncIterator[Services]:
    library = open_library(IndexerSettings(engine="tantivy", data_dir=folder, search_timeout=PATIENT))
    yield made_services(library, opened)
    await opened.aclose()
    await library.aclose()


async def read(services: Services, key: DocumentKey, query: str | None = None, **arguments: Any) -> Any:
    return await run(READ_DOCUMENT, services, MAIN, {"id": key.encode(), "query": query, **arguments})


async def test_a_record_of_osdu_is_marked_by_plain_words(services: Services) -> None:
    key = DocumentKey("osdu", None, record("deep", WELL, {})["id"])

    result = await read(services, key, 'WELL depth* "of the" -deep wel')

    marked = [result["text"][start:end] for start, end in result["matches"]]
    assert marked == ["of the", "well", "Depth"]
    assert json.loads(result["text"]) == DEEP
    assert (result["title"], result["url"]) == (DEEP["FacilityName"], DEEP["URL"])
    assert (result["source"], result["index_name"], result["places"]) == ("osdu", None, [])
    assert result["document_id"] == key.id


async def test_a_record_is_read_in_parts(services: Services) -> None:
    key = DocumentKey("osdu", None, record("deep", WELL, {})["id"])

    rest = await read(services, key, "well", offset=30)

    assert [rest["text"][start - 30 : end - 30] for start, end in rest["matches"]] == ["well"]
    assert rest["total_chars"] == 30 + len(rest["text"])


async def test_a_package_of_quilt_is_read_by_what_the_catalog_tells(services: Services) -> None:
    result = await read(services, DocumentKey("quilt", None, f"package/{BUCKET}/lab/corals"), "sea")

    assert [result["text"][start:end] for start, end in result["matches"]] == ["sea"]
    assert result["url"].endswith(f"/b/{BUCKET}/packages/lab/corals")


async def test_a_document_of_a_sandbox_says_so(tmp_path: Path) -> None:
    async with osdu_server(in_memory([record("deep", WELL, dict(DEEP))])) as server:
        server.users[OSDU_SANDBOX_TOKEN] = server.users[TOKEN]
        settings = osdu_settings(server.url).model_copy(update={"token": SecretStr(OSDU_SANDBOX_TOKEN)})
        async for sandbox in _made(tmp_path, made_upstreams(osdu=settings)):
            result = await read(sandbox, DocumentKey("osdu", None, record("deep", WELL, {})["id"]))
            assert result["sandbox"] is True


async def test_what_is_gone_is_not_found_and_a_source_without_settings_says_so(
    services: Services, alone: Services
) -> None:
    for key in (DocumentKey("osdu", None, "opendes:nothing:1"), DocumentKey("quilt", None, "object/b/k")):
        with pytest.raises(NotFound):
            await read(services, key, "well")
        with pytest.raises(NotConfigured):
            await read(alone, key, "well")
