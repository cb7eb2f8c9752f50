"""The scope that each operation needs, written by hand from the contract of teams: nothing is derived here."""

from collections.abc import Mapping
from typing import Final

from mcp_server.operation import ANY_SCOPE

_BY_SCOPE: Final[Mapping[str, tuple[str, ...]]] = {
    ANY_SCOPE: ("connect_guide", "account", "own_token_list", "own_token_create", "own_token_revoke", "own_calls"),
    "search": (
        *("status", "search", "fetch", "quote_find", "search_everywhere"),
        *("document_read", "document_citations"),
        *("search_index", "search_get_document", "search_list_indices", "search_describe_index"),
        *("searchLocalArchives", "archive_get_document", "archive_list", "archive_overview", "cite"),
        *("job_status", "job_list"),
    ),
    "write": (
        *("search_add_document", "search_add_documents", "search_delete_document"),
        *("search_create_index", "search_delete_index", "reindex_start", "archive_delete"),
    ),
    "ingest": ("archive_ingest", "archive_upload", "job_cancel", "job_retry"),
    "osdu": ("search_query", "search_by_id", "search_by_kind", "osdu_discover_fields", "osdu_build_query"),
    "quilt": ("search_catalog", "bucket_objects_list", "catalog_info"),
    "web": ("search_web", "web_history_list", "web_history_delete"),
    "admin": ("token_list", "token_create", "token_revoke", "audit_list", "usage", "search_statistics"),
}
SCOPE_OF: Final = {name: scope for scope, names in _BY_SCOPE.items() for name in names}
"""By operation. An operation that is missing here makes tests fail."""
