"""Web pages of other origins: which may call from a browser, and what they may send and read."""

from pathlib import Path

import httpx
import pytest
from pydantic import ValidationError

from app.settings import AppSettings
from tests.modern import modern_request
from tests.service import application

PREFLIGHT = {"access-control-request-method": "POST", "access-control-request-headers": "mcp-name,content-type"}
PAGE = "https://app.example.org"
SENT = {"Mcp-Session-Id", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Authorization", "Content-Type",
        "Last-Event-ID", "Trawl-Team"}  # fmt: skip
READ = {"Mcp-Session-Id", "WWW-Authenticate", "X-Request-Id"}
PATHS = ["/mcp", "/mcp/", "/mcp/read", "/api/v1/indices/default/search"]


def listed(answer: httpx.Response, header: str) -> set[str]:
    return {name.strip() for name in answer.headers[header].split(",")}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("origin", ["http://localhost:6274", "http://127.0.0.1:3000", "https://[::1]:1"])
async def test_pages_of_this_machine_may_call_while_there_are_no_tokens(
    client: httpx.AsyncClient, path: str, origin: str
) -> None:
    asked = await client.options(path, headers={"origin": origin, **PREFLIGHT})
    assert asked.status_code == 204
    assert asked.headers["access-control-allow-origin"] == origin
    assert "POST" in listed(asked, "access-control-allow-methods")
    assert listed(asked, "access-control-allow-headers") >= SENT
    assert "access-control-allow-credentials" not in asked.headers
    assert asked.headers["vary"] == "Origin"


async def test_a_page_reads_the_answer_to_its_call(client: httpx.AsyncClient) -> None:
    headers, body = modern_request("tools/list")
    for path in ("/mcp", "/mcp/read/"):
        answer = await client.post(path, json=body, headers={**headers, "origin": "http://localhost:6274"})
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == "http://localhost:6274"
        assert listed(answer, "access-control-expose-headers") >= READ
    missing = await client.get("/api/v1/indices/none", headers={"origin": "http://localhost:6274"})
    assert (missing.status_code, missing.headers["access-control-allow-origin"]) == (404, "http://localhost:6274")


async def test_a_call_without_an_origin_gets_no_permission(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/v1/indices")
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["vary"] == "Origin"
    page = await client.get("/", headers={"origin": "http://localhost:6274"})
    assert "access-control-allow-origin" not in page.headers


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("origin", [PAGE, "http://localhost.example.org", "null", "file://localhost"])
async def test_foreign_pages_stay_refused(tmp_path: Path, path: str, origin: str) -> None:
    async with application(tmp_path, cors_origins=("https://other.example.org",)) as client:
        for answer in (
            await client.options(path, headers={"origin": origin, **PREFLIGHT}),
            await client.post(path, json={}, headers={"origin": origin}),
        ):
            assert "access-control-allow-origin" not in answer.headers
            if origin != "file://localhost":
                assert answer.status_code == 403


async def test_named_origins_replace_those_of_this_machine(tmp_path: Path) -> None:
    async with application(tmp_path, cors_origins=(PAGE,)) as client:
        named = await client.options("/mcp", headers={"origin": PAGE, **PREFLIGHT})
        assert (named.status_code, named.headers["access-control-allow-origin"]) == (204, PAGE)
        assert (await client.get("/api/v1/indices", headers={"origin": PAGE})).status_code == 200
        here = await client.get("/api/v1/indices", headers={"origin": "http://localhost:6274"})
        assert here.status_code == 403
        assert "access-control-allow-origin" not in here.headers


async def test_with_tokens_no_page_may_call_unless_it_is_named(tmp_path: Path) -> None:
    async with application(tmp_path, auth="on") as client:
        answer = await client.get("/api/v1/indices", headers={"origin": "http://localhost:6274"})
        assert "access-control-allow-origin" not in answer.headers
    async with application(tmp_path, auth="on", cors_origins=("*",)) as client:
        answer = await client.options("/mcp", headers={"origin": PAGE, **PREFLIGHT})
        assert answer.headers["access-control-allow-origin"] == PAGE
        assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("path", PATHS)
async def test_pages_of_this_machine_may_not_call_a_service_that_others_reach(tmp_path: Path, path: str) -> None:
    async with application(tmp_path, public_url="https://trawl.example.org") as client:
        here = {"origin": "http://localhost:6274"}
        for answer in (await client.options(path, headers={**here, **PREFLIGHT}), await client.get(path, headers=here)):
            assert (answer.status_code, answer.json()["error_category"]) == (403, "authorization")
            assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(("auth", "status"), [("auto", 403), ("off", 200)])
async def test_a_page_of_this_machine_may_not_call_through_a_proxy_unless_authentication_is_off_on_purpose(
    tmp_path: Path, auth: str, status: int
) -> None:
    headers = {"origin": "http://localhost:6274", "via": "1.1 proxy"}
    async with application(tmp_path, auth=auth) as client:
        assert (await client.get("/api/v1/indices", headers=headers)).status_code == status


@pytest.mark.parametrize(
    "origin", ["http://evil@127.0.0.1:3000", "http://127.0.0.1:3000/x", "http://127.0.0.1:x", "http://127.0.0.1.evil"]
)
async def test_what_is_no_origin_of_this_machine_is_refused(client: httpx.AsyncClient, origin: str) -> None:
    answer = await client.get("/api/v1/indices", headers={"origin": origin})
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("origins", ["*", "https://app.example.org/path", "app.example.org", "ftp://a.example.org"])
def test_settings_that_make_no_sense_are_refused(monkeypatch: pytest.MonkeyPatch, origins: str) -> None:
    monkeypatch.setenv("TRAWL_CORS_ORIGINS", origins)
    with pytest.raises(ValidationError):
        AppSettings(_env_file=None)


def test_origins_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_CORS_ORIGINS", "https://App.example.org, http://b.example.org:8080")
    assert AppSettings(_env_file=None).cors_origins == ("https://app.example.org", "http://b.example.org:8080")
