"""Renders results of web search as short text: the answer, then its sources by rank."""

from mcp_server.features.web.results import HistoryDeleted, HistoryResult, WebCitation, WebResult


def web_text(result: WebResult) -> str:
    """Render the answer and its sources, one per line, then the queries without an answer."""
    origin = "from the cache, " if result["cached"] else ""
    lines = [result["text"], "", f"Sources, {origin}by {result['provider']}"]
    lines += [_source_line(source) for source in result["citations"]]
    if "incomplete" in result:
        lines.append(f"The text ends too early: {result['incomplete']}")
    lines += [f"Not answered: {failed['query']} ({failed['error']})" for failed in result.get("failed", [])]
    return "\n".join(lines)


def _source_line(source: WebCitation) -> str:
    line = f"{source['rank']}. {source['title'] or source['url']}: {source['url']}"
    if "query" not in source:
        return line
    return f"{line} (for {'; '.join([source['query'], *source.get('otherQueries', [])])})"


def history_text(result: HistoryResult) -> str:
    """Render the searches and their sources, one per line."""
    state = "" if result["kept"] else "; searches of this team are not kept"
    lines = [f"{result['total']} searches, {len(result['searches'])} shown{state}"]
    for search in result["searches"]:
        lines.append(f"- {search['id']} ({search['asked_at']}): {search['query']}")
        lines += [f"   {source['title'] or source['url']}: {source['url']}" for source in search["sources"]]
    return "\n".join(lines)


def deleted_text(result: HistoryDeleted) -> str:
    """Render the number of deleted searches."""
    return f"deleted {result['deleted']} searches"
