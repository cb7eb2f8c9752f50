"""A token with the scope `search` alone, and tokens that are limited to indices: what they can read to the end."""

from typing import Any

import httpx
import pytest

from indexer.archives.ids import file_id
from indexer.library import Library
from indexer.tenancy import Principal, TeamId
from mcp_server.document_ids import DocumentKey
from tests.contract.shelf import Shelf, paper
from tests.integration.teams.conftest import Issue, bearer
from tests.modern import ask_modern

PAPER = file_id("notes/atoll.md")
PAGES = {"source": {"type": "urls", "urls": ["https://example.org/"]}}
Json = dict[str, Any]


@pytest.fixture
async def job(client: httpx.AsyncClient, library: Library, issue: Issue) -> str:
    """Fill two indices and the archive of red, and return a job on the archive."""
    everything = bearer(issue("red"))
    for index in ("plans", "charts"):
        documents = [
            {"doc_id": f"{index}{number}", "content": f"A coral reef of {index}, number {number}"} for number in (1, 2)
        ]
        await client.post("/api/v1/indices", json={"index_name": index}, headers=everything)
        path = f"/api/v1/indices/{index}/documents"
        answer = await client.post(path, json={"documents": documents}, headers=everything)
        assert answer.json()["failed"] == 0
    await Shelf(library, Principal(TeamId("red"), "setup")).put(
        paper("notes/atoll.md", "A coral reef around a lagoon.")
    )
    return str((await client.post("/api/v1/archives/ingest", json=PAGES, headers=everything)).json()["job_id"])


async def send(client: httpx.AsyncClient, method: str, path: str, body: Json | None = None) -> Json:
    answer = await client.request(method, path, json=body)
    assert answer.status_code == 200, answer.text
    result: Json = answer.json()
    return result


async def test_the_scope_search_does_every_step_of_searching_and_reading(
    client: httpx.AsyncClient, issue: Issue, job: str
) -> None:
    client.headers.update(bearer(issue("red", "search")))
    found = await send(client, "POST", "/api/v1/search/simple", {"query": "reef"})
    assert len(found["results"]) == 5
    for hit in found["results"]:
        document = await send(client, "GET", f"/api/v1/fetch/{hit['id']}")
        assert "coral reef" in document["text"]
        assert "coral reef" in (await client.get(f"/d/{hit['id']}")).text
    quoted = await send(client, "POST", "/api/v1/quotes", {"quote": "A coral reef around a lagoon"})
    assert quoted["matches"]
    everywhere = await send(client, "POST", "/api/v1/search", {"query": "reef"})
    assert {each["source"] for each in everywhere["sources"]} == {"archive", "indices"}
    assert all(each["success"] for each in everywhere["sources"])
    first = await send(client, "POST", "/api/v1/indices/plans/search", {"query": "reef", "k": 1})
    following = {"query": "reef", "k": 1, "cursor": first["next_cursor"]}
    second = await send(client, "POST", "/api/v1/indices/plans/search", following)
    assert {hit["doc_id"] for page in (first, second) for hit in page["results"]} == {"plans1", "plans2"}
    assert (await send(client, "GET", "/api/v1/indices/plans/documents/plans1"))["content"]
    assert len((await send(client, "GET", "/api/v1/indices"))["indices"]) == 3
    assert (await send(client, "GET", "/api/v1/indices/plans"))["success"]
    assert (await send(client, "POST", "/api/v1/archives/search", {"query": "lagoon"}))["results"]
    assert (await send(client, "GET", f"/api/v1/archives/documents/{PAPER}"))["content"]
    assert (await send(client, "GET", f"/api/v1/archives/documents/{PAPER}/citation"))["citation"]
    assert (await send(client, "GET", "/api/v1/archives/documents"))["total"] == 1
    assert [each["job_id"] for each in (await send(client, "GET", "/api/v1/jobs"))["jobs"]] == [job]
    assert (await send(client, "GET", f"/api/v1/jobs/{job}"))["status"] == "queued"
    assert (await send(client, "GET", "/api/v1/status"))["success"]
    for uri in ("trawl://status", "doc://plans/plans1", f"doc://archive/{PAPER}"):
        answer = await ask_modern(client, "resources/read", {"uri": uri})
        assert answer.json()["result"]["contents"][0]["text"]


