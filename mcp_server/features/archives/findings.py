"""Documents of the archive as findings of `search_everywhere`."""

from collections.abc import Callable, Iterator
from typing import Final

from indexer.archives.highlights import HitHighlighter
from indexer.archives.mapping import filterable_fields
from indexer.archives.stored import StoredFields, stored_fields
from indexer.engines.port import Hit
from indexer.search.sort_values import sort_values
from indexer.search.top_hits import TopHits
from indexer.text.marks import MARK, plain_text, skip_characters
from mcp_server.content import Content
from mcp_server.features.everywhere import document_fields
from mcp_server.features.everywhere.details import explanation, shown_fields
from mcp_server.search_source import Finding, FindingDetails, Passage, Question

_GLOBAL_KEYS: Final = ("u:", "l:", "d:", "a:")
"""Prefixes of the keys that are valid outside the archive: URLs and DOIs, but not paths and titles."""


def archived_findings(found: TopHits, question: Question, *, is_close: bool) -> Iterator[Finding]:
    """Yield the hits of the archive as findings, in their order."""
    if found.target is None or found.query is None:
        return
    definition = found.target.definition
    highlighter = HitHighlighter(found.query, definition.analysis)
    for hit in found.hits:
        fields = stored_fields(hit.payload)
        yield Finding(
            id=hit.id,
            title=document_fields.title(fields["title"] or fields["path"]),
            snippet=document_fields.marked(informative_highlight(hit.highlights, fields["title"])),
            url=document_fields.web_address(fields["url"]),
            keys=frozenset(key for key in fields["keys"] if key.startswith(_GLOBAL_KEYS)),
            content=Content(hit.text, fields["title"]),
            is_close=is_close,
            sort_values=sort_values(definition, filterable_fields(fields), question.sort),
            details=_details(hit, fields, highlighter),
        )


def informative_highlight(highlights: tuple[str, ...], title: str) -> str:
    """Return the best passage of the body, without the title above it; if only the title matches, what follows it."""
    below_title = ""
    for highlight in highlights:
        first_line, _, below = plain_text(highlight).partition("\n")
        shown = len(first_line) + 1 + len(below) - len(below.lstrip())
        passage = skip_characters(highlight, shown) if first_line == title else highlight
        if MARK in passage:
            return passage
        below_title = below_title or passage.strip()
    return below_title or next(iter(highlights), "")


def _details(hit: Hit, fields: StoredFields, highlighter: HitHighlighter) -> Callable[[], FindingDetails]:
    def details() -> FindingDetails:
        known = ("date", "authors", "path", "tags", "language", "doi")
        return FindingDetails(
            passages=_passages(hit, fields, highlighter),
            fields=shown_fields({name: value for name, value in fields.items() if name in known}),
            explanation=explanation(hit),
        )

    return details


def _passages(hit: Hit, fields: StoredFields, highlighter: HitHighlighter) -> list[Passage]:
    return [
        Passage(text=snippet, **location)
        for entry in highlighter.highlight(hit, fields)
        if entry["field"] == "content"
        for snippet, location in zip(entry["snippets"], entry["locations"], strict=True)
    ]
