"""Renders results about local indices as text, with ids and cursors, for clients that read only text."""

from collections.abc import Iterable

from indexer.local.results import (
    AddResult,
    BulkResult,
    CreateResult,
    DeleteDocumentResult,
    DeleteIndexResult,
    DescribeResult,
    DocumentResult,
    IndicesResult,
    SearchHit,
    SearchResult,
)
from mcp_server.result_json import compact_json


def search_text(result: SearchResult) -> str:
    """Render the hits of a page as a numbered list."""
    lines = [f"{result['total_matches']} matches, {len(result['results'])} shown"]
    for number, hit in enumerate(result["results"], start=1):
        lines += _hit_lines(number, hit)
    for field, counts in result["facets"].items():
        lines.append(f"{field}: " + ", ".join(f"{compact_json(each['value'])} ({each['count']})" for each in counts))
    if result["did_you_mean"] is not None:
        lines.append(f"Did you mean: {result['did_you_mean']}")
    if result["truncated"]:
        lines.append("Shortened to fit max_chars")
    if result["next_cursor"] is not None:
        lines.append(f"next_cursor: {result['next_cursor']}")
    return "\n".join(lines)


def _hit_lines(number: int, hit: SearchHit) -> Iterable[str]:
    metadata = f" {compact_json(hit['metadata'])}" if hit["metadata"] else ""
    yield f"{number}. {hit['doc_id']} (score {hit['score']:.4g}){metadata}"
    yield from (f"   {highlight}" for highlight in hit["highlights"])
    if "explanation" in hit:
        yield f"   why: {hit['explanation']}"


def add_text(result: AddResult) -> str:
    """Confirm that a document was added or replaced."""
    return f"{result['status']} {result['doc_id']} ({result['token_count']} tokens)"


def bulk_text(result: BulkResult) -> str:
    """Render the numbers and ids of the documents, and why some failed."""
    lines = [f"{result['indexed']} indexed, {result['failed']} failed"]
    for status in ("indexed", "re-indexed"):
        ids = [outcome["doc_id"] for outcome in result["results"] if outcome["status"] == status]
        if ids:
            lines.append(f"{status}: {', '.join(ids)}")
    lines += [
        f"- {outcome['doc_id']}: {outcome.get('error', 'failed')}"
        for outcome in result["results"]
        if outcome["status"] == "failed"
    ]
    return "\n".join(lines)


def create_text(result: CreateResult) -> str:
    """Confirm a new index."""
    return f"created index {result['index_name']} (backend {result['backend']})"


def document_text(result: DocumentResult) -> str:
    """Render the content below a line with id and size."""
    shown = len(result["content"])
    lines = [f"{result['doc_id']} (revision {result['revision']}, {shown} of {result['total_chars']} characters)"]
    if result["metadata"]:
        lines.append(compact_json(result["metadata"]))
    lines += ["", result["content"]]
    if result["next_offset"] is not None:
        lines += ["", f"next_offset: {result['next_offset']}"]
    return "\n".join(lines)


def delete_document_text(result: DeleteDocumentResult) -> str:
    """Confirm that a document was deleted."""
    return f"{result['status']} {result['doc_id']}"


def indices_text(result: IndicesResult) -> str:
    """Render one line per index."""
    lines = [f"{len(result['indices'])} indices"]
    for entry in result["indices"]:
        outdated = ", outdated: re-index it" if entry["outdated"] else ""
        lines.append(f"- {entry['index_name']}: {entry['documents']} documents, {entry['size_bytes']} bytes{outdated}")
    return "\n".join(lines)


def describe_text(result: DescribeResult) -> str:
    """Render one line per field."""
    lines = [
        f"{result['index_name']}: {result['documents']} documents, tokens {compact_json(result['tokenizer_config'])}"
    ]
    if result["sortable_fields"]:
        lines.append(f"sortable: {compact_json(result['sortable_fields'])}")
    lines += [
        f"- {field['name']} ({'/'.join(field['types'])}, {field['documents']} documents): "
        + ", ".join(compact_json(value) for value in field["sample_values"])
        for field in result["fields"]
    ]
    return "\n".join(lines)


def delete_index_text(result: DeleteIndexResult) -> str:
    """Confirm that an index was deleted."""
    return f"deleted index {result['index_name']}"
