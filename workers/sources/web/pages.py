"""Pages of the web as a source: fetched politely, read once, named by their address."""

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
from workers.sources.interface import CacheHeaderLookup, Entry, Item, NotModified, SkippedFile
from workers.sources.versions import PARSER_VERSION
from workers.sources.web.fetch import AGENT, Fetched, Fetcher, Unreachable
from workers.sources.web.guard import Unfetchable
from workers.sources.web.robots import ROBOTS_LIMIT, Robots

_GIVE_UP: Final = 3
"""After so many pages in a row without an answer, a host's other pages are not tried."""
_ENCODINGS: Final = re.compile(r"iso8859-[0-9]+|cp[0-9]+|koi8-[ru]|shift_jis|euc_jp|euc_kr|gb2312|gbk|gb18030|big5")
_LONGEST_VALIDATOR: Final = 500
_TEXT: Final = frozenset({".md", ".html", ".xhtml", ".txt"})


class UrlSource:
    """Pages in the order given; one request at a time to each host."""

    origin = ""
    remote = True

    def __init__(self, urls: Sequence[str], fetcher: Fetcher, limit: int, recall: CacheHeaderLookup) -> None:
        self._urls = urls
        self._fetcher = fetcher
        self._limit = limit
        self._recall = recall
        self._opening = Lock()
        self._hosts: defaultdict[str, Lock] = defaultdict(Lock)
        self._robots: dict[str, Robots] = {}
        self._silent = Counter[str]()

    def list(self) -> Iterator[Entry | SkippedFile]:
        seen = set[str]()
        for url in self._urls:
            asked = urldefrag(url.strip()).url
            path = exact(asked)
            if path is None:
                yield SkippedFile(asked, "has an address that is neither http nor https")
            elif path not in seen:
                seen.add(path)
                yield Entry(path, asked, 0)

    def read(self, entry: Entry) -> Item | SkippedFile | NotModified:
        parts = urlsplit(entry.locator)
        site = f"{parts.scheme}://{parts.netloc}".lower()
        with self._opening:
            turn = self._hosts[site]
        known = self._known(entry)
        try:
            with turn:
                answer = self._fetched(site, entry.locator, known)
            if known is not None and answer.status == 304 and answer.url == known["url"]:
                return NotModified(url_id(entry.path))
            return _item(entry, answer)
        except Unfetchable as error:
            return SkippedFile(entry.path, error.reason)

    def still_there(self, path: str) -> bool:  # noqa: ARG002  # the protocol's
        """Pages are never mirrored, so none is ever gone."""
        return True

    def _known(self, entry: Entry) -> HttpCacheHeaders | None:
        known = self._recall(url_id(entry.path))
        return known if known is not None and known["parser"] == PARSER_VERSION else None

    def _fetched(self, site: str, url: str, known: HttpCacheHeaders | None) -> Fetched:
        if self._silent[site] >= _GIVE_UP:
            raise Unfetchable(f"is on a host that did not answer {_GIVE_UP} times in a row")
        if not self._rules(site).allow(url):
            raise Unfetchable("may not be fetched: the site's robots.txt forbids it")
        try:
            answer = self._fetcher.get(url, self._limit, known)
        except Unreachable:
            self._silent[site] += 1
            raise
        self._silent[site] = 0
        return answer

    def _rules(self, site: str) -> Robots:
        known = self._robots.get(site)
        if known is not None:
            return known
        try:
            answer = self._fetcher.get(f"{site}/robots.txt", ROBOTS_LIMIT)
        except Unfetchable:
            # The page itself will tell what is the matter, if anything is.
            return self._robots.setdefault(site, Robots())
        if answer.status >= 500:
            raise Unfetchable("may not be fetched now: the site's robots.txt cannot be read")
        if answer.status in {401, 403}:
            body = b"User-agent: *\nDisallow: /"
        else:
            body = answer.body if answer.status == 200 else b""
        return self._robots.setdefault(site, Robots.read(body, AGENT))


def _item(entry: Entry, answer: Fetched) -> Item:
    if answer.status != 200:
        raise Unfetchable(f"was answered with status {answer.status}")
    described = Message()
    described["content-type"] = answer.headers.get("content-type", "application/octet-stream")
    extension = _extension(described.get_content_type(), entry.locator)
    return Item(
        data=_as_unicode(answer.body, described.get_content_charset()) if extension in _TEXT else answer.body,
        name=f"page{extension}",
        id=url_id(entry.path),
        source="url",
        root=urlsplit(entry.path).netloc,
        url=entry.path,
        fallback_date=_date(answer.headers.get("last-modified")),
        validators=_validators(answer),
    )


def _validators(answer: Fetched) -> HttpCacheHeaders | None:
    etag, modified = (_short(answer.headers.get(name)) for name in ("etag", "last-modified"))
    if not etag and not modified:
        return None
    return HttpCacheHeaders(url=answer.url, etag=etag, modified=modified, parser=PARSER_VERSION)


def _short(value: str | None) -> str | None:
    return value if value and len(value) <= _LONGEST_VALIDATOR else None


def _extension(media_type: str, url: str) -> str:
    """Believe the answer, except where it says no more than that there are bytes or letters."""
    told = extension_of(media_type)
    named = PurePosixPath(urlsplit(url).path).suffix.lower()
    if named in EXTENSIONS and (told == ".txt" or media_type == "application/octet-stream"):
        return named
    if told is None:
        raise Unfetchable(UNKNOWN)
    return told


def _as_unicode(body: bytes, charset: str | None) -> bytes:
    """Write text whose encoding only the answer's header names as marked UTF-8, which parsers see at once."""
    try:
        name = codecs.lookup(charset or "utf-8").name
        if not _ENCODINGS.fullmatch(name) or _is_utf8(body):
            return body
    except (LookupError, ValueError):
        return body
    return codecs.BOM_UTF8 + body.decode("cp1252" if name == "iso8859-1" else name, "replace").encode()


def _is_utf8(body: bytes) -> bool:
    """Recognise text that cannot be in the old encoding that many servers name for everything."""
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