async def test_a_token_limited_to_an_index_reads_nothing_else_by_any_way(
    client: httpx.AsyncClient, issue: Issue, job: str
) -> None:
    client.headers.update(bearer(issue("red", "search", "write", "ingest", indices=("plans",))))
    for path, body in (
        ("/api/v1/search/simple", {"query": "reef"}),
        ("/api/v1/search", {"query": "reef"}),
        ("/api/v1/quotes", {"quote": "A coral reef of"}),
    ):
        answer = await client.post(path, json=body)
        assert "plans" in answer.text
        assert "charts" not in answer.text
        assert "lagoon" not in answer.text
    assert [each["index_name"] for each in (await send(client, "GET", "/api/v1/indices"))["indices"]] == ["plans"]
    for id_ in (DocumentKey("indices", "charts", "charts1").encode(), DocumentKey("archive", None, PAPER).encode()):
        assert (await client.get(f"/api/v1/fetch/{id_}")).status_code == 403
        assert (await client.get(f"/d/{id_}")).status_code == 403
    assert (await send(client, "GET", "/api/v1/jobs"))["jobs"] == []
    for method, path in (("GET", f"/api/v1/jobs/{job}"), ("DELETE", f"/api/v1/jobs/{job}")):
        assert (await client.request(method, path)).status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/v1/indices/charts/search", {"query": "reef"}),
        ("POST", "/api/v1/indices/CHARTS/search", {"query": "reef"}),
        ("GET", "/api/v1/indices/charts", None),
        ("GET", "/api/v1/indices/charts/documents/charts1", None),
        ("PUT", "/api/v1/indices/charts/documents/charts1", {"content": "x"}),
        ("POST", "/api/v1/indices/charts/documents", {"documents": [{"doc_id": "a", "content": "x"}]}),
        ("DELETE", "/api/v1/indices/charts/documents/charts1", None),
        ("DELETE", "/api/v1/indices/charts", None),
        ("POST", "/api/v1/indices", {"index_name": "others"}),
        ("POST", "/api/v1/indices/charts/reindex", None),
        ("POST", "/api/v1/archives/search", {"query": "reef"}),
        ("GET", f"/api/v1/archives/documents/{PAPER}", None),
        ("DELETE", f"/api/v1/archives/documents/{PAPER}", None),
        ("GET", f"/api/v1/archives/documents/{PAPER}/citation", None),
        ("GET", "/api/v1/archives/documents", None),
        ("POST", "/api/v1/archives/ingest", PAGES),
    ],
)
@pytest.mark.usefixtures("job")
async def test_what_concerns_another_index_is_refused_with_the_indices_of_the_token(
    client: httpx.AsyncClient, issue: Issue, method: str, path: str, body: Json | None
) -> None:
    limited = bearer(issue("red", "search", "write", "ingest", indices=("plans",)))
    answer = await client.request(method, path, json=body, headers=limited)
    assert answer.status_code == 403, answer.text
    assert answer.json()["error_category"] == "authorization"
    assert answer.json()["details"] == {"indices": ["plans"]}


@pytest.mark.usefixtures("job")
async def test_uploads_resources_prompts_and_completions_obey_the_limit_too(
    client: httpx.AsyncClient, issue: Issue
) -> None:
    client.headers.update(bearer(issue("red", "search", "write", "ingest", indices=("plans",))))
    upload = await client.post("/api/v1/archives/upload", files={"files": ("a.md", b"# A reef")})
    assert upload.status_code == 403
    for uri in ("doc://charts/charts1", f"doc://archive/{PAPER}"):
        answer = await ask_modern(client, "resources/read", {"uri": uri})
        assert "result" not in answer.json()
        assert "coral" not in answer.text
    assert "coral" in (await ask_modern(client, "resources/read", {"uri": "doc://plans/plans1"})).text
    prompts = (await ask_modern(client, "prompts/list")).json()["result"]["prompts"]
    assert [each["name"] for each in prompts] == ["explore_index"]
    tools = (await ask_modern(client, "tools/list")).json()["result"]["tools"]
    assert not {"searchLocalArchives", "archive_ingest", "archive_get_document"} & {each["name"] for each in tools}
    for ref, name, index in (
        ({"type": "ref/prompt", "name": "explore_index"}, "index_name", ""),
        ({"type": "ref/resource", "uri": "doc://{index}/{id}"}, "index", ""),
        ({"type": "ref/resource", "uri": "doc://{index}/{id}"}, "id", "charts"),
    ):
        params = {"ref": ref, "argument": {"name": name, "value": ""}, "context": {"arguments": {"index": index}}}
        answer = await ask_modern(client, "completion/complete", params)
        assert "charts" not in answer.text
