"""Adding, getting and deleting documents of local indices."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import ValidationError

from indexer.engines.port import Document, Written
from indexer.errors import Conflict, Invalid, NotFound, PlatformError, shown
from indexer.index.deleting import delete_documents
from indexer.index.reading import read
from indexer.index.record import IndexRecord
from indexer.index.writing import put_documents
from indexer.library import Library
from indexer.local.arguments import AddDocument, AddDocuments, DeleteDocument, GetDocument, GivenDocument
from indexer.local.mapping import metadata_of, stored_document
from indexer.local.names import index_to_change, index_to_read
from indexer.local.results import AddResult, BulkResult, DeleteDocumentResult, DocumentOutcome, DocumentResult
from indexer.schema.analysis import count_tokens
from indexer.schema.definition import Analysis, IndexDefinition
from indexer.tenancy import DocumentId, IndexName, Principal, document_id
from indexer.text.clean import clean, clean_text
from indexer.text.truncate import json_size, shorten_to, truncate_text

_CONTENT: Final = "Content must be a non-empty string"
_LONGEST_TOLD: Final = 512


class DocumentNotFound(NotFound):
    """The index has no document with this id."""

    def __init__(self, id_: DocumentId) -> None:
        super().__init__(
            f"Document not found: {shown(id_)}", action="Check doc_id and index_name, or search for the document"
        )


@dataclass(frozen=True, slots=True)
class _Bad:
    """A document of several that cannot be written."""

    doc_id: str
    error: str


async def add_document(library: Library, principal: Principal, arguments: AddDocument) -> AddResult:
    """Write one document; it is searchable when this returns."""
    name = index_to_change(arguments.index_name)

    def add() -> AddResult:
        definition = library.registry.get(principal.team, name).definition
        made = _made(library, definition, arguments)
        [outcome] = put_documents(library, principal.team, name, [made])
        status = _status(outcome)
        if status is None:
            raise _refusal(outcome)
        tokens = count_tokens(made.text, definition.analysis)
        return AddResult(success=True, status=status, doc_id=made.id, token_count=tokens)

    return await asyncio.to_thread(add)


async def add_documents(library: Library, principal: Principal, arguments: AddDocuments) -> BulkResult:
    """Write several documents, each for itself: a bad one has its own error."""
    name = index_to_change(arguments.index_name)

    def add() -> BulkResult:
        definition = library.registry.get(principal.team, name).definition
        checked = [_checked(library, definition, given) for given in arguments.documents]
        results = _written(library, principal, name, checked, definition.analysis)
        failed = sum(result["status"] == "failed" for result in results)
        return BulkResult(success=True, indexed=len(results) - failed, failed=failed, results=results)

    return await asyncio.to_thread(add)


async def get_document(library: Library, principal: Principal, arguments: GetDocument) -> DocumentResult:
    """Return a document as it was last written, or the part of it that fits."""
    name, id_ = index_to_read(arguments.index_name), document_id(arguments.doc_id)

    async def get(record: IndexRecord) -> Document | None:
        target = record.serving_target()
        return (await library.engine.reader.get(target, [id_], text=True))[0] if target else None

    document = await read(library, principal.team, name, get)
    if document is None:
        raise DocumentNotFound(id_)
    return _shown(document, arguments)


async def delete_document(library: Library, principal: Principal, arguments: DeleteDocument) -> DeleteDocumentResult:
    """Delete a document; searches no longer find it when this returns."""
    name, id_ = index_to_change(arguments.index_name), document_id(arguments.doc_id)
    [outcome] = await asyncio.to_thread(delete_documents, library, principal.team, name, [id_])
    if outcome.status == "superseded":
        raise _busy()
    return DeleteDocumentResult(success=True, status=outcome.status, doc_id=id_)


def _made(library: Library, definition: IndexDefinition, given: GivenDocument) -> Document:
    id_ = document_id(given.doc_id)
    metadata = clean(given.metadata or {})
    return stored_document(definition, id_, library.clock.next(), clean_text(given.content), metadata)


def _checked(library: Library, definition: IndexDefinition, given: Mapping[str, Any]) -> Document | _Bad:
    id_ = given.get("doc_id")
    told = shown(id_, _LONGEST_TOLD) if isinstance(id_, str) else ""
    try:
        return _made(library, definition, GivenDocument.model_validate(given))
    except PlatformError as error:
        return _Bad(told, error.message)
    except ValidationError as error:
        return _Bad(told, _told(error))


def _told(error: ValidationError) -> str:
    problem = error.errors(include_input=False, include_url=False, include_context=False)[0]
    field = str(problem["loc"][0]) if problem["loc"] else ""
    if field == "content":
        return _CONTENT
    return f"{shown(field)}: {problem['msg']}"


def _written(
    library: Library, principal: Principal, name: IndexName, checked: Sequence[Document | _Bad], analysis: Analysis
) -> list[DocumentOutcome]:
    good = [each for each in checked if isinstance(each, Document)]
    outcomes = iter(put_documents(library, principal.team, name, good) if good else [])
    results: list[DocumentOutcome] = []
    for each in checked:
        if isinstance(each, _Bad):
            results.append(DocumentOutcome(doc_id=each.doc_id, status="failed", error=each.error))
            continue
        outcome = next(outcomes)
        status = _status(outcome)
        if status is None:
            results.append(DocumentOutcome(doc_id=each.id, status="failed", error=_refusal(outcome).message))
        else:
            tokens = count_tokens(each.text, analysis)
            results.append(DocumentOutcome(doc_id=each.id, status=status, token_count=tokens))
    return results


def _status(outcome: Written) -> Literal["indexed", "re-indexed"] | None:
    match outcome.status:
        case "created":
            return "indexed"
        case "updated":
            return "re-indexed"
        case "superseded" | "failed":
            return None


def _refusal(outcome: Written) -> PlatformError:
    if outcome.status == "superseded":
        return _busy()
    return Invalid(
        outcome.reason or "The engine refused this document", action="Change the document's content or metadata"
    )


def _busy() -> Conflict:
    return Conflict("Others kept changing this document", action="Try again")


def _shown(document: Document, arguments: GetDocument) -> DocumentResult:
    metadata = metadata_of(document.payload)
    content, total = document.text, len(document.text)
    part = content[arguments.offset :]
    result = DocumentResult(
        success=True,
        doc_id=document.id,
        content=part,
        metadata=metadata,
        revision=document.revision,
        total_chars=total,
        next_offset=None,
    )
    if arguments.max_chars is None or json_size(result) <= arguments.max_chars:
        return result
    result["metadata"] = shorten_to(metadata, arguments.max_chars // 2)
    if result["metadata"] != metadata:
        result["truncated"] = True
    empty = json_size({**result, "content": "", "next_offset": total})
    result["content"] = truncate_text(part, arguments.max_chars - empty + len('""'))
    end = arguments.offset + len(result["content"])
    result["next_offset"] = end if end < total else None
    return result
