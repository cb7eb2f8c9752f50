"""The documents that a call would write to a local index, for the team's quota."""

from collections.abc import Iterator, Mapping
from typing import Any

from indexer.errors import Invalid
from indexer.index.quota import Addition, Additions
from indexer.local.arguments import AddDocument, AddDocuments
from indexer.local.names import index_to_change
from indexer.tenancy import document_id


def additions_of(arguments: AddDocument | AddDocuments) -> Additions:
    """Return the documents with a valid ID; the others are rejected and not written."""
    given = arguments.documents if isinstance(arguments, AddDocuments) else [vars(arguments)]
    documents = [addition for each in given for addition in _additions(each)]
    return Additions(index_to_change(arguments.index_name), documents)


def _additions(given: Mapping[str, Any]) -> Iterator[Addition]:
    id_, content, metadata = given.get("doc_id"), given.get("content"), given.get("metadata")
    if not isinstance(id_, str) or not isinstance(content, str):
        return
    try:
        # About as long as the JSON that is stored.
        size = len(content.encode("utf-8", "surrogatepass")) + (len(str(metadata)) if metadata else 0)
        yield Addition(document_id(id_), size)
    except Invalid:
        return
