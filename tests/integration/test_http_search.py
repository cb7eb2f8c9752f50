from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.service import application

SEARCH = "/api/v1/indices/default/search"


async def fill(client: httpx.AsyncClient) -> None:
    documents: list[dict[str, Any]] = [
        {"doc_id": "nets", "content": "A trawl is a net towed by a ship", "metadata": {"author": "Holt", "year": 2021}},
        {"doc_id": "mesh", "content": "The mesh of a net lets small fish out", "metadata": {"author": "Holt"}},
        {"doc_id": "bm25", "content": "A ranking function", "metadata": {"author": "Okafor", "year": 2023}},
    ]
    answer = await client.post("/api/v1/indices/default/documents", json={"documents": documents})
    assert answer.json()["indexed"] == 3


async def test_a_search_answers_with_the_tools_result(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        await fill(client)
        answer = await client.post(SEARCH, json={"query": "+net -fish", "facets": ["author"]})
        found = answer.json()
        assert answer.status_code == 200
        assert (found["success"], found["total_matches"], found["next_cursor"]) == (True, 1, None)
        (hit,) = found["results"]
        assert hit["doc_id"] == "nets"
        assert "<mark>net</mark>" in hit["highlights"][0]
        assert hit["metadata"] == {"author": "Holt", "year": 2021}
        assert found["query_parsed"] == {
            "terms": [],
            "must": ["net"],
            "must_not": ["fish"],
            "phrases": [],
            "corrected": {},
        }
        assert found["facets"] == {"author": [{"value": "Holt", "count": 1}]}


async def test_pages_follow_each_other_by_cursor(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        await fill(client)
        first = (await client.post(SEARCH, json={"query": "net", "k": 1})).json()
        second = (await client.post(SEARCH, json={"query": "net", "k": 1, "cursor": first["next_cursor"]})).json()
        assert {first["results"][0]["doc_id"], second["results"][0]["doc_id"]} == {"nets", "mesh"}


async def test_a_blank_query_finds_nothing(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        found = (await client.post(SEARCH, json={"query": "  "})).json()
        assert (found["success"], found["results"], found["total_matches"]) == (True, [], 0)


async def test_an_unknown_index_is_not_found(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        answer = await client.post("/api/v1/indices/none/search", json={"query": "x"})
        assert (answer.status_code, answer.json()["error"]) == (404, "Index not found: none")


async def test_the_index_may_be_named_again_but_not_otherwise(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        assert (await client.post(SEARCH, json={"query": "x", "index_name": "default"})).status_code == 200
        answer = await client.post(SEARCH, json={"query": "x", "index_name": "other"})
        assert answer.status_code == 422
        assert "index_name" in answer.json()["error"]


@pytest.mark.parametrize(
    ("body", "argument"),
    [
        ({}, "query"),
        ({"query": 5}, "query"),
        ({"query": "x", "k": 0}, "k"),
        ({"query": "x", "k": 1001}, "k"),
        ({"query": "x", "k": "five"}, "k"),
        ({"query": "x", "fuzzy": 1}, "fuzzy"),
        ({"query": "x", "limit": 5}, "limit"),
        ({"query": "x", "filters": ["s3cret"]}, "filters"),
        ({"query": "x", "max_chars": 999}, "max_chars"),
    ],
)
async def test_wrong_arguments_are_named_and_never_repeated(
    tmp_path: Path, body: dict[str, object], argument: str
) -> None:
    async with application(tmp_path) as client:
        answer = await client.post(SEARCH, json=body)
        failure = answer.json()
        assert (answer.status_code, failure["success"], failure["error_category"]) == (422, False, "validation")
        assert [problem["argument"] for problem in failure["details"]["errors"]] == [argument]
        assert "s3cret" not in answer.text


async def test_a_query_string_beside_a_body_is_refused(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        assert (await client.post(f"{SEARCH}?k=5", json={"query": "x"})).status_code == 422
