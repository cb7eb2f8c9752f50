"""Web pages as a source: one request at a time per host, conditional where possible, within robots.txt."""

import codecs
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from pathlib import PurePosixPath
from threading import Lock
from typing import Final
from urllib.parse import urldefrag, urlsplit

from indexer.archives.citations.addresses import exact
from indexer.archives.ids import url_id
from indexer.archives.incoming import HttpCacheHeaders
from workers.parsers.kinds import EXTENSIONS, UNKNOWN, extension_of
from workers.sources import names
from workers.sources.interface import CacheHeaderLookup, Entry, FailedFile, Item, Listed, NotModified
from workers.sources.skipped import NO_READER, SkippedFile
from workers.sources.versions import PARSER_VERSION
from workers.sources.web.fetch import USER_AGENT, Fetcher, FetchResponse, Unreachable
from workers.sources.web.guard import Unfetchable
from workers.sources.web.robots import ROBOTS_LIMIT, Robots

_MAX_FAILURES_IN_A_ROW: Final = 3
"""After so many pages without a response, no other page of the host is requested."""
_LEGACY_ENCODINGS: Final = re.compile(
    r"iso8859-[0-9]+|cp[0-9]+|koi8-[ru]|shift_jis|euc_jp|euc_kr|gb2312|gbk|gb18030|big5"
)
_MAX_VALIDATOR_LENGTH: Final = 500
_MAX_TYPE_LENGTH: Final = 100
_TEXT_EXTENSIONS: Final = frozenset({".md", ".html", ".xhtml", ".txt"})


class UrlSource:
    """Pages in the order of the arguments; one request at a time to each host."""

    origin = ""
    remote = True

    def __init__(self, urls: Sequence[str], fetcher: Fetcher, limit: int, cache_headers: CacheHeaderLookup) -> None:
        self._urls = urls
        self._fetcher = fetcher
        self._limit = limit
        self._cache_headers = cache_headers
        self._lock = Lock()
        self._site_locks: defaultdict[str, Lock] = defaultdict(Lock)
        self._robots: dict[str, Robots] = {}
        self._failures_in_a_row = Counter[str]()

    def list(self) -> Iterator[Listed]:
        seen = set[str]()
        for url in self._urls:
            address = urldefrag(url.strip()).url
            path = exact(address)
            if path is None:
                yield FailedFile(address, "has an address that is neither http nor https")
            elif path not in seen:
                seen.add(path)
                yield Entry(path, address, 0)

    def read(self, entry: Entry) -> Item | FailedFile | SkippedFile | NotModified:
        parts = urlsplit(entry.locator)
        site = f"{parts.scheme}://{parts.netloc}".lower()
        with self._lock:
            site_lock = self._site_locks[site]
        cached = self._cached_headers(entry)
        try:
            with site_lock:
                response = self._fetch(site, entry.locator, cached)
            if cached is not None and response.status == 304 and response.url == cached["url"]:
                return NotModified(url_id(entry.path))
            return _build_item(entry, response)
        except Unfetchable as error:
            return FailedFile(entry.path, error.reason)

    def still_there(self, path: str) -> bool:  # noqa: ARG002  # required by the protocol
        """Return True: pages are never mirrored."""
        return True

    def _cached_headers(self, entry: Entry) -> HttpCacheHeaders | None:
        cached = self._cache_headers(url_id(entry.path))
        return cached if cached is not None and cached["parser"] == PARSER_VERSION else None

    def _fetch(self, site: str, url: str, cached: HttpCacheHeaders | None) -> FetchResponse:
        if self._failures_in_a_row[site] >= _MAX_FAILURES_IN_A_ROW:
            raise Unfetchable(f"is on a host that did not answer {_MAX_FAILURES_IN_A_ROW} times in a row")
        if not self._rules(site).allow(url, USER_AGENT):
            raise Unfetchable("may not be fetched: the site's robots.txt forbids it")
        try:
            response = self._fetcher.get(url, self._limit, cached)
        except Unreachable:
            self._failures_in_a_row[site] += 1
            raise
        self._failures_in_a_row[site] = 0
        return response

    def _rules(self, site: str) -> Robots:
        robots = self._robots.get(site)
        if robots is not None:
            return robots
        try:
            response = self._fetcher.get(f"{site}/robots.txt", ROBOTS_LIMIT)
        except Unfetchable:
            # The request for the page itself reports the error, if there still is one.
            return self._robots.setdefault(site, Robots())
        if response.status >= 500:
            raise Unfetchable("may not be fetched now: the site's robots.txt cannot be read")
        if response.status in {401, 403}:
            body = b"User-agent: *\nDisallow: /"
        else:
            body = response.body if response.status == 200 else b""
        return self._robots.setdefault(site, Robots(body))


