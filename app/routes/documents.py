"""Documents of a local index: add many, get one, delete one."""

from app.calls import Call
from indexer import arguments, results
from indexer.documents import add_documents, delete_document, get_document
from mcp_server.services import on_library

CALLS = (
    Call(
        "search_add_documents",
        "POST",
        "/api/v1/indices/{index_name}/documents",
        arguments.AddDocuments,
        results.BulkResult,
        on_library(add_documents),
        "Add or replace up to 500 documents",
    ),
    Call(
        "search_get_document",
        "GET",
        "/api/v1/indices/{index_name}/documents/{doc_id:path}",
        arguments.GetDocument,
        results.DocumentResult,
        on_library(get_document),
        "Get a document, or a part of it",
    ),
    Call(
        "search_delete_document",
        "DELETE",
        "/api/v1/indices/{index_name}/documents/{doc_id:path}",
        arguments.DeleteDocument,
        results.DeleteDocumentResult,
        on_library(delete_document),
        "Delete a document",
    ),
)
