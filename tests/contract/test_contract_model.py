"""Generated queries over generated documents: both engines and the model in plain Python find the same."""

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from indexer.bootstrap import open_library
from indexer.local.results import SearchResult
from tests.contract.caller import Caller, new_caller
from tests.contract.differences import SCORE_TOLERANCE
from tests.contract.engines import ENGINES, settings_of
from tests.contract.generated import content, documents, queries
from tests.contract.model import ModelDocument, ModelQuery, facet, in_order, matching

EXAMPLES = 2_000 if os.environ.get("TRAWL_THOROUGH") else 60
DOCUMENTS = documents(150)
STEADY = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


@dataclass
class Engines:
    """Both engines with the same documents, on one event loop."""

    runner: asyncio.Runner
    callers: dict[str, Caller]

    def answers(self, query: ModelQuery, **arguments: Any) -> dict[str, SearchResult]:
        async def ask() -> dict[str, SearchResult]:
            asked = {"filters": query.filters or None, "fuzzy": query.fuzzy, "k": 1_000, **arguments}
            return {name: await caller.search(query.text(), **asked) for name, caller in self.callers.items()}

        return self.runner.run(ask())


@pytest.fixture(scope="module")
def engines(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engines]:
    folder: Path = tmp_path_factory.mktemp("model")
    with asyncio.Runner() as runner:
        callers: dict[str, Caller] = {}
        for name in ENGINES:
            callers[name] = new_caller(open_library(settings_of(name, request, folder)))
            runner.run(callers[name].fill({document.id: given_as(document) for document in DOCUMENTS}))
        yield Engines(runner, callers)
        for caller in callers.values():
            caller.remove_all()
            runner.run(caller.library.aclose())


def given_as(document: ModelDocument) -> tuple[str, dict[str, Any]]:
    return content(document), document.metadata


@STEADY
@given(query=queries())
def test_both_engines_find_what_the_model_finds(engines: Engines, query: ModelQuery) -> None:
    expected = matching(query, DOCUMENTS)
    for name, answer in engines.answers(query).items():
        assert (name, query.text(), {hit["doc_id"] for hit in answer["results"]}) == (name, query.text(), expected)
        assert answer["total_matches"] == len(expected)


@STEADY
@given(query=queries())
def test_both_engines_count_and_sort_as_the_model_does(engines: Engines, query: ModelQuery) -> None:
    found = matching(query, DOCUMENTS)
    for name, answer in engines.answers(query, facets=["tag", "year", "flag"], sort=["-flag"]).items():
        for field in ("tag", "year", "flag"):
            assert (name, field, answer["facets"][field]) == (name, field, facet(field, found, DOCUMENTS))
        ids = [hit["doc_id"] for hit in answer["results"]]
        assert (name, ids) == (name, in_order("flag", found, DOCUMENTS, descending=True))


@settings(STEADY, max_examples=60)  # each may hold a view for minutes, and a cluster has only 300
@given(query=queries())
def test_pages_hold_what_one_big_page_holds(engines: Engines, query: ModelQuery) -> None:
    whole = {name: [hit["doc_id"] for hit in answer["results"]] for name, answer in engines.answers(query).items()}
    for name, caller in engines.callers.items():
        asked = {"filters": query.filters or None, "fuzzy": query.fuzzy}
        pages = engines.runner.run(caller.pages(query.text(), k=40, **asked))
        assert [hit["doc_id"] for page in pages for hit in page["results"]] == whole[name]


@pytest.mark.skipif(len(ENGINES) == 1, reason="it compares two engines")
def test_words_and_phrases_score_alike(engines: Engines) -> None:
    for text in ("boat", "sailing harbour", "+naïve boat", '"日本"', '"boat boats"'):
        scores = {
            name: {hit["doc_id"]: hit["score"] for hit in engines.runner.run(caller.search(text, k=1_000))["results"]}
            for name, caller in engines.callers.items()
        }
        assert scores["opensearch"]
        assert scores["tantivy"] == pytest.approx(scores["opensearch"], rel=SCORE_TOLERANCE)
