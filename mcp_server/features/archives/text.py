"""Results about archives as short text: ids, places, citations and cursors are all in it."""

import json
from collections.abc import Iterator

from indexer.archives.results import (
    ArchiveDeleteResult,
    ArchiveDocument,
    ArchiveDocumentResult,
    ArchiveHit,
    ArchiveListResult,
    ArchiveSearchResult,
    Citation,
    CitationGraph,
    CiteResult,
    DocumentDetails,
    Location,
)


def search_text(result: ArchiveSearchResult) -> str:
    """List the hits of a page by number, with the citations where they were asked for."""
    lines = [f"{result['metadata']['totalResults']} matches, {len(result['results'])} shown"]
    for number, hit in enumerate(result["results"], start=1):
        lines += _hit(number, hit)
    if "citationGraph" in result:
        lines.append(_graph(result["citationGraph"]))
    for field, counts in result["facets"].items():
        counted = (f"{json.dumps(each['value'], ensure_ascii=False)} ({each['count']})" for each in counts)
        lines.append(f"{field}: " + ", ".join(counted))
    if result["did_you_mean"] is not None:
        lines.append(f"Did you mean: {result['did_you_mean']}")
    if result["truncated"]:
        lines.append("Shortened to fit max_chars")
    if result["next_cursor"] is not None:
        lines.append(f"next_cursor: {result['next_cursor']}")
    return "\n".join(lines)


def document_text(result: ArchiveDocumentResult) -> str:
    """Give the content after a line about it."""
    shown = len(result["content"])
    lines = [f"{_named(result['document'])} ({shown} of {result['total_chars']} characters)"]
    lines += _known(result["document"])
    lines += ["", result["content"]]
    if result["next_offset"] is not None:
        lines += ["", f"next_offset: {result['next_offset']}"]
    return "\n".join(lines)


def list_text(result: ArchiveListResult) -> str:
    """Give a line to each document."""
    lines = [f"{result['total']} documents, {len(result['documents'])} shown"]
    lines += [f"- {_named(document)}" for document in result["documents"]]
    if result["next_cursor"] is not None:
        lines.append(f"next_cursor: {result['next_cursor']}")
    return "\n".join(lines)


def delete_text(result: ArchiveDeleteResult) -> str:
    """Say how many are gone."""
    return f"{result['deleted']} deleted"


def cite_text(result: CiteResult) -> str:
    """Give the reference itself."""
    citation = result["citation"]
    return citation if isinstance(citation, str) else json.dumps(citation, ensure_ascii=False, indent=2)


def _named(document: ArchiveDocument) -> str:
    date = f", {document['date']}" if document["date"] else ""
    return f"{document['id']} {document['title']} [{document['path']}{date}]"


def _known(document: DocumentDetails) -> Iterator[str]:
    if document["authors"]:
        yield f"authors: {', '.join(document['authors'])}"
    if document["tags"]:
        yield f"tags: {', '.join(document['tags'])}"
    if document["url"] is not None:
        yield f"url: {document['url']}"
    if document["doi"] is not None:
        yield f"doi: {document['doi']}"


def _hit(number: int, hit: ArchiveHit) -> Iterator[str]:
    document = hit["document"]
    yield f"{number}. {_named(document)} (score {document.get('score', 0):.4g})"
    for highlights in hit["highlights"]:
        for snippet, location in zip(highlights["snippets"], highlights["locations"], strict=True):
            place = _place(location) if highlights["field"] == "content" else "title"
            yield f"   {snippet}" + (f" ({place})" if place else "")
    if "citations" in hit:
        yield from (f"   cites {_target(citation)}" for citation in hit["citations"]["citing"])
        yield from (f"   cited by {citation['sourceId']}" for citation in hit["citations"]["cited"])
        if hit["citations"].get("truncated"):
            yield "   and more citations"


def _place(location: Location) -> str:
    parts = [f"{name} {location[name]}" for name in ("page", "line") if location[name] is not None]
    if location["heading"]:
        parts.append(f"under {location['heading']}")
    return ", ".join(parts)


def _target(citation: Citation) -> str:
    return citation["targetUrl"] if citation["targetId"] is None else f"{citation['targetId']} {citation['targetUrl']}"


def _graph(graph: CitationGraph) -> str:
    more = ", and more" if graph["truncated"] else ""
    return f"citation graph: {len(graph['nodes'])} nodes, {len(graph['edges'])} edges{more}"
