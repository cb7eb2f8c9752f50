"""The web as a source: asked only where it is named, and merged with pages that are known."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from tests.contract.shelf import page
from tests.unit.everywhere.everywhere_caller import caller, outcomes
from tests.unit.everywhere.made_sources import PATIENT
from tests.upstreams.openai import Answer, openai_server
from tests.upstreams.openai_caller import settings as web_settings
from tests.upstreams.openai_fixtures import citation, message, response, search


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    opened = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path, search_timeout=PATIENT))
    yield opened
    await opened.aclose()


async def test_pages_of_the_web_are_results_and_are_those_of_the_archive(library: Library) -> None:
    url, other = "https://example.org/reef?utm_source=openai", "https://doi.org/10.1234/reef"
    text = "Reefs <b>grow</b> slowly ([Reefs](https://example.org/reef)). In print since 2019 ([DOI](x)).\nMore."
    cited = (
        citation(text, "([Reefs](https://example.org/reef))", url, "Reefs"),
        citation(text, "([DOI](x))", other, ""),
        citation(text, "More", "https://example.org/more", "More"),
    )
    known = page("http://www.example.org/reef/", "A reef.", title="Kept")
    async with openai_server() as openai:
        openai.always = Answer(body=response(search(), message(text, *cited)))
        async with caller(library, web=web_settings(openai.url, timeout=PATIENT)) as call:
            await call.shelf.put(known)
            plain = await call("reef growth")
            assert openai.requests == []
            result = await call("reef growth", sources=["web", "archive"])
    assert [hit["source"] for hit in plain["results"]] == ["archive"]
    first, second, third = result["results"]
    assert (first["source"], first["id"], first["title"]) == ("web", "https://example.org/reef", "Reefs")
    assert first["also_in"] == [{"source": "archive", "id": known.id}]
    assert first["snippet"] == "Reefs &lt;b&gt;grow&lt;/b&gt; slowly."
    assert (second["id"], second["title"], second["snippet"]) == (other, other, "In print since 2019.")
    assert (third["id"], third["snippet"]) == ("https://example.org/more", "More.")


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("reef market", "Use polymarket MCP server for market-related queries"),
        ("ab", "Query must be 3-400 characters"),
        ("reef " + f"{'x' * 60} " * 7, "Query must be 3-400 characters"),
    ],
)
async def test_what_the_web_refuses_the_others_answer(library: Library, query: str, error: str) -> None:
    async with openai_server() as openai, caller(library, web=web_settings(openai.url, timeout=PATIENT)) as call:
        await call.indices.fill({"a": "A reef by ab"})
        result = await call(query, sources=["indices", "web"])
        assert openai.requests == []
    assert [hit["id"] for hit in result["results"]] == ["a"]
    web = outcomes(result)["web"]
    assert (web["error"], web["error_category"]) == (error, "validation")


async def test_a_provider_that_hangs_up_leaves_the_others_answers(library: Library) -> None:
    async with openai_server() as openai:
        openai.always = Answer(hang_up=True)
        async with caller(library, web=web_settings(openai.url, timeout=PATIENT)) as call:
            await call.indices.fill({"a": "A reef"})
            result = await call("reef", sources=["web", "indices"])
            alone = await call("reef", sources=["web"])
    assert [hit["id"] for hit in result["results"]] == ["a"]
    assert outcomes(result)["web"]["error"] == "Provider error"
    assert (alone["success"], alone["error"], alone["code"]) == (False, "Provider error", "PROVIDER")
