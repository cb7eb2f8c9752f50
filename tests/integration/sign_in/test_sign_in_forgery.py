"""Requests that another page makes a browser send: with its cookie, to sign it in, or to send it elsewhere."""

import httpx
import pytest

from mcp_server.access.token_store import IssuedToken
from tests.integration.sign_in.conftest import ME, ORIGIN, OpenService, sign_in

WRITE = "/api/v1/indices/default/documents/d1"
REEF = {"content": "a reef"}
SAME = {"sec-fetch-site": "same-origin"}


async def test_a_call_that_changes_something_needs_the_token_of_its_own_session(
    browser: httpx.AsyncClient, token: IssuedToken
) -> None:
    other = await sign_in(browser, token)
    csrf = await sign_in(browser, token)
    assert other != csrf
    for headers in ({}, {"x-csrf-token": ""}, {"x-csrf-token": "x" * 32}, {"x-csrf-token": "ü"}, other):
        raw = {name: value.encode() for name, value in headers.items()}
        refused = await browser.put(WRITE, json=REEF, headers=raw)
        assert (refused.status_code, refused.json()["error_category"]) == (403, "authorization")
        assert "Reload the page" in refused.json()["fix"]["required_action"]
        assert (await browser.delete(WRITE, headers=raw)).status_code == 403
        assert (await browser.post("/api/v1/search", json={"query": "reef"}, headers=raw)).status_code == 403
    assert (await browser.put(WRITE, json=REEF, headers=csrf)).status_code == 200
    assert (await browser.delete(WRITE, headers=csrf)).json()["status"] == "deleted"
    assert (await browser.get(ME)).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "null"},
        {"origin": "null", "sec-fetch-site": "cross-site"},
        {"origin": "null", "sec-fetch-site": "same-site"},
        {"origin": "https://evil.example"},
        {"origin": "https://evil.example", **SAME},
        {"origin": "http://127.0.0.1:3000"},
        {"origin": "http://localhost:8000"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "none"},
    ],
)
async def test_no_other_page_signs_a_browser_in(
    browser: httpx.AsyncClient, token: IssuedToken, headers: dict[str, str]
) -> None:
    del browser.headers["origin"]
    for sent in ({"json": {"token": token.token}}, {"data": {"token": token.token}}):
        answer = await browser.post("/auth/login", headers=headers, **sent)  # type: ignore[arg-type]
        assert (answer.status_code, answer.json()["error_category"]) == (403, "authorization")
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("headers", [{"origin": ORIGIN}, SAME, {"origin": "null", **SAME}, {"origin": ORIGIN, **SAME}])
async def test_a_page_of_the_service_signs_in_however_its_browser_says_so(
    browser: httpx.AsyncClient, token: IssuedToken, headers: dict[str, str]
) -> None:
    del browser.headers["origin"]
    assert (await browser.post("/auth/login", data={"token": token.token}, headers=headers)).status_code == 303
    assert (await browser.get(ME)).status_code == 200


async def test_a_page_that_may_call_from_elsewhere_may_not_sign_in(
    open_service: OpenService, token: IssuedToken
) -> None:
    page = {"origin": "https://app.example.org"}
    async with open_service(cors_origins=(page["origin"],)) as client:
        assert (await client.post("/auth/login", json={"token": token.token}, headers=page)).status_code == 403
        await sign_in(client, token)
        forged = await client.put(WRITE, json=REEF, headers=page)
        assert (forged.status_code, "access-control-allow-credentials" in forged.headers) == (403, False)


async def test_with_tls_a_page_without_it_is_another_page(open_service: OpenService, token: IssuedToken) -> None:
    public = "https://search.example.org"
    async with open_service(public_url=public) as client:
        client.base_url = httpx.URL(public)
        for origin, status in (("http://search.example.org", 403), (public, 200)):
            answer = await client.post("/auth/login", json={"token": token.token}, headers={"origin": origin})
            assert answer.status_code == status


@pytest.mark.parametrize(
    "hostile",
    [
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        "\x00/evil",
        "https://evil.example",
        "https:evil.example",
        "javascript:alert(1)",
        "evil.example",
        "/a//evil.example",
        "/auth/logout",
        "/d/ü",
        "/" + "x" * 3_000,
        "",
    ],
)
async def test_nobody_is_sent_to_another_place_after_the_sign_in(
    browser: httpx.AsyncClient, token: IssuedToken, hostile: str
) -> None:
    answer = await browser.post("/auth/login", params={"next": hostile}, data={"token": token.token})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    told = await browser.post("/auth/login", json={"token": token.token, "next": hostile})
    assert told.json()["next"] == "/"


@pytest.mark.parametrize(
    "place", ["/", "/d/abc?offset=3", "/?q=a%20b&f.author=%C3%9C&u=https://x.example//y", "/docs#a"]
)
async def test_every_place_of_the_service_can_be_returned_to(
    browser: httpx.AsyncClient, token: IssuedToken, place: str
) -> None:
    answer = await browser.post("/auth/login", params={"next": place}, data={"token": token.token})
    assert answer.headers["location"] == place
