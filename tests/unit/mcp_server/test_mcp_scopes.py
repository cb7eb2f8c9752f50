"""The scope that each operation needs, as the teams' contract has it."""

from mcp_server.operation import ANY_SCOPE
from tests.operations import OPERATIONS

WRITE = {
    *("search_add_document", "search_add_documents", "search_delete_document"),
    *("search_create_index", "search_delete_index", "reindex_start", "archive_delete"),
}
INGEST = {"archive_ingest", "archive_upload", "job_cancel", "job_retry"}
OSDU = {"search_query", "search_by_id", "search_by_kind", "osdu_discover_fields", "osdu_build_query"}
QUILT = {"search_catalog", "bucket_objects_list", "catalog_info"}
ADMIN = {"token_list", "token_create", "token_revoke", "audit_list"}
WEB = {"search_web", "web_history_list", "web_history_delete"}


def test_each_operation_needs_the_scope_of_its_kind() -> None:
    named = {
        "write": WRITE,
        "ingest": INGEST,
        "osdu": OSDU,
        "quilt": QUILT,
        "web": WEB,
        "admin": ADMIN,
        ANY_SCOPE: {"account"},
    }
    expected = {name: scope for scope, names in named.items() for name in names}
    assert {each.name: each.scope for each in OPERATIONS} == {
        each.name: expected.get(each.name, "search") for each in OPERATIONS
    }
    assert set(expected) <= {each.name for each in OPERATIONS}
