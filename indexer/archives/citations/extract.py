"""From a parsed document's links to what is stored with it: what each may mean, and the words around it."""

from collections.abc import Iterator
from typing import Final

from indexer.archives.citations.keys import candidates
from indexer.archives.parsed import Link, ParsedDocument
from indexer.archives.stored import Cited

MOST_CITATIONS: Final = 2_000
"""Kept of one document; a page of links should not outweigh what it says."""
_AROUND: Final = 100


def citations(document: ParsedDocument, path: str | None, base_url: str | None) -> list[Cited]:
    """Return what a document cites, each target once with the first place that names it."""
    return list(_each(document, path, base_url))


def _each(document: ParsedDocument, path: str | None, base_url: str | None) -> Iterator[Cited]:
    seen: set[tuple[str, ...]] = set()
    for link in document.links:
        found = candidates(link, path, base_url)
        meant = tuple(candidate.key for candidate in found)
        if not found or meant in seen:
            continue
        seen.add(meant)
        meanings = [(candidate.key, candidate.confidence) for candidate in found]
        yield Cited(target=_address(link), context=context(document.text, link), candidates=meanings)
        if len(seen) == MOST_CITATIONS:
            return


def _address(link: Link) -> str:
    """Return a link as written, or where a bare identifier is looked up."""
    match link.kind:
        case "doi":
            return f"https://doi.org/{link.target}"
        case "arxiv":
            return f"https://arxiv.org/abs/{link.target}"
        case "link" | "wiki":
            return link.target


def context(text: str, link: Link) -> str:
    """Return the words around a link, whole, from its own paragraph."""
    first, last = max(link.start - _AROUND, 0), min(link.start + _AROUND, len(text))
    gap = text.rfind("\n\n", max(first - 2, 0), link.start)
    start = first if gap < 0 else gap + 2
    gap = text.find("\n\n", link.start, last + 2)
    end = last if gap < 0 else gap
    before = text[start : link.start]
    if start and not text[start - 1].isspace():
        before = before.partition(" ")[2] or before
    after = text[link.start : end]
    if end < len(text) and not text[end].isspace():
        after = after.rpartition(" ")[0] or after
    return " ".join(f"{before}{after}".split())
