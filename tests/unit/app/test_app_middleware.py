from collections.abc import AsyncIterator, Mapping

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.middleware.body_limit import BodyLimit
from app.http.middleware.bugs import Bugs
from app.http.middleware.headers import SecurityHeaders
from app.http.middleware.hosts import AllowedHosts
from app.http.middleware.request_id import RequestId


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    body = await Request(scope, receive).body()
    await PlainTextResponse(str(len(body)))(scope, receive, send)


async def broken(scope: Scope, _receive: Receive, _send: Send) -> None:
    raise KeyError(f"s3cret text of {scope['path']}")


async def ask(
    app: ASGIApp,
    headers: Mapping[str, str] | list[tuple[str, str]] | None = None,
    content: bytes | AsyncIterator[bytes] | None = None,
) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000") as client:
        return await client.post("/", headers=headers, content=content)


async def in_parts(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def test_a_body_up_to_the_limit_passes() -> None:
    assert (await ask(BodyLimit(echo, limit=10), content=b"x" * 10)).text == "10"
    assert (await ask(BodyLimit(echo, limit=10), content=in_parts(b"x" * 6, b"x" * 4))).text == "10"


async def test_an_announced_body_over_the_limit_is_refused() -> None:
    response = await ask(BodyLimit(echo, limit=10), content=b"x" * 11)
    assert response.status_code == 413
    assert response.json()["error_category"] == "validation"
    assert response.json()["details"] == {"limit_bytes": 10}


async def test_a_streamed_body_over_the_limit_is_refused() -> None:
    response = await ask(BodyLimit(echo, limit=10), content=in_parts(b"x" * 6, b"x" * 6, b"x" * 6))
    assert response.status_code == 413
    assert response.json()["success"] is False


async def test_a_streamed_body_that_announces_too_little_is_refused() -> None:
    response = await ask(BodyLimit(echo, limit=10), {"content-length": "3"}, in_parts(b"x" * 6, b"x" * 6))
    assert response.status_code == 413


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8000", "localhost:1", "[::1]:8000", "search.example.org:443"])
async def test_known_hosts_pass(host: str) -> None:
    response = await ask(AllowedHosts(echo, allowed=["Search.example.org"]), {"host": host})
    assert response.status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "127.0.0.1.evil.example",
        "localhost@evil.example",
        "evil.example@127.0.0.1",
        "127.0.0.1/",
        "10.0.0.1",
        "",
        "[::1",
    ],
)
async def test_other_hosts_are_refused(host: str) -> None:
    response = await ask(AllowedHosts(echo, allowed=["search.example.org"]), {"host": host})
    assert response.status_code == 403
    assert "TRAWL_ALLOWED_HOSTS" in response.json()["fix"]["required_action"]


async def test_two_hosts_are_refused() -> None:
    response = await ask(AllowedHosts(echo, allowed=()), [("host", "localhost"), ("host", "localhost")])
    assert response.status_code == 403


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://127.0.0.1:8000", 200),
        ("https://127.0.0.1:8000", 200),
        ("https://Search.example.org", 200),
        ("http://search.example.org", 403),
        ("http://localhost:8000", 403),
        ("http://127.0.0.1:3000", 403),
        ("http://evil@127.0.0.1:8000", 403),
        ("https://evil.example", 403),
        ("null", 403),
    ],
)
async def test_a_browser_must_come_from_a_known_origin(origin: str, status: int) -> None:
    hosts = AllowedHosts(echo, allowed=["search.example.org"], public_url="https://search.example.org/trawl")
    response = await ask(hosts, {"host": "127.0.0.1:8000", "origin": origin})
    assert response.status_code == status


async def test_every_answer_tells_browsers_to_trust_little() -> None:
    headers = (await ask(SecurityHeaders(echo))).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"


async def test_an_answer_that_may_be_kept_says_so_itself() -> None:
    async def kept(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("x", headers={"cache-control": "no-cache"})(scope, receive, send)

    assert (await ask(SecurityHeaders(kept))).headers.get_list("cache-control") == ["no-cache"]


async def test_a_bug_is_answered_with_a_reference_that_finds_its_log_entry(caplog: pytest.LogCaptureFixture) -> None:
    response = await ask(RequestId(Bugs(broken)))
    reference = response.headers["x-request-id"]
    assert response.status_code == 500
    assert response.json()["details"] == {"reference": reference}
    assert "s3cret" not in response.text
    (entry,) = caplog.records
    assert entry.__dict__["reference"] == reference
    assert "KeyError" in entry.getMessage()
    assert "s3cret" not in caplog.text


async def test_each_request_has_a_reference_of_its_own() -> None:
    app = RequestId(echo)
    assert (await ask(app)).headers["x-request-id"] != (await ask(app)).headers["x-request-id"]


async def test_a_caller_who_leaves_is_no_bug(caplog: pytest.LogCaptureFixture) -> None:
    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        raise AssertionError(f"nobody is there to get {message['type']}")

    scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
    await RequestId(Bugs(BodyLimit(echo, limit=10)))(scope, receive, send)
    assert not caplog.records
