"""Fetching one page: guarded at every step, bounded in size and time, without cookies, proxies or credentials."""

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

AGENT: Final = "Trawl"
_REDIRECTS: Final = 5
_REDIRECTING: Final = frozenset({301, 302, 303, 307, 308})
_GZIP: Final = 16 + zlib.MAX_WBITS


class Unreachable(Unfetchable):
    """The host did not answer, so its other pages will hardly do better."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """The last answer, after all redirects."""

    url: str
    """Whose answer it is."""
    status: int
    headers: Mapping[str, str]
    """By lower-case name."""
    body: bytes


class Fetcher:
    """Fetches pages, from any number of threads."""

    def __init__(self, guard: Guard, seconds: float, context: ssl.SSLContext | None = None) -> None:
        self._guard = guard
        self._seconds = seconds
        self._context = context or httpx.create_ssl_context()
        self._agent = f"{AGENT}/{version('trawl')}".encode()

    def get(self, url: str, limit: int, known: HttpCacheHeaders | None = None) -> Fetched:
        """Fetch a page of at most so many bytes, unless it is still the known one; `Unfetchable` says why not."""
        backend = PinnedBackend(self._guard, Deadline.within(self._seconds))
        try:
            with httpcore.ConnectionPool(self._context, network_backend=backend) as pool:
                return self._follow(pool, _parsed(url), limit, known)
        except httpcore.TimeoutException:
            raise Unreachable(f"took longer than {self._seconds:g} s to fetch") from None
        except httpcore.ConnectError:
            raise Unreachable("is on a host that cannot be reached") from None
        except (httpcore.NetworkError, httpcore.ProtocolError):
            raise Unfetchable("could not be fetched: the connection broke") from None

    def _follow(
        self, pool: httpcore.ConnectionPool, url: httpx.URL, limit: int, known: HttpCacheHeaders | None
    ) -> Fetched:
        for _ in range(_REDIRECTS + 1):
            asked = self._headers(url) + (_conditions(known) if known and known["url"] == str(url) else [])
            with pool.stream("GET", _core(url), headers=asked) as response:
                headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
                target = headers.get("location")
                if response.status not in _REDIRECTING or target is None:
                    return Fetched(str(url), response.status, headers, _body(response, headers, limit))
            url = _parsed(target, url)
        raise Unfetchable(f"redirects more than {_REDIRECTS} times")

    def _headers(self, url: httpx.URL) -> list[tuple[bytes, bytes]]:
        return [
            (b"Host", url.netloc),
            (b"User-Agent", self._agent),
            (b"Accept", b"text/html, application/xhtml+xml, application/pdf, text/*;q=0.9, */*;q=0.5"),
            (b"Accept-Encoding", b"gzip"),
        ]


def _conditions(known: HttpCacheHeaders) -> list[tuple[bytes, bytes]]:
    given = ((b"If-None-Match", known["etag"]), (b"If-Modified-Since", known["modified"]))
    return [(name, value.encode("latin-1")) for name, value in given if value]


def _parsed(given: str, base: httpx.URL | None = None) -> httpx.URL:
    try:
        url = base.join(given) if base else httpx.URL(given)
    except (httpx.InvalidURL, ValueError):
        raise Unfetchable("has or redirects to an address that cannot be read") from None
    if url.scheme not in {"http", "https"} or not url.host:
        raise Unfetchable("has or redirects to an address that is neither http nor https")
    if url.userinfo:
        raise Unfetchable("has or redirects to an address with a user name or a password")
    return url


def _core(url: httpx.URL) -> httpcore.URL:
    return httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)


def _body(response: httpcore.Response, headers: Mapping[str, str], limit: int) -> bytes:
    too_large = Unfetchable(f"is larger than {limit / 1e6:g} MB")
    length = headers.get("content-length", "")
    if length.isdecimal() and int(length) > limit:
        raise too_large
    body = bytearray()
    for piece in _decoded(response, headers.get("content-encoding", "").strip().lower(), limit):
        body += piece
        if len(body) > limit:
            raise too_large
    return bytes(body)


def _decoded(response: httpcore.Response, encoding: str, limit: int) -> Iterator[bytes]:
    """Undo gzip alone: other encodings were not asked for, and stacked ones are bombs."""
    if encoding in {"", "identity"}:
        yield from response.iter_stream()
    elif encoding in {"gzip", "x-gzip"}:
        unpacking = zlib.decompressobj(_GZIP)
        try:
            for piece in response.iter_stream():
                # One byte above the limit is enough to see that it is exceeded.
                yield unpacking.decompress(piece, limit + 1)
        except zlib.error:
            raise Unfetchable("is damaged: its compression cannot be undone") from None
        if not unpacking.eof:
            raise Unfetchable("is damaged: it ends too early")
    else:
        raise Unfetchable("is compressed in a way that was not asked for")
