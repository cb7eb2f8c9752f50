"""Which sources are shown, in which order, and where the returned text refers to them."""

from mcp_server.features.web.provider.reading import Source
from mcp_server.features.web.results import WebCitation


def in_answer(text: str, sources: list[Source], most: int) -> tuple[str, list[WebCitation]]:
    """Return the whole text with its sources, each address once, where it was cited first."""
    return text, [
        _citation(source, text, source.start, source.end, rank)
        for rank, source in enumerate(_distinct(sources, most), start=1)
    ]


def passages_only(text: str, sources: list[Source], most: int) -> tuple[str, list[WebCitation]]:
    """Return the cited passages alone, one a line, with their sources."""
    chosen = _distinct(sources, most)
    passages = [" ".join(text[source.start : source.end].split()) for source in chosen]
    lines = "\n".join(passage for passage in passages if passage)
    citations: list[WebCitation] = []
    start = 0
    for rank, (source, passage) in enumerate(zip(chosen, passages, strict=True), start=1):
        begin = min(start, len(lines))
        citations.append(_citation(source, lines, begin, begin + len(passage), rank))
        start += len(passage) + 1 if passage else 0
    return lines, citations


def _distinct(sources: list[Source], most: int) -> list[Source]:
    first: dict[str, Source] = {}
    for source in sources:
        first.setdefault(source.url, source)
    return list(first.values())[:most]


def _citation(source: Source, text: str, start: int, end: int, rank: int) -> WebCitation:
    return WebCitation(
        url=source.url, title=source.title, textSnippet=text[start:end], startIndex=start, endIndex=end, rank=rank
    )