def _build_item(entry: Entry, response: FetchResponse) -> Item | SkippedFile:
    if response.status != 200:
        raise Unfetchable(f"was answered with status {response.status}")
    message = Message()
    message["content-type"] = response.headers.get("content-type", "application/octet-stream")
    extension = _extension(message.get_content_type(), entry.locator)
    if extension is None:
        return _skip(entry, message.get_content_type())
    return Item(
        data=_mark_as_utf8(response.body, message.get_content_charset())
        if extension in _TEXT_EXTENSIONS
        else response.body,
        name=f"page{extension}",
        id=url_id(entry.path),
        source="url",
        origin=urlsplit(entry.path).netloc,
        url=entry.path,
        fallback_date=_date(response.headers.get("last-modified")),
        validators=_validators(response),
    )


def _validators(response: FetchResponse) -> HttpCacheHeaders | None:
    etag, modified = (_if_short(response.headers.get(name)) for name in ("etag", "last-modified"))
    if not etag and not modified:
        return None
    return HttpCacheHeaders(url=response.url, etag=etag, modified=modified, parser=PARSER_VERSION)


def _if_short(value: str | None) -> str | None:
    return value if value and len(value) <= _MAX_VALIDATOR_LENGTH else None


def _extension(media_type: str, url: str) -> str | None:
    """Return the extension by the media type; by the address if the media type is generic. None without a parser."""
    by_type = extension_of(media_type)
    by_url = _extension_of_address(url)
    if by_url in EXTENSIONS and (by_type == ".txt" or media_type == "application/octet-stream"):
        return by_url
    return by_type


def _skip(entry: Entry, media_type: str) -> SkippedFile:
    """Skip a page that no parser reads; it is a failure if its address says otherwise."""
    by_url = _extension_of_address(entry.locator)
    if by_url in EXTENSIONS:
        raise Unfetchable(UNKNOWN)
    kind = by_url if names.is_kind(by_url) else names.shown([media_type[:_MAX_TYPE_LENGTH]])
    return SkippedFile(entry.path, NO_READER, kind)


def _extension_of_address(url: str) -> str:
    return PurePosixPath(urlsplit(url).path).suffix.lower()


def _mark_as_utf8(body: bytes, charset: str | None) -> bytes:
    """Re-encode text in a legacy charset as UTF-8 with a byte order mark, since parsers do not see the HTTP headers."""
    try:
        name = codecs.lookup(charset or "utf-8").name
        if not _LEGACY_ENCODINGS.fullmatch(name) or _is_utf8(body):
            return body
    except (LookupError, ValueError):
        return body
    return codecs.BOM_UTF8 + body.decode("cp1252" if name == "iso8859-1" else name, "replace").encode()


def _is_utf8(body: bytes) -> bool:
    """Return whether the body is valid UTF-8: many servers declare one legacy charset for all pages."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _date(modified: str | None) -> str:
    try:
        return parsedate_to_datetime(modified or "").astimezone(UTC).date().isoformat()
    except (ValueError, OverflowError):
        return datetime.now(UTC).date().isoformat()
