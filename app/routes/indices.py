"""Local indices: list, make, describe, delete."""

from app.calls import Call
from indexer import arguments, results
from indexer.indices import create_index, delete_index, describe_index, list_indices
from mcp_server.services import on_library

CALLS = (
    Call(
        "search_list_indices",
        "GET",
        "/api/v1/indices",
        arguments.ListIndices,
        results.IndicesResult,
        on_library(list_indices),
        "List the team's indices",
    ),
    Call(
        "search_create_index",
        "POST",
        "/api/v1/indices",
        arguments.CreateIndex,
        results.CreateResult,
        on_library(create_index),
        "Create an index",
    ),
    Call(
        "search_describe_index",
        "GET",
        "/api/v1/indices/{index_name}",
        arguments.DescribeIndex,
        results.DescribeResult,
        on_library(describe_index),
        "Describe an index and the metadata fields of its documents",
    ),
    Call(
        "search_delete_index",
        "DELETE",
        "/api/v1/indices/{index_name}",
        arguments.DeleteIndex,
        results.DeleteIndexResult,
        on_library(delete_index),
        "Delete an index with all its documents",
    ),
)
