"""Every operation with arguments that it takes: what tests that walk all operations call. `{…}` is filled in."""

from typing import Any

import httpx

from mcp_server.feature import operations_of
from mcp_server.features.all import FEATURES
from mcp_server.operation import Operation

OPERATIONS = operations_of(FEATURES)
EXAMPLES: dict[str, dict[str, Any]] = {
    "status": {},
    "search": {"query": "reef"},
    "fetch": {"id": "1aWRlZmF1bHQAb25l"},
    "quote_find": {"quote": "A coral reef"},
    "document_read": {"id": "1aWRlZmF1bHQAb25l", "query": "reef"},
    "document_citations": {"id": "1aWRlZmF1bHQAb25l"},
    "search_everywhere": {"query": "reef", "sources": ["archive", "indices"]},
    "search_index": {"query": "reef", "index_name": "default"},
    "search_add_document": {"doc_id": "one", "content": "Another reef", "index_name": "default"},
    "search_add_documents": {"documents": [{"doc_id": "two", "content": "A reef"}], "index_name": "default"},
    "search_create_index": {"index_name": "made"},
    "search_get_document": {"doc_id": "one", "index_name": "default"},
    "search_delete_document": {"doc_id": "one", "index_name": "default"},
    "search_list_indices": {},
    "search_describe_index": {"index_name": "default"},
    "search_delete_index": {"index_name": "geology"},
    "searchLocalArchives": {"query": "reef"},
    "archive_ingest": {"source": {"type": "urls", "urls": ["https://example.org/"]}},
    "archive_get_document": {"id": "d_none"},
    "archive_list": {},
    "archive_delete": {"ids": ["d_none"]},
    "archive_upload": {},
    "archive_overview": {},
    "cite": {"id": "d_none"},
    "job_status": {"job_id": "{job}"},
    "job_list": {},
    "job_cancel": {"job_id": "{job}"},
    "job_retry": {"job_id": "{job}"},
    "reindex_start": {"index_name": "default"},
    "search_query": {"query": "well"},
    "search_by_id": {"id": "opendes:x:1"},
    "search_by_kind": {"kind": "osdu:wks:x:*"},
    "osdu_discover_fields": {"kind": "osdu:wks:x:*"},
    "osdu_build_query": {"clauses": [{"field": "data.Name", "op": "eq", "value": "A"}]},
    "search_catalog": {"query": "csv"},
    "bucket_objects_list": {"bucket": "some-bucket"},
    "catalog_info": {},
    "search_web": {"query": "reefs of the world"},
    "web_history_list": {},
    "web_history_delete": {"everything": True},
    "connect_guide": {},
    "account": {},
    "token_list": {},
    "token_create": {"scopes": ["search"]},
    "token_revoke": {"token_id": "t_none"},
    "audit_list": {},
    "own_token_list": {},
    "own_token_create": {"scopes": ["admin"]},
    "own_token_revoke": {"token_id": "t_none"},
    "own_calls": {},
    "usage": {},
    "search_statistics": {},
}


def example(name: str, **filled: str) -> dict[str, Any]:
    """Return the arguments of an operation."""
    given = EXAMPLES[name]
    return {key: value.format(**filled) if isinstance(value, str) else value for key, value in given.items()}


FILLED = {"documents": [{"doc_id": "one", "content": "A coral reef", "metadata": {"year": 2020}}]}
PAGES = {"source": {"type": "urls", "urls": ["https://example.org/"]}}
MCP = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}


async def over_mcp(client: httpx.AsyncClient, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Send a request over MCP and return its answer, result or error."""
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer: dict[str, Any] = (await client.post("/mcp", json=body, headers=MCP)).json()
    return answer


async def filled(client: httpx.AsyncClient) -> str:
    """Put in what the examples speak of, and return the job that `{job}` stands for."""
    await client.post("/api/v1/indices", json={"index_name": "geology"})
    await client.post("/api/v1/indices/default/documents", json=FILLED)
    return str((await client.post("/api/v1/archives/ingest", json=PAGES)).json()["job_id"])


async def over_http(client: httpx.AsyncClient, operation: Operation[Any, Any], given: dict[str, Any]) -> httpx.Response:
    """Call an operation at its route."""
    route = operation.route
    if route.is_form:
        return await client.post(route.path, files={"files": ("a.md", b"# A reef")})
    # the route of archive_delete takes one id
    named = given if route.takes is None else {"id": given["ids"][0]}
    left = {name: value for name, value in named.items() if name not in route.path_arguments}
    sent: dict[str, Any] = {"json": left} if route.has_body else {"params": left}
    return await client.request(route.method, route.address(named), **sent)
