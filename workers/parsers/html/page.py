"""HTML: the main text of a page without its furniture, in blocks as a reader sees them."""

import re
from typing import Any, Final

from lxml import etree

from indexer.archives.parsed import ParsedDocument
from workers.parsers import decoding
from workers.parsers.builder import Builder
from workers.parsers.failures import NO_TEXT, TOO_DEEP, ParseError
from workers.parsers.html import metadata as html_metadata
from workers.parsers.html.text import NEVER_SHOWN, Walk

_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_XML_ENCODING: Final = re.compile(rb"\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{2,40})", re.IGNORECASE)
_HEAD: Final = 4_096
_FURNITURE: Final = frozenset({"nav", "aside", "form", "footer"})
_ROLES: Final = frozenset({"navigation", "banner", "contentinfo", "search", "complementary"})


def parse(data: bytes) -> ParsedDocument:
    """Read a page: `<main>`, the only `<article>` or `role=main`, else the body."""
    page = _tree(_text(data))
    declared = html_metadata.declared(page)
    for root, skipped, roles in _attempts(page):
        builder = Builder()
        Walk(builder, html_metadata.base(page), skipped, roles).read(root)
        try:
            return builder.finish(declared)
        except ParseError as failure:
            if failure.reason != NO_TEXT:
                raise
    raise ParseError(NO_TEXT)


def _text(data: bytes) -> str:
    """Decode by mark, else UTF-8 where it fits, else what the page declares, else the likeliest encoding."""
    try:
        return decoding.decode(data) if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")) else data.decode()
    except UnicodeDecodeError:
        found = _CHARSET.search(data[:_HEAD]) or _XML_ENCODING.search(data[:_HEAD])
        if found:
            try:
                return data.decode(found[1].decode("ascii"), "replace")
            except (LookupError, UnicodeDecodeError):
                pass
        return decoding.decode(data)


def _tree(source: str) -> Any:
    # With `huge_tree` libxml2 follows 2,048 levels instead of 256; what goes deeper is told in its log.
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


def _by_role(page: Any) -> Any:
    try:
        return page.xpath("//*[@role='main']")
    except etree.XPathEvalError:
        # There is nothing wrong with the path, so it is the memory.
        raise MemoryError from None


def _attempts(page: Any) -> list[tuple[Any, frozenset[str], frozenset[str]]]:
    """List where the text may be, best first; the last takes everything, for pages that are one big form."""
    body = page.find("body")
    whole = page if body is None else body
    mains = list(page.iter("main")) or _by_role(page) or list(page.iter("article"))
    everywhere = [(whole, _FURNITURE | {"header"} | NEVER_SHOWN, _ROLES), (whole, NEVER_SHOWN, frozenset[str]())]
    # Inside the main part, a header holds the title and the by-line.
    return [(mains[0], _FURNITURE | NEVER_SHOWN, _ROLES), *everywhere] if len(mains) == 1 else everywhere
