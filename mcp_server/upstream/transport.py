"""HTTP to one upstream: one pool of connections, made at the first use, in the event loop that uses it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import httpx

from indexer.errors import TimedOut, Unavailable
from mcp_server.upstream.errors import Provider
from mcp_server.upstream.guard.attempts import AttemptFailed
from mcp_server.upstream.guard.policy import ErrorMessages

_LARGEST_BODY: Final = 100_000_000
_CONNECTIONS: Final = 100
_KEPT: Final = 20
_CONNECT_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, whatever its status."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """Sends requests as they are: no proxies from the environment, no redirects; the guard limits the whole time."""

    def __init__(self, wording: ErrorMessages) -> None:
        self._wording = wording
        self._client: httpx.AsyncClient | None = None

    async def get(self, url: str, headers: Mapping[str, str]) -> Reply:
        """Ask for what is at an address; where no whole reply comes back it is `AttemptFailed`."""
        return await self._send("GET", url, None, headers)

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Send a body; where no whole reply comes back it is `AttemptFailed`."""
        return await self._send("POST", url, body, headers)

    async def aclose(self) -> None:
        """Close all connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _opened(self) -> httpx.AsyncClient:
        if self._client is None:
            self._client = httpx.AsyncClient(
                trust_env=False,
                follow_redirects=False,
                timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),
                limits=httpx.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=_KEPT),
            )
        return self._client

    async def _send(self, method: str, url: str, body: bytes | None, headers: Mapping[str, str]) -> Reply:
        try:
            async with self._opened().stream(method, url, content=body, headers=dict(headers)) as response:
                return Reply(response.status_code, response.headers, await self._read(response))
        except httpx.TimeoutException:
            error = TimedOut(self._wording.timed_out, action="Ask for less, or try again later")
            raise AttemptFailed(error, timed_out=True) from None
        except (httpx.HTTPError, httpx.InvalidURL):
            unavailable = Unavailable(
                self._wording.unavailable, action="Try again later; the operator can check the address in the settings"
            )
            raise AttemptFailed(unavailable, retry=True, upstream_broke=True) from None

    async def _read(self, response: httpx.Response) -> bytes:
        parts = []
        size = 0
        async for part in response.aiter_bytes():
            size += len(part)
            if size > _LARGEST_BODY:
                error = Provider("The answer is too large", action="Ask for fewer records or fewer returned fields")
                raise AttemptFailed(error)
            parts.append(part)
        return b"".join(parts)
