from pathlib import Path
from urllib.parse import quote

import pytest

from tests.service import application

DOCUMENTS = "/api/v1/indices/default/documents"


async def test_documents_are_added_fetched_and_deleted(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        document = {"doc_id": "doc-1", "content": "Python rate limiting with token buckets", "metadata": {"year": 2020}}
        added = await client.post(DOCUMENTS, json={"documents": [document]})
        assert added.json() == {
            "success": True,
            "indexed": 1,
            "failed": 0,
            "results": [{"doc_id": "doc-1", "status": "indexed", "token_count": 6}],
        }
        fetched = (await client.get(f"{DOCUMENTS}/doc-1")).json()
        assert (fetched["content"], fetched["metadata"]) == (document["content"], {"year": 2020})
        deleted = await client.delete(f"{DOCUMENTS}/doc-1")
        assert deleted.json() == {"success": True, "status": "deleted", "doc_id": "doc-1"}
        assert (await client.delete(f"{DOCUMENTS}/doc-1")).json()["status"] == "absent"
        assert (await client.get(f"{DOCUMENTS}/doc-1")).status_code == 404


@pytest.mark.parametrize("doc_id", ["a/b", "/a//b/", "50%", "%2F", "a?b=c&d", "a#b", "Zoë 海", "a+b c", "é", "x:y;z,"])
async def test_any_id_can_be_addressed(tmp_path: Path, doc_id: str) -> None:
    async with application(tmp_path) as client:
        await client.post(DOCUMENTS, json={"documents": [{"doc_id": doc_id, "content": "text"}]})
        address = f"{DOCUMENTS}/{quote(doc_id, safe='')}"
        assert (await client.get(address)).json()["doc_id"] == doc_id
        assert (await client.delete(address)).json() == {"success": True, "status": "deleted", "doc_id": doc_id}


async def test_one_bad_document_does_not_spoil_the_others(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        documents = [{"doc_id": "a", "content": "text"}, {"doc_id": "b", "content": " "}, {"doc_id": "c"}]
        answer = (await client.post(DOCUMENTS, json={"documents": documents})).json()
        assert (answer["indexed"], answer["failed"]) == (1, 2)
        assert answer["results"][1]["error"] == "Content must be a non-empty string"


async def test_a_part_of_a_document_can_be_fetched(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        await client.post(DOCUMENTS, json={"documents": [{"doc_id": "long", "content": "word " * 1000}]})
        part = (await client.get(f"{DOCUMENTS}/long?offset=10&max_chars=1000")).json()
        assert part["total_chars"] == 5000
        assert 10 < part["next_offset"] <= 1010
        assert part["content"] == ("word " * 1000)[10 : part["next_offset"]]


@pytest.mark.parametrize("query", ["offset=-1", "offset=x", "max_chars=5", "unknown=1", "offset=1&offset=2"])
async def test_wrong_arguments_of_a_fetch_are_refused(tmp_path: Path, query: str) -> None:
    async with application(tmp_path) as client:
        answer = await client.get(f"{DOCUMENTS}/a?{query}")
        assert (answer.status_code, answer.json()["error_category"]) == (422, "validation")


async def test_an_id_beside_the_one_in_the_path_is_refused(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        assert (await client.get(f"{DOCUMENTS}/a?doc_id=b")).status_code == 422


@pytest.mark.parametrize("doc_id", ["", "%00", "%FF", "x" * 513])
async def test_an_invalid_id_is_refused(tmp_path: Path, doc_id: str) -> None:
    async with application(tmp_path) as client:
        assert (await client.get(f"{DOCUMENTS}/{doc_id}")).status_code == 422


async def test_more_than_500_documents_are_refused(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        answer = await client.post(DOCUMENTS, json={"documents": [{}] * 501})
        assert answer.status_code == 422
        assert answer.json()["details"]["errors"][0]["argument"] == "documents"


async def test_documents_of_an_unknown_index_are_not_found(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        body = {"documents": [{"doc_id": "a", "content": "text"}]}
        assert (await client.post("/api/v1/indices/none/documents", json=body)).status_code == 404
        assert (await client.get("/api/v1/indices/none/documents/a")).status_code == 404
