"""Fetches one page: guarded at every redirect, bounded in size and time, without cookies, proxies or credentials."""

import ssl
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

import httpcore
import httpx

from indexer.archives.incoming import HttpCacheHeaders
from workers.sources.web.guard import Guard, Unfetchable
from workers.sources.web.pinned import Deadline, PinnedBackend

USER_AGENT: Final = "Trawl"
_MAX_REDIRECTS: Final = 5
_REDIRECT_STATUSES: Final = frozenset({301, 302, 303, 307, 308})
_GZIP_WINDOW_BITS: Final = 16 + zlib.MAX_WBITS


class Unreachable(Unfetchable):
    """The host did not respond; requests for its other pages will probably fail as well."""


@dataclass(frozen=True, slots=True)
class FetchResponse:
    """The last response, after all redirects."""

    url: str
    """The address that sent it."""
    status: int
    headers: Mapping[str, str]
    """Names are in lower case."""
    body: bytes


class Fetcher:
    """Fetches pages; safe to use from several threads."""

    def __init__(self, guard: Guard, seconds: float, context: ssl.SSLContext | None = None) -> None:
        self._guard = guard
        self._seconds = seconds
        self._context = context or httpx.create_ssl_context()
        self._agent = f"{USER_AGENT}/{version('trawl')}".encode()

    def get(self, url: str, limit: int, cached: HttpCacheHeaders | None = None) -> FetchResponse:
        """Fetch a page of at most `limit` bytes; `cached` makes the request conditional. Raises `Unfetchable`."""
        backend = PinnedBackend(self._guard, Deadline.within(self._seconds))
        try:
            with httpcore.ConnectionPool(self._context, network_backend=backend) as pool:
                return self._follow(pool, _parse_url(url), limit, cached)
        except httpcore.TimeoutException:
            raise Unreachable(f"took longer than {self._seconds:g} s to fetch") from None
        except httpcore.ConnectError:
            raise Unreachable("is on a host that cannot be reached") from None
        except (httpcore.NetworkError, httpcore.ProtocolError):
            raise Unfetchable("could not be fetched: the connection broke") from None

    def _follow(
        self, pool: httpcore.ConnectionPool, url: httpx.URL, limit: int, cached: HttpCacheHeaders | None
    ) -> FetchResponse:
        for _ in range(_MAX_REDIRECTS + 1):
            request_headers = self._headers(url) + (
                _conditional_headers(cached) if cached and cached["url"] == str(url) else []
            )
            with pool.stream("GET", _to_httpcore(url), headers=request_headers) as response:
                headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
                target = headers.get("location")
                if response.status not in _REDIRECT_STATUSES or target is None:
                    return FetchResponse(str(url), response.status, headers, _read_body(response, headers, limit))
            url = _parse_url(target, url)
        raise Unfetchable(f"redirects more than {_MAX_REDIRECTS} times")

    def _headers(self, url: httpx.URL) -> list[tuple[bytes, bytes]]:
        return [
            (b"Host", url.netloc),
            (b"User-Agent", self._agent),
            (b"Accept", b"text/html, application/xhtml+xml, application/pdf, text/*;q=0.9, */*;q=0.5"),
            (b"Accept-Encoding", b"gzip"),
        ]


def _conditional_headers(cached: HttpCacheHeaders) -> list[tuple[bytes, bytes]]:
    headers = ((b"If-None-Match", cached["etag"]), (b"If-Modified-Since", cached["modified"]))
    return [(name, value.encode("latin-1")) for name, value in headers if value]


def _parse_url(address: str, base: httpx.URL | None = None) -> httpx.URL:
    try:
        url = base.join(address) if base else httpx.URL(address)
    except (httpx.InvalidURL, ValueError):
        raise Unfetchable("has or redirects to an address that cannot be read") from None
    if url.scheme not in {"http", "https"} or not url.host:
        raise Unfetchable("has or redirects to an address that is neither http nor https")
    if url.userinfo:
        raise Unfetchable("has or redirects to an address with a user name or a password")
    return url


def _to_httpcore(url: httpx.URL) -> httpcore.URL:
    return httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)


def _read_body(response: httpcore.Response, headers: Mapping[str, str], limit: int) -> bytes:
    too_large = Unfetchable(f"is larger than {limit / 1e6:g} MB")
    length = headers.get("content-length", "")
    if length.isdecimal() and int(length) > limit:
        raise too_large
    body = bytearray()
    for piece in _decode(response, headers.get("content-encoding", "").strip().lower(), limit):
        body += piece
        if len(body) > limit:
            raise too_large
    return bytes(body)


def _decode(response: httpcore.Response, encoding: str, limit: int) -> Iterator[bytes]:
    """Decompress gzip only: no other encoding was requested, and stacked encodings are bombs."""
    if encoding in {"", "identity"}:
        yield from response.iter_stream()
    elif encoding in {"gzip", "x-gzip"}:
        decompressor = zlib.decompressobj(_GZIP_WINDOW_BITS)
        try:
            for piece in response.iter_stream():
                # One byte above the limit is enough to detect that it is exceeded.
                yield decompressor.decompress(piece, limit + 1)
        except zlib.error:
            raise Unfetchable("is damaged: its compression cannot be undone") from None
        if not decompressor.eof:
            raise Unfetchable("is damaged: it ends too early")
    else:
        raise Unfetchable("is compressed in a way that was not asked for")
