"""Documents over REST: missing content, a null index_name, and the same document once more."""

from pathlib import Path
from typing import Any

import pytest

from tests.service import application

DOCUMENT = "/api/v1/indices/default/documents/doc"


@pytest.mark.parametrize("body", [{}, {"content": None}, {"content": " "}])
async def test_missing_content_is_the_same_failure_as_blank_content(tmp_path: Path, body: dict[str, Any]) -> None:
    async with application(tmp_path) as client:
        answer = await client.put(DOCUMENT, json=body)
    assert answer.status_code == 422
    assert answer.json()["error"] == "Content must be a non-empty string"
    assert answer.json()["error_category"] == "validation"


async def test_a_null_index_name_in_the_body_is_the_one_in_the_path(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        added = await client.put(DOCUMENT, json={"content": "reef", "index_name": None})
        found = await client.post("/api/v1/indices/default/search", json={"query": "reef", "index_name": None})
        other = await client.put(DOCUMENT, json={"content": "reef", "index_name": "other"})
        openapi = (await client.get("/openapi.json")).json()
    assert added.json()["status"] == "indexed"
    assert found.json()["total_matches"] == 1
    assert (other.status_code, other.json()["error"]) == (422, "index_name differs from the one in the path")
    parameters = openapi["paths"]["/api/v1/indices/{index_name}/documents/{doc_id}"]["put"]["parameters"]
    assert [parameter["schema"] for parameter in parameters] == [{"type": "string"}] * 2


async def test_the_same_document_again_changes_nothing(tmp_path: Path) -> None:
    body = {"content": "coral reef", "metadata": {"n": 1}}
    async with application(tmp_path) as client:
        await client.put(DOCUMENT, json=body)
        before = (await client.get(DOCUMENT)).json()
        again = await client.put(DOCUMENT, json=body)
        batch = {"documents": [{"doc_id": "doc", **body}]}
        bulk = await client.post("/api/v1/indices/default/documents", json=batch)
        assert (await client.get(DOCUMENT)).json() == before
    assert again.json() == {"success": True, "status": "re-indexed", "doc_id": "doc", "token_count": 2}
    assert bulk.json()["results"] == [{"doc_id": "doc", "status": "re-indexed", "token_count": 2}]
