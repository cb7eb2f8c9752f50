"""Results of OSDU as short text: ids, kinds, data and cursors are all in it."""

from collections.abc import Iterator

from mcp_server.features.osdu.results import BuildResult, DiscoverResult, Hints, OsduRecord, OsduSearchResult
from mcp_server.result_json import compact_json


def search_text(result: OsduSearchResult) -> str:
    """List the records of a page by number."""
    lines = [f"{result['totalCount']} records in {result['partition']}, {len(result['results'])} shown"]
    for number, record in enumerate(result["results"], start=1):
        lines += _record(number, record)
    if result.get("aggregations"):
        lines.append(
            "counts: " + ", ".join(f"{compact_json(each['key'])} ({each['count']})" for each in result["aggregations"])
        )
    if "hints" in result:
        lines += _hints(result["hints"])
    if result["truncated"]:
        lines.append("Shortened to fit max_chars")
    if result["next_cursor"] is not None:
        lines.append(f"next_cursor: {result['next_cursor']}")
    return "\n".join(lines)


def discover_text(result: DiscoverResult) -> str:
    """Give a line to each field."""
    lines = [f"{len(result['fields'])} fields in {result['sampled']} records"]
    lines += [
        f"- {field['path']} ({field['type']}, {field['documents']} records): "
        + ", ".join(compact_json(example) for example in field["examples"])
        for field in result["fields"]
    ]
    return "\n".join(lines)


def build_text(result: BuildResult) -> str:
    """Give the query itself."""
    return result["query"]


def _record(number: int, record: OsduRecord) -> Iterator[str]:
    created = f", created {record['createTime']}" if record["createTime"] else ""
    yield f"{number}. {record['id']} [{record['kind']}{created}] {compact_json(record['data'])}"
    for field, parts in record.get("highlight", {}).items():
        yield from (f"   {field}: {part}" for part in parts)
    if "more" in record:
        yield f"   {compact_json(record['more'])}"


def _hints(hints: Hints) -> Iterator[str]:
    for field, near in hints["unknown_fields"].items():
        meant = f"; did you mean {', '.join(near)}?" if near else ""
        yield f"no sampled record has the field {field}{meant}"
    if hints["closest_kinds"]:
        yield f"no such kind; there are {', '.join(hints['closest_kinds'])}"
