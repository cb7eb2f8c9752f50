"""Pages that were read before are asked for only if they have changed."""

from collections.abc import Iterator

import pytest

from indexer.archives.ids import url_id
from indexer.archives.incoming import HttpCacheHeaders
from tests.integration.source_site import Page, Site, serving
from workers.sources.interface import Entry, FailedFile, Item, NotModified
from workers.sources.versions import PARSER_VERSION
from workers.sources.web.fetch import Fetcher
from workers.sources.web.guard import Guard
from workers.sources.web.pages import UrlSource

LIMIT = 100_000
DATED = {"Last-Modified": "Tue, 20 May 2025 23:00:00 GMT"}


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as served:
        yield served


def read(site: Site, path: str, known: HttpCacheHeaders | None = None) -> Item | FailedFile | NotModified:
    """Read one page of which this is known."""
    recalled = {} if known is None else {url_id(site.address + path): known}
    source = UrlSource([site.address + path], Fetcher(Guard.allowing(["127.0.0.1"]), seconds=60), LIMIT, recalled.get)
    [entry] = source.list()
    assert isinstance(entry, Entry)
    return source.read(entry)


def learned(site: Site, path: str) -> HttpCacheHeaders:
    item = read(site, path)
    assert isinstance(item, Item)
    assert item.validators is not None
    site.asked.clear()
    return item.validators


def conditions(site: Site, path: str) -> set[str]:
    [headers] = [headers for asked, headers in site.asked if asked == path]
    return {name for name in headers if name.startswith("If-")}


@pytest.mark.parametrize(
    ("headers", "asked"),
    [
        ({"ETag": '"one"'}, {"If-None-Match"}),
        ({"ETag": 'W/"one"'}, {"If-None-Match"}),
        (DATED, {"If-Modified-Since"}),
        ({"ETag": '"one"', **DATED}, {"If-None-Match", "If-Modified-Since"}),
    ],
)
def test_a_page_that_has_not_changed_is_kept(site: Site, headers: dict[str, str], asked: set[str]) -> None:
    site.pages["/a"] = Page(b"<p>Hello", headers=headers)
    known = learned(site, "/a")
    assert read(site, "/a", known) == NotModified(url_id(f"{site.address}/a"))
    assert conditions(site, "/a") == asked


@pytest.mark.parametrize("headers", [{"ETag": '"two"', **DATED}, {}])
def test_a_page_that_has_changed_is_read(site: Site, headers: dict[str, str]) -> None:
    site.pages["/a"] = Page(b"<p>Hello", headers={"ETag": '"one"', **DATED})
    known = learned(site, "/a")
    site.pages["/a"] = Page(b"<p>Changed", headers=headers)
    item = read(site, "/a", known)
    assert isinstance(item, Item)
    assert item.data == b"<p>Changed"
    assert (item.validators or {}).get("etag") == headers.get("ETag")


def test_what_another_parser_has_read_is_read_again(site: Site) -> None:
    site.pages["/a"] = Page(b"<p>Hello", headers={"ETag": '"one"'})
    known = learned(site, "/a")
    assert isinstance(read(site, "/a", {**known, "parser": f"not {PARSER_VERSION}"}), Item)
    assert conditions(site, "/a") == set()


def test_only_the_address_that_gave_a_page_is_asked_whether_it_has_changed(site: Site) -> None:
    site.pages["/a"] = Page(status=302, headers={"Location": "/b", "ETag": '"other"'})
    site.pages |= {path: Page(b"<p>Hello", headers={"ETag": '"one"'}) for path in ("/b", "/c")}
    known = learned(site, "/a")
    assert known["url"] == f"{site.address}/b"
    assert isinstance(read(site, "/a", known), NotModified)
    assert (conditions(site, "/a"), conditions(site, "/b")) == (set(), {"If-None-Match"})
    site.pages["/a"] = Page(status=302, headers={"Location": "/c"})
    assert isinstance(read(site, "/a", known), Item)
    assert conditions(site, "/c") == set()


def test_an_answer_to_a_question_that_was_not_asked_is_refused(site: Site) -> None:
    site.pages["/a"] = Page(b"<p>Hello", headers={"ETag": '"one"'})
    known = learned(site, "/a")
    site.pages["/a"] = Page(status=302, headers={"Location": "/b"})
    site.pages["/b"] = Page(status=304)
    assert read(site, "/a", known) == FailedFile(f"{site.address}/a", "was answered with status 304")


def test_an_endless_tag_is_not_kept(site: Site) -> None:
    site.pages["/a"] = Page(b"<p>Hello", headers={"ETag": f'"{"x" * 1_000}"'})
    item = read(site, "/a")
    assert isinstance(item, Item)
    assert item.validators is None
