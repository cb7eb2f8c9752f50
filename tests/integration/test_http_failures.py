import json
from pathlib import Path

import httpx
import pytest

from tests.service import application

SEARCH = "/api/v1/indices/default/search"
JSON = {"content-type": "application/json"}


def assert_failure(failure: dict[str, object], category: str) -> None:
    assert set(failure) == {"success", "error", "error_category", "details", "fix", "alternatives"}
    assert failure["success"] is False
    assert failure["error_category"] == category
    assert isinstance(failure["fix"], dict)
    assert failure["fix"]["required_action"]


@pytest.mark.parametrize("path", ["/nothing", "/api/v1/nothing", "/api/v1/indices/", "/mcp/x", "/docs/x", "/%FF"])
async def test_unknown_addresses_are_not_found_in_the_common_shape(tmp_path: Path, path: str) -> None:
    async with application(tmp_path) as client:
        answer = await client.get(path)
        assert answer.status_code == 404
        assert_failure(answer.json(), "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/api/v1/indices", "GET, POST"),
        ("POST", "/api/v1/indices/default", "DELETE, GET"),
        ("GET", SEARCH, "POST"),
        ("POST", "/livez", "GET, HEAD"),
        ("DELETE", "/docs", "GET, HEAD"),
        ("POST", "/api/v1/status", "GET"),
    ],
)
async def test_a_wrong_method_is_answered_with_the_right_ones(
    tmp_path: Path, method: str, path: str, allowed: str
) -> None:
    async with application(tmp_path) as client:
        answer = await client.request(method, path)
        assert (answer.status_code, answer.headers["allow"]) == (405, allowed)
        assert_failure(answer.json(), "not_applicable")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"query": "s3cret"',
        b"[" * 10_000 + b"]" * 10_000,
        b'{"query":' * 10_000 + b"1" + b"}" * 10_000,
        b'{"query": "\xff"}',
        b'{"query": "\\ud800"}',
        b'{"query": NaN}',
        b"[]",
        b'"s3cret"',
        b"null",
    ],
    ids=range(11),
)
async def test_a_broken_body_is_refused_and_not_repeated(tmp_path: Path, body: bytes) -> None:
    async with application(tmp_path) as client:
        answer = await client.post(SEARCH, content=body, headers=JSON)
        assert answer.status_code == 422
        assert_failure(answer.json(), "validation")
        assert "s3cret" not in answer.text


@pytest.mark.parametrize("content_type", [None, "text/plain", "application/x-www-form-urlencoded", "jsonx"])
async def test_a_body_that_is_not_declared_as_json_is_refused(tmp_path: Path, content_type: str | None) -> None:
    async with application(tmp_path) as client:
        headers = {"content-type": content_type} if content_type else {}
        answer = await client.post(SEARCH, content=b'{"query": "x"}', headers=headers)
        assert answer.status_code == 422
        assert_failure(answer.json(), "validation")


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "Application/JSON", "application/x+json"])
async def test_json_may_be_declared_in_several_ways(tmp_path: Path, content_type: str) -> None:
    async with application(tmp_path) as client:
        answer = await client.post(SEARCH, content=b'{"query": "x"}', headers={"content-type": content_type})
        assert answer.status_code == 200


async def test_deep_metadata_within_the_limit_comes_back(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        metadata: dict[str, object] = {}
        for _ in range(50):
            metadata = {"deeper": metadata}
        document = {"doc_id": "deep", "content": "text", "metadata": metadata}
        await client.post(
            "/api/v1/indices/default/documents", content=json.dumps({"documents": [document]}), headers=JSON
        )
        answer = await client.get("/api/v1/indices/default/documents/deep")
        assert answer.json()["metadata"] == metadata


async def test_a_body_over_50_mb_is_too_large(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        answer = await client.post(SEARCH, content=b" " * 50_000_001, headers=JSON)
        assert answer.status_code == 413
        assert_failure(answer.json(), "validation")


async def test_a_foreign_host_is_refused_everywhere(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        for path in ("/", "/livez", "/api/v1/indices", "/mcp"):
            answer = await client.get(path, headers={"host": "evil.example"})
            assert answer.status_code == 403
            assert_failure(answer.json(), "authorization")


async def test_allowed_hosts_may_be_named(tmp_path: Path) -> None:
    async with application(tmp_path, allowed_hosts=("search.example.org",)) as client:
        assert (await client.get("/livez", headers={"host": "search.example.org"})).status_code == 200


@pytest.mark.parametrize(
    "name",
    [
        "Via",
        "Forwarded",
        "X-Real-IP",
        "CF-Connecting-IP",
        "True-Client-IP",
        "X-Forwarded-For",
        "X-Forwarded-Host",
        "X-Forwarded-Proto",
        "X-Forwarded-Port",
        "X-Forwarded-Server",
        "x-forwarded-prefix",
    ],
)
async def test_each_header_of_a_proxy_tells_that_there_is_one(client: httpx.AsyncClient, name: str) -> None:
    assert (await client.get("/api/v1/indices", headers={name: "1"})).status_code == 401


async def test_forwarded_requests_need_a_token_unless_authentication_is_off_on_purpose(tmp_path: Path) -> None:
    forwarded = {"x-forwarded-for": "192.0.2.1"}
    async with application(tmp_path) as client:
        answer = await client.get("/api/v1/indices", headers=forwarded)
        assert answer.status_code == 401
        assert_failure(answer.json(), "authentication")
    async with application(tmp_path, auth="off") as client:
        assert (await client.get("/api/v1/indices", headers=forwarded)).status_code == 200
