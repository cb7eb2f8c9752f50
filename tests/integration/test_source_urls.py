from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from indexer.archives.ids import url_id
from indexer.archives.incoming import HttpCacheHeaders
from tests.integration.source_site import Page, Site, serving
from workers.parsers.kinds import UNKNOWN
from workers.sources.interface import Entry, FailedFile, Item, NotModified
from workers.sources.skipped import SkippedFile
from workers.sources.versions import PARSER_VERSION
from workers.sources.web.fetch import Fetcher
from workers.sources.web.guard import Guard
from workers.sources.web.pages import UrlSource

LIMIT = 100_000


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as served:
        yield served


def reading(urls: Sequence[str], seconds: float = 60) -> UrlSource:
    return UrlSource(urls, Fetcher(Guard.allowing(["127.0.0.1"]), seconds), LIMIT, lambda _: None)


def read(site: Site, *paths: str) -> list[Item | FailedFile | SkippedFile | NotModified]:
    source = reading([site.address + path for path in paths])
    return [source.read(entry) for entry in source.list() if isinstance(entry, Entry)]


def reasons(site: Site, *paths: str) -> list[str]:
    return [item.reason if isinstance(item, FailedFile) else "read" for item in read(site, *paths)]


def test_a_page_becomes_a_document_named_by_its_address(site: Site) -> None:
    modified = "Tue, 20 May 2025 23:00:00 GMT"
    site.pages["/a%20b?c=d"] = Page(b"<p>Hello", headers={"Last-Modified": modified})
    [item] = read(site, "/a%20b?c=d#part")
    address = f"{site.address}/a%20b?c=d"
    host = site.address.removeprefix("http://")
    validators = HttpCacheHeaders(url=address, etag=None, modified=modified, parser=PARSER_VERSION)
    assert item == Item(b"<p>Hello", "page.html", url_id(address), "url", host, address, "2025-05-20", validators)


def test_a_page_without_a_date_has_that_of_today(site: Site) -> None:
    site.pages["/"] = Page(b"<p>Hello", headers={"Last-Modified": "yesterday"})
    before = datetime.now(UTC).date().isoformat()
    [item] = read(site, "")
    assert isinstance(item, Item)
    assert item.fallback_date in {before, datetime.now(UTC).date().isoformat()}


def test_the_same_page_is_listed_once(site: Site) -> None:
    source = reading([f"{site.address}/a", f"{site.address}/a#b", f" {site.address.upper()}/a", "ftp://x.example/"])
    assert [entry.path for entry in source.list()] == [f"{site.address}/a", "ftp://x.example/"]


@pytest.mark.parametrize(
    ("path", "type_", "name"),
    [
        ("/a", "text/html", "page.html"),
        ("/a", "application/pdf", "page.pdf"),
        ("/a", "text/markdown; charset=utf-8", "page.md"),
        ("/a", "text/plain", "page.txt"),
        ("/a.md", "text/plain", "page.md"),
        ("/a.PDF", "application/octet-stream", "page.pdf"),
        ("/a.pdf", None, "page.pdf"),
        ("/a.pdf", "text/html", "page.html"),
    ],
)
def test_the_content_type_decides_the_kind(site: Site, path: str, type_: str | None, name: str) -> None:
    site.pages[path] = Page(b"x", type_)
    [item] = read(site, path)
    assert isinstance(item, Item)
    assert item.name == name


@pytest.mark.parametrize(
    ("path", "type_", "kind"),
    [
        ("/a.png", "image/png", ".png"),
        ("/a", None, "application/octet-stream"),
        ("/a?b=c.md", "Image/PNG", "image/png"),
    ],
)
def test_other_kinds_are_skipped(site: Site, path: str, type_: str | None, kind: str) -> None:
    site.pages[path] = Page(b"x", type_)
    assert read(site, path) == [SkippedFile(site.address + path, "no reader for this kind", kind)]


def test_a_page_whose_address_says_that_it_can_be_read_fails_if_it_cannot(site: Site) -> None:
    site.pages["/a.md"] = Page(b"x", "image/png")
    assert reasons(site, "/a.md") == [UNKNOWN]


