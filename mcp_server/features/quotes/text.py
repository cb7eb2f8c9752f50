"""Renders the places of a quotation as text."""

from indexer.archives.results import Location
from mcp_server.features.quotes.results import QuotesResult


def quotes_text(result: QuotesResult) -> str:
    """List the documents, closest first, each with its passage and its places."""
    lines = [f"{len(result['matches'])} documents"]
    for number, match in enumerate(result["matches"], start=1):
        closeness = "exact" if match["exact"] else f"{match['difference']:.0%} of the words differ"
        lines.append(f"{number}. {match['title']} [{match['id']}] ({closeness})")
        lines.append(f"   {match['url']}")
        lines.append(f"   {' '.join(match['passage'].split())}")
        lines += [f"   at {place}" for place in map(_place, match["locations"]) if place]
    return "\n".join(lines)


def _place(location: Location) -> str:
    parts = [f"{name} {location[name]}" for name in ("page", "line") if location[name] is not None]
    return ", ".join([*parts, *([f"under {location['heading']}"] if location["heading"] else [])])
