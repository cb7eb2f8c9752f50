"""HTML: the main text of a page without navigation, in the blocks that a reader sees."""

import re
from typing import Any, Final

from lxml import etree

from indexer.archives.parsed import ParsedDocument
from workers.parsers import decoding
from workers.parsers.builder import Builder
from workers.parsers.failures import NO_TEXT, TOO_DEEP, ParseError
from workers.parsers.html.metadata import base_url, read_metadata
from workers.parsers.html.text import NEVER_SHOWN, TextExtractor

_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_XML_ENCODING: Final = re.compile(rb"\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{2,40})", re.IGNORECASE)
_HEAD_BYTES: Final = 4_096
_NAVIGATION_TAGS: Final = frozenset({"nav", "aside", "form", "footer"})
_NAVIGATION_ROLES: Final = frozenset({"navigation", "banner", "contentinfo", "search", "complementary"})


def parse(data: bytes) -> ParsedDocument:
    """Parse a page: the only `<main>`, `role=main` or `<article>`, else the body."""
    page = _parse_tree(_decode(data))
    declared = read_metadata(page)
    for element, skipped, roles in _candidates(page):
        builder = Builder()
        TextExtractor(builder, base_url(page), skipped, roles).extract(element)
        try:
            return builder.finish(declared)
        except ParseError as failure:
            if failure.reason != NO_TEXT:
                raise
    raise ParseError(NO_TEXT)


def _decode(data: bytes) -> str:
    """Decode by byte order mark, else as UTF-8 if valid, else as the page declares, else in the likeliest encoding."""
    try:
        return decoding.decode(data) if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")) else data.decode()
    except UnicodeDecodeError:
        match = _CHARSET.search(data[:_HEAD_BYTES]) or _XML_ENCODING.search(data[:_HEAD_BYTES])
        if match:
            try:
                return data.decode(match[1].decode("ascii"), "replace")
            except (LookupError, UnicodeDecodeError):
                pass
        return decoding.decode(data)


def _parse_tree(source: str) -> Any:
    # With `huge_tree`, libxml2 allows 2,048 levels instead of 256. It reports deeper nesting only in its log.
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        page = etree.fromstring(source.replace("\0", "").encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        page = None
    if any(entry.type == etree.ErrorTypes.ERR_NO_MEMORY for entry in parser.error_log):
        raise MemoryError
    if any("depth" in entry.message for entry in parser.error_log):
        raise ParseError(TOO_DEEP)
    if page is None:
        raise ParseError(NO_TEXT)
    return page


def _main_by_role(page: Any) -> Any:
    try:
        return page.xpath("//*[@role='main']")
    except etree.XPathEvalError:
        # The expression is valid, so the memory is exhausted.
        raise MemoryError from None


def _candidates(page: Any) -> list[tuple[Any, frozenset[str], frozenset[str]]]:
    """Return where the text may be, best first: element, skipped tags, skipped roles. The last skips the least."""
    body = page.find("body")
    if body is None:
        body = page
    mains = list(page.iter("main")) or _main_by_role(page) or list(page.iter("article"))
    fallbacks = [
        (body, _NAVIGATION_TAGS | {"header"} | NEVER_SHOWN, _NAVIGATION_ROLES),
        # Some pages are one big form.
        (body, NEVER_SHOWN, frozenset[str]()),
    ]
    # The header of the main part holds the title and the author.
    main = [(mains[0], _NAVIGATION_TAGS | NEVER_SHOWN, _NAVIGATION_ROLES)] if len(mains) == 1 else []
    return [*main, *fallbacks]
