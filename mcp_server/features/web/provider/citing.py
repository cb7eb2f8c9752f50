"""Builds citations: unique sources in order of rank, with the position of each in the returned text."""

from mcp_server.features.web.provider.response import Source
from mcp_server.features.web.results import WebCitation


def cite_text(text: str, sources: list[Source], max_sources: int) -> tuple[str, list[WebCitation]]:
    """Return the whole text and its citations; a source that is cited twice keeps its first position."""
    return text, [
        _citation(source, text, source.start, source.end, rank)
        for rank, source in enumerate(_unique_sources(sources, max_sources), start=1)
    ]


def cite_passages(text: str, sources: list[Source], max_sources: int) -> tuple[str, list[WebCitation]]:
    """Return only the cited passages, one per line, and their citations."""
    selected = _unique_sources(sources, max_sources)
    passages = [" ".join(text[source.start : source.end].split()) for source in selected]
    lines = "\n".join(passage for passage in passages if passage)
    citations: list[WebCitation] = []
    start = 0
    for rank, (source, passage) in enumerate(zip(selected, passages, strict=True), start=1):
        passage_start = min(start, len(lines))
        citations.append(_citation(source, lines, passage_start, passage_start + len(passage), rank))
        start += len(passage) + 1 if passage else 0
    return lines, citations


def _unique_sources(sources: list[Source], max_sources: int) -> list[Source]:
    by_url: dict[str, Source] = {}
    for source in sources:
        by_url.setdefault(source.url, source)
    return list(by_url.values())[:max_sources]


def _citation(source: Source, text: str, start: int, end: int, rank: int) -> WebCitation:
    return WebCitation(
        url=source.url, title=source.title, textSnippet=text[start:end], startIndex=start, endIndex=end, rank=rank
    )
