"""HTTP to an issuer: small JSON documents, with limits on time and size, without redirects."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import orjson

from app.settings import is_secure_address
from indexer.errors import NotConfigured, Unavailable

_MAX_BYTES: Final = 1_000_000
_TIMEOUT_SECONDS: Final = 10.0
_CONNECT_SECONDS: Final = 5.0
RETRY_SECONDS: Final = 5.0
"""How soon after a failure the issuer is asked again."""


class IssuerUnavailable(Unavailable):
    """The issuer gave no usable answer; whether a token is valid is not known."""

    def __init__(self, reason: str = "it gave no answer") -> None:
        super().__init__(
            f"The sign-in service cannot be asked: {reason}",
            action="Try again in a moment; if this stays, the operator should check TRAWL_OIDC_ISSUER",
            details={"retry_after_s": RETRY_SECONDS},
        )


@dataclass(frozen=True, slots=True)
class IssuerReply:
    """A response of any status; without a JSON object in it, `body` is empty."""

    status: int
    body: Mapping[str, Any]


class IssuerHttp:
    """Opens its connections at the first request, in the event loop that makes it."""

    def __init__(self, ca: Path | None = None, *, through_proxies: bool = False) -> None:
        self._ca = ca
        self._through_proxies = through_proxies
        self._client: httpx.AsyncClient | None = None

    async def get(self, url: str) -> IssuerReply:
        """Get a document; `IssuerUnavailable` if no complete response arrives in time."""
        return await self._send("GET", url)

    async def post(self, url: str, form: Mapping[str, str]) -> IssuerReply:
        """Post a form, as the endpoints for tokens take it."""
        return await self._send("POST", url, form)

    async def aclose(self) -> None:
        """Close all connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _send(self, method: str, url: str, form: Mapping[str, str] | None = None) -> IssuerReply:
        if not is_secure_address(url):
            raise IssuerUnavailable("an address of it has no TLS")
        client = await self._open_client()
        # Not compressed, so that the limit on the size is one on the memory.
        headers = {"accept": "application/json", "accept-encoding": "identity"}
        try:
            async with (
                asyncio.timeout(_TIMEOUT_SECONDS),
                client.stream(method, url, data=form, headers=headers) as response,
            ):
                return IssuerReply(response.status_code, _parse(await _read(response.aiter_raw())))
        except TimeoutError:
            raise IssuerUnavailable("it took too long") from None
        except (httpx.HTTPError, httpx.InvalidURL):
            raise IssuerUnavailable from None

    async def _open_client(self) -> httpx.AsyncClient:
        if self._client is None:
            # Reading the certificates of the system takes a moment.
            context = await asyncio.to_thread(_tls_context, self._ca)
            self._client = httpx.AsyncClient(
                trust_env=self._through_proxies,
                follow_redirects=False,
                timeout=httpx.Timeout(_TIMEOUT_SECONDS, connect=_CONNECT_SECONDS),
                verify=context,
            )
        return self._client


async def _read(chunks: AsyncIterator[bytes]) -> bytes:
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        if len(body) > _MAX_BYTES:
            raise IssuerUnavailable("its answer is too large")
    return bytes(body)


def _parse(body: bytes) -> Mapping[str, Any]:
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def _tls_context(ca: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca)
    except OSError:
        raise NotConfigured(
            "The certificate authority's file cannot be read",
            action="Let TRAWL_OIDC_CA name a readable file of PEM certificates",
        ) from None
