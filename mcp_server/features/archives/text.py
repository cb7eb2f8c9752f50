"""Renders results about the archive as text, with ids, locations, citations and cursors."""

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
    """Render the hits of a page as a numbered list, with their citations if requested."""
    lines = [f"{result['metadata']['totalResults']} matches, {len(result['results'])} shown"]
    for number, hit in enumerate(result["results"], start=1):
        lines += _hit_lines(number, hit)
    if "citationGraph" in result:
        lines.append(_graph_line(result["citationGraph"]))
    for field, counts in result["facets"].items():
        values = (f"{json.dumps(each['value'], ensure_ascii=False)} ({each['count']})" for each in counts)
        lines.append(f"{field}: " + ", ".join(values))
    if result["did_you_mean"] is not None:
        lines.append(f"Did you mean: {result['did_you_mean']}")
    if result["truncated"]:
        lines.append("Shortened to fit max_chars")
    if result["next_cursor"] is not None:
        lines.append(f"next_cursor: {result['next_cursor']}")
    return "\n".join(lines)


def document_text(result: ArchiveDocumentResult) -> str:
    """Render the content below the document's details."""
    shown = len(result["content"])
    lines = [f"{_document_line(result['document'])} ({shown} of {result['total_chars']} characters)"]
    lines += _detail_lines(result["document"])
    lines += ["", result["content"]]
    if result["next_offset"] is not None:
        lines += ["", f"next_offset: {result['next_offset']}"]
    return "\n".join(lines)


def list_text(result: ArchiveListResult) -> str:
    """Render one line per document."""
    lines = [f"{result['total']} documents, {len(result['documents'])} shown"]
    lines += [f"- {_document_line(document)}" for document in result["documents"]]
    if result["next_cursor"] is not None:
        lines.append(f"next_cursor: {result['next_cursor']}")
    return "\n".join(lines)


def delete_text(result: ArchiveDeleteResult) -> str:
    """Render the number of deleted documents."""
    return f"{result['deleted']} deleted"


def cite_text(result: CiteResult) -> str:
    """Render the reference below the id of its document."""
    citation = result["citation"]
    reference = citation if isinstance(citation, str) else json.dumps(citation, ensure_ascii=False, indent=2)
    return f"{result['id']} as {result['format']}:\n{reference}"


def _document_line(document: ArchiveDocument) -> str:
    date = f", {document['date']}" if document["date"] else ""
    return f"{document['id']} {document['title']} [{document['path']}{date}]"


def _detail_lines(document: DocumentDetails) -> Iterator[str]:
    if document["authors"]:
        yield f"authors: {', '.join(document['authors'])}"
    if document["tags"]:
        yield f"tags: {', '.join(document['tags'])}"
    if document["url"] is not None:
        yield f"url: {document['url']}"
    if document["doi"] is not None:
        yield f"doi: {document['doi']}"


def _hit_lines(number: int, hit: ArchiveHit) -> Iterator[str]:
    document = hit["document"]
    yield f"{number}. {_document_line(document)} (score {document.get('score', 0):.4g})"
    for highlights in hit["highlights"]:
        for snippet, location in zip(highlights["snippets"], highlights["locations"], strict=True):
            location_text = _location_text(location) if highlights["field"] == "content" else "title"
            yield f"   {snippet}" + (f" ({location_text})" if location_text else "")
    if "citations" in hit:
        yield from (f"   cites {_citation_target(citation)}" for citation in hit["citations"]["citing"])
        yield from (f"   cited by {citation['sourceId']}" for citation in hit["citations"]["cited"])
        if hit["citations"].get("truncated"):
            yield "   and more citations"


def _location_text(location: Location) -> str:
    parts = [f"{name} {location[name]}" for name in ("page", "line") if location[name] is not None]
    if location["heading"]:
        parts.append(f"under {location['heading']}")
    return ", ".join(parts)


def _citation_target(citation: Citation) -> str:
    return citation["targetUrl"] if citation["targetId"] is None else f"{citation['targetId']} {citation['targetUrl']}"


def _graph_line(graph: CitationGraph) -> str:
    suffix = ", and more" if graph["truncated"] else ""
    return f"citation graph: {len(graph['nodes'])} nodes, {len(graph['edges'])} edges{suffix}"
