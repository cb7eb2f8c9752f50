"""Queries of local syntax against both ways in which catalogs search."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.sandbox.quilt.indices import indices_of
from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from tests.contract.shelf import page
from tests.unit.everywhere.everywhere_caller import Caller, caller
from tests.unit.everywhere.made_sources import PATIENT
from tests.upstreams.quilt import Catalogue, quilt_server
from tests.upstreams.quilt_caller import settings as quilt_settings
from tests.upstreams.quilt_contents import QuiltContents, QuiltObject, QuiltPackage, Revision
from tests.upstreams.search_engines import engine_with

BUCKET = "reef-data"
WHEN = datetime(2025, 1, 1, tzinfo=UTC)
CONTENTS = QuiltContents(
    (BUCKET,),
    (
        QuiltObject(BUCKET, "logs/deep.txt", "v1", 10, WHEN, "A deep reef"),
        QuiltObject(BUCKET, "logs/dead.txt", "v1", 10, WHEN, "A dead reef, rate-limiting AND so on"),
        QuiltObject(BUCKET, "logs/sand.txt", "v1", 10, WHEN, "Nothing but sand"),
    ),
    (
        QuiltPackage(
            BUCKET,
            "lab/corals",
            (Revision(WHEN, "Corals of a <b>reef</b>", {"doi": "10.1234/Corals", "author": "Smith"}, ()),),
        ),
    ),
)


@pytest.fixture(scope="module")
def catalogue(engine_name: str, request: pytest.FixtureRequest) -> Iterator[Catalogue]:
    with engine_with(engine_name, request, indices_of(CONTENTS)) as engine:
        yield Catalogue(engine, CONTENTS)


@pytest.fixture(params=[3, None], ids=["graphql", "elasticsearch"])
async def call(catalogue: Catalogue, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Caller]:
    library = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path, search_timeout=PATIENT))
    async with quilt_server(catalogue, generation=request.param) as server:
        server.packages_form = "flat"
        settings = quilt_settings(server.url, buckets=(BUCKET,))
        async with caller(library, quilt=settings) as made:
            yield made
    await library.aclose()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("reef", {"deep.txt", "dead.txt", "lab/corals"}),
        ("sand corals", {"sand.txt", "lab/corals"}),
        ("+reef -dead", {"deep.txt", "lab/corals"}),
        ('"deep reef"', {"deep.txt"}),
        ("-reef", {"sand.txt"}),
        ("corals sand -smi*", {"sand.txt"}),
        ('corals sand -"a b reef"', {"sand.txt"}),
        ("*", {"deep.txt", "dead.txt", "sand.txt", "lab/corals"}),
        ("rate-limiting", {"dead.txt"}),
        ("key:(", set()),
        ("sand key:(", {"sand.txt"}),
        ("AND", {"dead.txt"}),
    ],
)
async def test_words_and_signs_find_what_they_should(call: Caller, query: str, found: set[str]) -> None:
    result = await call(query, sources=["quilt"])
    assert result["success"], result
    assert {hit["title"] for hit in result["results"]} == found


async def test_packages_and_objects_are_results_with_their_addresses(call: Caller) -> None:
    hits = {hit["title"]: hit for hit in (await call("reef"))["results"]}
    assert hits["deep.txt"]["url"] == f"s3://{BUCKET}/logs/deep.txt?versionId=v1"
    assert hits["deep.txt"]["snippet"] == f"{BUCKET}/logs/deep.txt"
    assert hits["lab/corals"]["url"].startswith(f"quilt+s3://{BUCKET}#package=lab/corals")
    assert hits["lab/corals"]["snippet"].startswith(f"{BUCKET}/lab/corals · Corals of a &lt;b&gt;reef&lt;/b&gt; · ")


async def test_a_doi_in_a_package_s_metadata_is_that_of_a_page(call: Caller) -> None:
    known = page("https://doi.org/10.1234/corals", "Corals of a reef.", title="Corals")
    await call.shelf.put(known)
    result = await call("corals")
    [hit] = result["results"]
    assert (hit["source"], hit["id"]) == ("archive", known.id)
    assert [also["source"] for also in hit["also_in"]] == ["quilt"]