@pytest.mark.parametrize(
    ("body", "charset", "text"),
    [
        ("naïve".encode(), "utf-8", "naïve"),
        ("naïve".encode(), "iso-8859-1", "naïve"),
        ("“naïve”".encode("cp1252"), "ISO-8859-1", "“naïve”"),
        ("Прага".encode("cp1251"), '"windows-1251"', "Прага"),
        (b"plain", "punycode", "plain"),
        (b"plain", "no-such-thing", "plain"),
    ],
)
def test_text_arrives_in_unicode_whatever_the_header_says(site: Site, body: bytes, charset: str, text: str) -> None:
    site.pages["/"] = Page(body, f"text/plain; charset={charset}")
    [item] = read(site, "/")
    assert isinstance(item, Item)
    assert item.data.decode("utf-8-sig") == text


@pytest.mark.parametrize("status", [204, 304, 404, 410, 429, 500])
def test_an_answer_without_a_page_is_refused_by_its_status(site: Site, status: int) -> None:
    site.pages["/"] = Page(b"", status=status)
    assert reasons(site, "/") == [f"was answered with status {status}"]


def test_robots_are_asked_once_and_obeyed(site: Site) -> None:
    site.pages |= {"/robots.txt": Page(b"User-agent: *\nDisallow: /private", "text/plain")}
    site.pages |= {"/a": Page(b"a"), "/b": Page(b"b"), "/private/c": Page(b"c")}
    forbidden = "may not be fetched: the site's robots.txt forbids it"
    assert reasons(site, "/a", "/private/c", "/b") == ["read", forbidden, "read"]
    assert site.paths == ["/robots.txt", "/a", "/b"]


@pytest.mark.parametrize("status", [401, 403])
def test_a_site_that_hides_its_robots_is_not_read(site: Site, status: int) -> None:
    site.pages |= {"/robots.txt": Page(status=status), "/a": Page(b"a")}
    assert "robots.txt forbids" in reasons(site, "/a")[0]
    assert site.paths == ["/robots.txt"]


def test_a_site_that_cannot_tell_its_robots_is_read_later(site: Site) -> None:
    site.pages |= {"/robots.txt": Page(status=503), "/a": Page(b"a")}
    assert "now" in reasons(site, "/a")[0]
    assert site.paths == ["/robots.txt"]


@pytest.mark.parametrize("page", [Page(status=404), Page(bytes(600_000), "text/plain"), Page(b"<p>Not found")])
def test_a_site_without_usable_robots_is_read(site: Site, page: Page) -> None:
    site.pages |= {"/robots.txt": page, "/a": Page(b"a")}
    assert reasons(site, "/a") == ["read"]


def test_one_page_that_fails_spoils_no_other_and_no_reason_names_it(site: Site) -> None:
    site.pages |= {"/big": Page(bytes(LIMIT + 1)), "/out": Page(status=302, headers={"Location": "http://127.0.0.2/"})}
    site.pages |= {"/good": Page(b"good")}
    found = reasons(site, "/big", "/out", "/missing", "/good")
    assert [reason == "read" for reason in found] == [False, False, False, True]
    assert "127" not in "".join(found)


def test_a_host_that_stays_silent_is_given_up(site: Site) -> None:
    for number in range(5):
        site.pages[f"/{number}"] = Page(silent=True)
    source = reading([f"{site.address}/{number}" for number in range(5)], seconds=0.3)
    found = [source.read(entry) for entry in source.list() if isinstance(entry, Entry)]
    assert ["in a row" in item.reason for item in found if isinstance(item, FailedFile)] == [False] * 3 + [True] * 2


def test_pages_are_read_from_several_threads(site: Site) -> None:
    for number in range(20):
        site.pages[f"/{number}"] = Page(str(number).encode())
    source = reading([f"{site.address}/{number}" for number in range(20)])
    listed = [entry for entry in source.list() if isinstance(entry, Entry)]
    with ThreadPoolExecutor(8) as threads:
        items = list(threads.map(source.read, listed))
    assert [item.data for item in items if isinstance(item, Item)] == [str(number).encode() for number in range(20)]
    assert site.paths.count("/robots.txt") == 1
