"""Builds citations: unique sources in order of rank, with the position of each in the returned text."""

from collections.abc import Sequence

from mcp_server.features.web.provider.passages import Passages
from mcp_server.features.web.provider.response import Source
from mcp_server.features.web.results import WebCitation


def cite_text(text: str, sources: list[Source], max_sources: int) -> tuple[str, list[WebCitation]]:
    """Return the whole text and its citations; a source that is cited twice keeps its first position."""
    return text, [
        _citation(source, text[source.start : source.end], source.start, rank)
        for rank, source in enumerate(_unique_sources(sources, max_sources), start=1)
    ]


def cite_passages(text: str, sources: list[Source], max_sources: int) -> tuple[str, list[WebCitation]]:
    """Return only the passages that the sources support, one per line, and their citations."""
    passages = Passages(text, [(source.start, source.end) for source in sources])
    selected = _unique_sources(sources, max_sources)
    snippets = [
        passages.supported_by((source.start, source.end)) or " ".join(text[source.start : source.end].split())
        for source in selected
    ]
    lines, starts = join_passages(snippets)
    cited = zip(selected, snippets, starts, strict=True)
    return lines, [_citation(*each, rank) for rank, each in enumerate(cited, start=1)]


def join_passages(passages: Sequence[str]) -> tuple[str, list[int]]:
    """Return the passages, one per line, and where each starts; equal ones share a line, an empty one has none."""
    starts: dict[str, int] = {}
    length = 0
    for passage in passages:
        if passage and passage not in starts:
            starts[passage] = length
            length += len(passage) + 1
    return "\n".join(starts), [starts.get(passage, 0) for passage in passages]


def _unique_sources(sources: list[Source], max_sources: int) -> list[Source]:
    by_url: dict[str, Source] = {}
    for source in sources:
        by_url.setdefault(source.url, source)
    return list(by_url.values())[:max_sources]


def _citation(source: Source, snippet: str, start: int, rank: int) -> WebCitation:
    return WebCitation(
        url=source.url,
        title=source.title,
        textSnippet=snippet,
        startIndex=start,
        endIndex=start + len(snippet),
        rank=rank,
    )
