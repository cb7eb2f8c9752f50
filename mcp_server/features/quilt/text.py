"""Renders Quilt results as short text that includes ids, names, URIs and cursors."""

from collections.abc import Iterator

from mcp_server.features.quilt.results import CatalogHit, ListObjectsResult, SearchCatalogResult
from mcp_server.result_json import compact_json
from mcp_server.sandbox import sandbox_lines


def search_text(result: SearchCatalogResult) -> str:
    """Render a page as a numbered list of hits."""
    count = len(result["results"])
    at_least = "at least " if "total_is_at_least" in result else ""
    lines = [f"{at_least}{result['total_results']} results by {result['backend_used']}, {count} shown"]
    lines += sandbox_lines(result)
    for number, hit in enumerate(result["results"], start=1):
        lines += _hit_lines(number, hit)
    if "skipped_buckets" in result:
        lines.append(f"not searched, because the registry would not: {', '.join(result['skipped_buckets'])}")
    if result["truncated"]:
        lines.append('Shortened; for more: detail="full", max_chars')
    if result["next_cursor"] is not None:
        lines.append(f"next_cursor: {result['next_cursor']}")
    return "\n".join(lines)


def listing_text(result: ListObjectsResult) -> str:
    """Render the objects, one per line, below a heading."""
    lines = [f"Listing of {result['bucket']} (no search): {len(result['objects'])} objects", *sandbox_lines(result)]
    lines += [
        f"- {item['key']} ({item['size']} bytes, {item['last_modified']}) {item['s3_uri']}"
        for item in result["objects"]
    ]
    if result["next_continuation_token"] is not None:
        lines.append(f"next_continuation_token: {result['next_continuation_token']}")
    return "\n".join(lines)


def _hit_lines(number: int, hit: CatalogHit) -> Iterator[str]:
    size = "" if hit["size"] is None else f", {hit['size']} bytes"
    modified = "" if hit["modified"] is None else f", modified {hit['modified']}"
    score = "" if hit["score"] is None else f" (score {hit['score']:.4g})"
    yield f"{number}. {hit['type']} {hit['name']} in {hit['bucket']}{size}{modified} [{hit['id']}]{score}"
    yield f"   {hit['s3_uri']}"
    if "comment" in hit:
        yield f"   {hit['comment']}"
    if hit["metadata"]:
        yield f"   {compact_json(hit['metadata'])}"
