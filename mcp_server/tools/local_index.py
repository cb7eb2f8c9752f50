"""Tools for a team's own indices: documents that somebody puts in, searches and takes out."""

from typing import Final

from indexer import arguments as given
from indexer import results
from indexer.documents import add_document, add_documents, delete_document, get_document
from indexer.indices import create_index, delete_index, describe_index, list_indices
from indexer.search import search
from mcp_server import text
from mcp_server.annotations import CREATES, READS, REPLACES_OR_DELETES
from mcp_server.bounds import BoundedGetDocument, BoundedSearchIndex
from mcp_server.services import on_library
from mcp_server.tool import Group, Tool

_SEARCH: Final = Tool(
    name="search_index",
    title="Search an index",
    description=(
        "Search the documents of one local index and return ranked results with highlights. "
        'Operators in the query: word, +must, -must not, "a phrase", prefix*, and * alone for all documents. '
        "Use filters for metadata, facets to count its values, sort to order by it, fuzzy for typing errors. "
        "Highlights are excerpts: read a whole document with search_get_document. "
        "If you do not know the indices or their fields, call search_list_indices and search_describe_index first."
    ),
    annotations=READS,
    arguments=BoundedSearchIndex,
    result=results.SearchResult,
    handler=on_library(search),
    text=text.search_text,
)
_ADD: Final = Tool(
    name="search_add_document",
    title="Add or replace a document",
    description=(
        "Put one text into an index, where it can be found as soon as the call returns. "
        "A document with the same doc_id is replaced. For more than one document use search_add_documents."
    ),
    annotations=REPLACES_OR_DELETES,
    arguments=given.AddDocument,
    result=results.AddResult,
    handler=on_library(add_document),
    text=text.add_text,
)
_ADD_SEVERAL: Final = Tool(
    name="search_add_documents",
    title="Add or replace several documents",
    description=(
        "Put up to 500 texts into an index in one call, much faster than one by one. Documents with the same doc_id "
        "are replaced. Each has its own outcome: one that fails does not spoil the others."
    ),
    annotations=REPLACES_OR_DELETES,
    arguments=given.AddDocuments,
    result=results.BulkResult,
    handler=on_library(add_documents),
    text=text.bulk_text,
)
_CREATE: Final = Tool(
    name="search_create_index",
    title="Create an index",
    description=(
        "Create a new, empty index, optionally with its own tokenizer and sortable fields, which cannot be changed "
        "later. Not needed for the index `default`, which is always there. To change documents in an index that "
        "exists, use search_add_document."
    ),
    annotations=CREATES,
    arguments=given.CreateIndex,
    result=results.CreateResult,
    handler=on_library(create_index),
    text=text.create_text,
)
_GET: Final = Tool(
    name="search_get_document",
    title="Read a document",
    description=(
        "Return the stored content and metadata of one document by its doc_id, for instance one that search_index "
        "found. Long contents come in parts: go on with offset = next_offset."
    ),
    annotations=READS,
    arguments=BoundedGetDocument,
    result=results.DocumentResult,
    handler=on_library(get_document),
    text=text.document_text,
)
_DELETE: Final = Tool(
    name="search_delete_document",
    title="Delete a document",
    description=(
        "Remove one document from an index for good. To change a document, use search_add_document instead; "
        "to remove an index with all its documents, search_delete_index."
    ),
    annotations=REPLACES_OR_DELETES,
    arguments=given.DeleteDocument,
    result=results.DeleteDocumentResult,
    handler=on_library(delete_document),
    text=text.delete_document_text,
)
_LIST: Final = Tool(
    name="search_list_indices",
    title="List the indices",
    description=(
        "List this team's indices with their numbers of documents. Call it when you do not know which index to "
        "search. For the fields of one index use search_describe_index."
    ),
    annotations=READS,
    arguments=given.ListIndices,
    result=results.IndicesResult,
    handler=on_library(list_indices),
    text=text.indices_text,
)
_DESCRIBE: Final = Tool(
    name="search_describe_index",
    title="Describe an index",
    description=(
        "Tell how an index splits text into words and which metadata fields its documents have, with types and "
        "sample values. Call it before using filters, sort or facets in search_index."
    ),
    annotations=READS,
    arguments=given.DescribeIndex,
    result=results.DescribeResult,
    handler=on_library(describe_index),
    text=text.describe_text,
)
_DROP: Final = Tool(
    name="search_delete_index",
    title="Delete an index",
    description=(
        "Delete an index with all its documents for good. The index `default` cannot be deleted. "
        "For a single document use search_delete_document."
    ),
    annotations=REPLACES_OR_DELETES,
    arguments=given.DeleteIndex,
    result=results.DeleteIndexResult,
    handler=on_library(delete_index),
    text=text.delete_index_text,
)

_GUIDANCE: Final = """\
Local indices hold documents that this team put in.
- search_index finds documents, search_get_document reads one whole, search_list_indices and search_describe_index
  show which indices and metadata fields there are.
- search_add_document and search_add_documents put documents in, search_delete_document takes one out;
  search_create_index and search_delete_index make and remove whole indices. `default` is always there.
Queries: words rank (at least one must match); +word and "a phrase" must match; -word and -"a phrase" must not;
wor* matches beginnings; * alone matches everything. Conditions on metadata go into `filters`, not into the query:
{"year": {"gte": 2020}, "author": ["Smith", "Jones"]}."""

LOCAL_INDEX: Final = Group(
    name="local_index",
    guidance=_GUIDANCE,
    tools=(_SEARCH, _ADD, _ADD_SEVERAL, _CREATE, _GET, _DELETE, _LIST, _DESCRIBE, _DROP),
)
