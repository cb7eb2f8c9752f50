"""`search` and `fetch` over OSDU, Quilt and the archive."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from indexer.bootstrap import open_library
from indexer.errors import NotConfigured, NotFound
from indexer.settings import IndexerSettings
from mcp_server.document_ids import DocumentKey
from mcp_server.features.simple.operations import FETCH, SEARCH
from mcp_server.run import run
from mcp_server.services import Services
from tests.contract.caller import Caller
from tests.contract.shelf import Shelf, page, paper
from tests.made_services import MAIN, PUBLIC_URL, made_services, made_upstreams
from tests.unit.everywhere.everywhere_caller import osdu_settings
from tests.unit.everywhere.made_sources import PATIENT
from tests.upstreams.osdu import in_memory, osdu_server
from tests.upstreams.osdu_records import WELL, record
from tests.upstreams.quilt import in_memory as catalogue
from tests.upstreams.quilt import quilt_server
from tests.upstreams.quilt_caller import settings as quilt_settings
from tests.upstreams.quilt_contents import QuiltContents, QuiltObject, QuiltPackage, Revision

BUCKET = "reef-data"
WHEN = datetime(2025, 1, 1, tzinfo=UTC)
CONTENTS = QuiltContents(
    (BUCKET,),
    (
        QuiltObject(BUCKET, "logs/2025/deep reef.txt", "v1", 10, WHEN, "A deep reef"),
        QuiltObject(BUCKET, "logs/2025/deep reef.txt.bak", "v1", 10, WHEN, "A deep reef"),
    ),
    (QuiltPackage(BUCKET, "lab/corals", (Revision(WHEN, "Corals of a sea", {"author": "Smith"}, ()),)),),
)
WELLS = {
    "deep": {"FacilityName": "Deep well", "Depth": 4_000},
    "page": {"FacilityName": "Known well", "URL": "https://example.org/w"},
}


@pytest.fixture(params=[3, None], ids=["graphql", "elasticsearch"])
async def quilt(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Services]:
    async with quilt_server(catalogue(CONTENTS), generation=request.param) as server:
        server.packages_form = "flat"
        async for services in _services(tmp_path, quilt=quilt_settings(server.url, buckets=(BUCKET,))):
            yield services


@pytest.fixture
async def osdu(tmp_path: Path) -> AsyncIterator[Services]:
    records = [record(name, WELL, dict(data)) for name, data in WELLS.items()]
    async with osdu_server(in_memory(records)) as server:
        async for services in _services(tmp_path, osdu=osdu_settings(server.url)):
            yield services


@pytest.fixture
async def local(tmp_path: Path) -> AsyncIterator[Services]:
    async for services in _services(tmp_path):
        yield services


async def _services(folder: Path, **upstreams: Any) -> AsyncIterator[Services]:
    library = open_library(IndexerSettings(engine="tantivy", data_dir=folder, search_timeout=PATIENT))
    opened = made_upstreams(**upstreams)
    yield made_services(library, opened)
    await opened.aclose()
    await library.aclose()


async def search(services: Services, query: str) -> list[dict[str, Any]]:
    result: Any = await run(SEARCH, services, MAIN, {"query": query})
    hits: list[dict[str, Any]] = result["results"]
    return hits


async def fetch(services: Services, id_: str) -> Any:
    return await run(FETCH, services, MAIN, {"id": id_})


async def test_a_record_of_osdu_is_fetched_as_readable_json(osdu: Services) -> None:
    [hit] = await search(osdu, "deep")
    document = await fetch(osdu, hit["id"])
    assert (document["title"], document["url"]) == ("Deep well", f"{PUBLIC_URL}/d/{hit['id']}")
    assert json.loads(document["text"]) == WELLS["deep"]
    assert document["metadata"]["source"] == "osdu"
    assert document["metadata"]["kind"]
    [known] = await search(osdu, "known")
    assert known["url"] == (await fetch(osdu, known["id"]))["url"] == "https://example.org/w"


async def test_a_record_that_is_gone_is_not_found(osdu: Services) -> None:
    for id_ in ("opendes:nothing:1", "*"):
        with pytest.raises(NotFound):
            await fetch(osdu, DocumentKey("osdu", None, id_).encode())


async def test_objects_and_packages_of_quilt_are_fetched_by_what_the_catalog_tells(quilt: Services) -> None:
    hits = {hit["title"]: hit for hit in await search(quilt, "deep corals")}
    assert set(hits) == {"deep reef.txt", "deep reef.txt.bak", "lab/corals"}
    for title, hit in hits.items():
        document = await fetch(quilt, hit["id"])
        assert (document["id"], document["title"], document["url"]) == (hit["id"], title, hit["url"])
        assert document["metadata"]["s3_uri"].startswith(("s3://reef-data/", "quilt+s3://reef-data#package="))
        assert document["url"].startswith("http")
    assert hits["lab/corals"]["url"].endswith(f"/b/{BUCKET}/packages/lab/corals")
    assert hits["deep reef.txt"]["url"].endswith(f"/b/{BUCKET}/tree/logs/2025/deep%20reef.txt")
    assert '"author": "Smith"' in (await fetch(quilt, hits["lab/corals"]["id"]))["text"]


@pytest.mark.parametrize("id_", ["object/reef-data/logs/gone.txt", "package/reef-data/lab/gone", "folder/a/b", "x"])
async def test_an_entry_that_is_not_in_the_catalog_is_not_found(quilt: Services, id_: str) -> None:
    with pytest.raises(NotFound):
        await fetch(quilt, DocumentKey("quilt", None, id_).encode())


async def test_a_document_of_the_archive_comes_whole_with_what_is_known_of_it(local: Services) -> None:
    shelf = Shelf(local.library, MAIN)
    note = paper("notes/kelp.md", "A plant of cold water.", title="Kelp", authors=("Ada",), doi="10.1/kelp")
    await shelf.put(note, page("https://example.org/reef", "A reef.", title="Reef"))
    [hit] = await search(local, "plant")
    document = await fetch(local, hit["id"])
    assert document["text"] == "Kelp\n\nA plant of cold water."
    assert (
        document["metadata"].items()
        >= {
            "source": "archive",
            "path": "notes/kelp.md",
            "date": "2025-05-20",
            "authors": ["Ada"],
            "doi": "10.1/kelp",
        }.items()
    )
    [reef] = await search(local, "reef")
    assert reef["url"] == (await fetch(local, reef["id"]))["url"] == "https://example.org/reef"


async def test_a_document_of_two_sources_keeps_its_id_whichever_ranks_first(local: Services) -> None:
    await Shelf(local.library, MAIN).put(paper("notes/kelp.md", "A plant of cold water.", title="Kelp"))
    await Caller(local.library, MAIN).fill({"kelp": "Kelp: a plant of cold water.", "more": "Cold cold water water"})
    [by_word] = await search(local, "plant")
    assert by_word["id"] == DocumentKey("archive", None, paper("notes/kelp.md").id).encode()
    assert by_word["id"] in {hit["id"] for hit in await search(local, "cold water")}


async def test_a_source_without_settings_has_no_documents(local: Services) -> None:
    for key in (DocumentKey("osdu", None, "x:y:1"), DocumentKey("quilt", None, "object/b/k")):
        with pytest.raises(NotConfigured):
            await fetch(local, key.encode())
