"""Renders OSDU results as short text that includes ids, kinds, data and cursors."""

from collections.abc import Iterator

from mcp_server.features.osdu.results import BuildResult, DiscoverResult, Hints, OsduRecord, OsduSearchResult
from mcp_server.result_json import compact_json
from mcp_server.sandbox import sandbox_lines


def search_text(result: OsduSearchResult) -> str:
    """Render a page as a numbered list of records."""
    lines = [f"{result['totalCount']} records in {result['partition']}, {len(result['results'])} shown"]
    lines += sandbox_lines(result)
    for number, record in enumerate(result["results"], start=1):
        lines += _record_lines(number, record)
    if result.get("aggregations"):
        lines.append(
            "counts: "
            + ", ".join(f"{compact_json(bucket['key'])} ({bucket['count']})" for bucket in result["aggregations"])
        )
    if "hints" in result:
        lines += _hint_lines(result["hints"])
    if "fix" in result:
        lines.append(result["fix"]["required_action"])
    if result["next_cursor"] is not None:
        lines.append(f"next_cursor: {result['next_cursor']}")
    return "\n".join(lines)


def discover_text(result: DiscoverResult) -> str:
    """Render the fields, one per line."""
    lines = [f"{len(result['fields'])} fields in {result['sampled']} records", *sandbox_lines(result)]
    lines += [
        f"- {field['path']} ({field['type']}, {field['documents']} records): "
        + ", ".join(compact_json(example) for example in field["examples"])
        for field in result["fields"]
    ]
    return "\n".join(lines)


def build_text(result: BuildResult) -> str:
    """Return the query itself."""
    return result["query"]


def _record_lines(number: int, record: OsduRecord) -> Iterator[str]:
    created = f", created {record['createTime']}" if record["createTime"] else ""
    version = f", version {record['version']}" if "version" in record else ""
    yield f"{number}. {record['id']} [{record['kind']}{version}{created}] {compact_json(record['data'])}"
    for field, parts in record.get("highlight", {}).items():
        yield from (f"   {field}: {part}" for part in parts)
    if "more" in record:
        yield f"   {compact_json(record['more'])}"
    if "shortened" in record:
        yield f"   shortened: {', '.join(record['shortened'])}"


def _hint_lines(hints: Hints) -> Iterator[str]:
    for field, closest in hints["unknown_fields"].items():
        suggestion = f"; did you mean {', '.join(closest)}?" if closest else ""
        yield f"no sampled record has the field {field}{suggestion}"
    if hints["closest_kinds"]:
        yield f"no such kind; there are {', '.join(hints['closest_kinds'])}"
