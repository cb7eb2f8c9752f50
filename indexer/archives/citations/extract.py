"""Extracts the citations of a parsed document: for each link the keys that it may mean, and the text around it."""

from collections.abc import Iterator
from typing import Final

from indexer.archives.citations.keys import candidates
from indexer.archives.parsed import Link, ParsedDocument
from indexer.archives.stored import Cited

MAX_CITATIONS: Final = 2_000
"""Stored per document, so that the citations of a link list do not outgrow its text."""
_CONTEXT_CHARACTERS: Final = 100
"""On each side of a link."""


def citations(document: ParsedDocument, path: str | None, base_url: str | None) -> list[Cited]:
    """Return the citations of a document; links with the same keys count once, with the context of the first."""
    return list(_citations(document, path, base_url))


def _citations(document: ParsedDocument, path: str | None, base_url: str | None) -> Iterator[Cited]:
    seen: set[tuple[str, ...]] = set()
    for link in document.links:
        link_candidates = candidates(link, path, base_url)
        keys = tuple(candidate.key for candidate in link_candidates)
        if not link_candidates or keys in seen:
            continue
        seen.add(keys)
        stored = [(candidate.key, candidate.confidence) for candidate in link_candidates]
        yield Cited(target=_link_target(link), context=context(document.text, link), candidates=stored)
        if len(seen) == MAX_CITATIONS:
            return


def _link_target(link: Link) -> str:
    """Return the link as written, or the URL of a bare identifier."""
    match link.kind:
        case "doi":
            return f"https://doi.org/{link.target}"
        case "arxiv":
            return f"https://arxiv.org/abs/{link.target}"
        case "link" | "wiki":
            return link.target


def context(text: str, link: Link) -> str:
    """Return the text around a link: whole words of its paragraph, with single spaces."""
    first, last = max(link.start - _CONTEXT_CHARACTERS, 0), min(link.start + _CONTEXT_CHARACTERS, len(text))
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
