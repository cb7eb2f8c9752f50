"""The routes of the operations that commands call, so that a command need not import the operations.

A test compares them with the operations themselves.
"""

from collections.abc import Mapping
from typing import Final

from mcp_server.route import Route

ROUTES: Final[Mapping[str, Route]] = {
    "account": Route("GET", "/api/v1/me"),
    "archive_delete": Route("DELETE", "/api/v1/archives/documents/{id}"),
    "archive_get_document": Route("GET", "/api/v1/archives/documents/{id}"),
    "archive_ingest": Route("POST", "/api/v1/archives/ingest"),
    "archive_list": Route("GET", "/api/v1/archives/documents"),
    "archive_upload": Route("POST", "/api/v1/archives/upload"),
    "cite": Route("GET", "/api/v1/archives/documents/{id}/citation"),
    "job_cancel": Route("DELETE", "/api/v1/jobs/{job_id}"),
    "job_list": Route("GET", "/api/v1/jobs"),
    "job_retry": Route("POST", "/api/v1/jobs/{job_id}/retry"),
    "job_status": Route("GET", "/api/v1/jobs/{job_id}"),
    "reindex_start": Route("POST", "/api/v1/indices/{index_name}/reindex"),
    "searchLocalArchives": Route("POST", "/api/v1/archives/search"),
    "search_delete_document": Route("DELETE", "/api/v1/indices/{index_name}/documents/{doc_id:path}"),
    "search_get_document": Route("GET", "/api/v1/indices/{index_name}/documents/{doc_id:path}"),
    "search_index": Route("POST", "/api/v1/indices/{index_name}/search"),
    "search_list_indices": Route("GET", "/api/v1/indices"),
    "status": Route("GET", "/api/v1/status"),
}
