"""HTTP to one upstream: a connection pool, opened at the first use, in the event loop that uses it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indexer.errors import TimedOut, Unavailable
from mcp_server.upstream.errors import Provider
from mcp_server.upstream.guard.attempts import AttemptFailed
from mcp_server.upstream.guard.policy import ErrorMessages

if TYPE_CHECKING:
    import httpx

_MAX_BODY_BYTES: Final = 100_000_000
_MAX_CONNECTIONS: Final = 100
_MAX_IDLE_CONNECTIONS: Final = 20
_CONNECT_TIMEOUT_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP response of any status."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """Sends requests without proxies and redirects, and without a read timeout: the guard sets the deadline."""

    def __init__(self, messages: ErrorMessages) -> None:
        self._messages = messages
        self._client: httpx.AsyncClient | None = None

    async def get(self, url: str, headers: Mapping[str, str]) -> Reply:
        """Send a GET request; raises `AttemptFailed` if no complete response arrives."""
        return await self._send("GET", url, None, headers)

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Send a POST request; raises `AttemptFailed` if no complete response arrives."""
        return await self._send("POST", url, body, headers)

    async def aclose(self) -> None:
        """Close all connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _open_client(self) -> "httpx.AsyncClient":
        if self._client is None:
            import httpx  # noqa: PLC0415 - most services start without asking an upstream

            self._client = httpx.AsyncClient(
                trust_env=False,
                follow_redirects=False,
                timeout=httpx.Timeout(None, connect=_CONNECT_TIMEOUT_SECONDS),
                limits=httpx.Limits(max_connections=_MAX_CONNECTIONS, max_keepalive_connections=_MAX_IDLE_CONNECTIONS),
            )
        return self._client

    async def _send(self, method: str, url: str, body: bytes | None, headers: Mapping[str, str]) -> Reply:
        import httpx  # noqa: PLC0415 - as above

        try:
            async with self._open_client().stream(method, url, content=body, headers=dict(headers)) as response:
                return Reply(response.status_code, response.headers, await self._read(response))
        except httpx.TimeoutException:
            error = TimedOut(self._messages.timed_out, action="Ask for less, or try again later")
            raise AttemptFailed(error, timed_out=True) from None
        except (httpx.HTTPError, httpx.InvalidURL):
            unavailable = Unavailable(
                self._messages.unavailable, action="Try again later; the operator can check the address in the settings"
            )
            raise AttemptFailed(unavailable, retry=True, upstream_broke=True) from None

    async def _read(self, response: "httpx.Response") -> bytes:
        chunks = []
        size = 0
        async for chunk in response.aiter_bytes():
            size += len(chunk)
            if size > _MAX_BODY_BYTES:
                error = Provider("The answer is too large", action="Ask for fewer records or fewer returned fields")
                raise AttemptFailed(error)
            chunks.append(chunk)
        return b"".join(chunks)
