"""Renders the results of all sources as text, with ids, URLs and the outcome of each source."""

from collections.abc import Iterator

from mcp_server.features.everywhere.results import EverywhereHit, EverywhereResult, SourceOutcome
from mcp_server.result_json import compact_json
from mcp_server.shortened import MORE


def everywhere_text(result: EverywhereResult) -> str:
    """List the results by rank, then the sources."""
    lines = [f"{len(result['results'])} results"]
    for hit in result["results"]:
        lines += _hit_lines(hit)
    for field, counts in result["facets"].items():
        lines.append(f"{field}: " + ", ".join(f"{compact_json(each['value'])} ({each['count']})" for each in counts))
    if result["did_you_mean"] is not None:
        lines.append(f"Did you mean: {result['did_you_mean']}")
    if result["truncated"]:
        lines.append(MORE.format(reader="archive_get_document, search_get_document"))
    lines.append("Sources:")
    lines += [_outcome_line(outcome) for outcome in result["sources"]]
    if result["not_configured"]:
        lines.append(f"Not configured, so not asked: {', '.join(result['not_configured'])}")
    return "\n".join(lines)


def _hit_lines(hit: EverywhereHit) -> Iterator[str]:
    place = f"{hit['source']} {hit['index_name']}" if "index_name" in hit else _name(hit)
    yield f"{hit['rank']}. ({hit['score']:.4g}) {hit['title']} [{place}: {hit['id']}]"
    if hit["url"] is not None and hit["url"] != hit["id"]:
        yield f" {hit['url']}"
    if hit["snippet"]:
        yield f" {hit['snippet']}"
    if "explanation" in hit:
        yield " why: " + ", ".join(
            f"{part['what']} ({part['kind']}) {part['score']:.4g}" for part in hit["explanation"]
        )
    for also in hit.get("also_in", ()):
        yield f" also in {also['source']}{' ' + also['index_name'] if 'index_name' in also else ''}: {also['id']}"


def _name(part: EverywhereHit | SourceOutcome) -> str:
    return f"{part['source']} (sandbox)" if part.get("sandbox") else part["source"]


def _outcome_line(outcome: SourceOutcome) -> str:
    total = "" if outcome["total"] is None else f" of {outcome['total']}"
    line = f"- {_name(outcome)}: {outcome['count']}{total} found in {outcome['took_ms']} ms"
    if outcome["success"]:
        return line
    action = f". Fix: {outcome['fix']['required_action']}" if "fix" in outcome else ""
    return f"{line}, failed ({outcome.get('error_category')}): {outcome.get('error')}{action}"
