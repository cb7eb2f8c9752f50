"""Adds, gets and deletes documents of local indices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import ValidationError

from indexer.engines.port import Document, Written
from indexer.errors import Conflict, Invalid, NotFound, PlatformError, printable
from indexer.index.deleting import delete_documents
from indexer.index.index import Index
from indexer.index.putting import put_documents
from indexer.index.record import IndexRecord
from indexer.library import Library
from indexer.local.arguments import AddDocument, AddDocuments, DeleteDocument, GetDocument, GivenDocument
from indexer.local.mapping import metadata_of, stored_document
from indexer.local.names import index_to_change, index_to_read
from indexer.local.results import AddResult, BulkResult, DeleteDocumentResult, DocumentOutcome, DocumentResult
from indexer.schema.analysis import count_tokens
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import DocumentId, Principal, document_id
from indexer.text.clean import clean, clean_text
from indexer.text.truncate import json_size, shorten_to, truncate_text

_CONTENT_ERROR: Final = "Content must be a non-empty string"
_MAX_REPORTED_ID_LENGTH: Final = 512


class DocumentNotFound(NotFound):
    """The index has no document with this id."""

    def __init__(self, id_: DocumentId) -> None:
        super().__init__(
            f"Document not found: {printable(id_)}", action="Check doc_id and index_name, or search for the document"
        )


@dataclass(frozen=True, slots=True)
class _RejectedDocument:
    """An invalid document of a batch."""

    doc_id: str
    error: str


async def add_document(library: Library, principal: Principal, arguments: AddDocument) -> AddResult:
    """Write one document; it is searchable when this returns."""
    name = index_to_change(arguments.index_name)

    def add() -> AddResult:
        record = library.registry.get(principal.team, name)
        document = _build_document(library, record.definition, arguments)
        [outcome] = put_documents(library, record, [document])
        status = _status(outcome)
        if status is None:
            raise _write_error(outcome)
        tokens = count_tokens(document.text, record.definition.analysis)
        return AddResult(success=True, status=status, doc_id=document.id, token_count=tokens)

    return await library.write(add)


async def add_documents(library: Library, principal: Principal, arguments: AddDocuments) -> BulkResult:
    """Write a batch of documents; an invalid document gets its own error and does not affect the others."""
    name = index_to_change(arguments.index_name)

    def add() -> BulkResult:
        record = library.registry.get(principal.team, name)
        checked = [_build_or_reject(library, record.definition, document) for document in arguments.documents]
        results = _write(library, record, checked)
        failed = sum(result["status"] == "failed" for result in results)
        return BulkResult(success=True, indexed=len(results) - failed, failed=failed, results=results)

    return await library.write(add)


async def get_document(library: Library, principal: Principal, arguments: GetDocument) -> DocumentResult:
    """Return a document as last written, or the part of it that fits `max_chars`."""
    name, id_ = index_to_read(arguments.index_name), document_id(arguments.doc_id)
    [document] = await Index(library, principal.team, name).get([id_], text=True)
    if document is None:
        raise DocumentNotFound(id_)
    return _render_document(document, arguments)


async def delete_document(library: Library, principal: Principal, arguments: DeleteDocument) -> DeleteDocumentResult:
    """Delete a document; searches no longer find it when this returns."""
    name, id_ = index_to_change(arguments.index_name), document_id(arguments.doc_id)
    [outcome] = await library.write(lambda: delete_documents(library, principal.team, name, [id_]))
    if outcome.status == "superseded":
        raise _conflict_error()
    return DeleteDocumentResult(success=True, status=outcome.status, doc_id=id_)


def _build_document(library: Library, definition: IndexDefinition, arguments: GivenDocument) -> Document:
    id_ = document_id(arguments.doc_id)
    metadata = clean(arguments.metadata or {})
    return stored_document(definition, id_, library.clock.next(), clean_text(arguments.content), metadata)


def _build_or_reject(
    library: Library, definition: IndexDefinition, raw: Mapping[str, Any]
) -> Document | _RejectedDocument:
    id_ = raw.get("doc_id")
    reported_id = printable(id_, _MAX_REPORTED_ID_LENGTH) if isinstance(id_, str) else ""
    try:
        return _build_document(library, definition, GivenDocument.model_validate(raw))
    except PlatformError as error:
        return _RejectedDocument(reported_id, error.message)
    except ValidationError as error:
        return _RejectedDocument(reported_id, _error_message(error))


def _error_message(error: ValidationError) -> str:
    problem = error.errors(include_input=False, include_url=False, include_context=False)[0]
    field = str(problem["loc"][0]) if problem["loc"] else ""
    if field == "content":
        return _CONTENT_ERROR
    return f"{printable(field)}: {problem['msg']}"


def _write(
    library: Library, record: IndexRecord, checked: Sequence[Document | _RejectedDocument]
) -> list[DocumentOutcome]:
    accepted = [item for item in checked if isinstance(item, Document)]
    outcomes = iter(put_documents(library, record, accepted) if accepted else [])
    results: list[DocumentOutcome] = []
    for item in checked:
        if isinstance(item, _RejectedDocument):
            results.append(DocumentOutcome(doc_id=item.doc_id, status="failed", error=item.error))
            continue
        outcome = next(outcomes)
        status = _status(outcome)
        if status is None:
            results.append(DocumentOutcome(doc_id=item.id, status="failed", error=_write_error(outcome).message))
        else:
            tokens = count_tokens(item.text, record.definition.analysis)
            results.append(DocumentOutcome(doc_id=item.id, status=status, token_count=tokens))
    return results


def _status(outcome: Written) -> Literal["indexed", "re-indexed"] | None:
    match outcome.status:
        case "created":
            return "indexed"
        case "updated":
            return "re-indexed"
        case "superseded" | "failed":
            return None


def _write_error(outcome: Written) -> PlatformError:
    if outcome.status == "superseded":
        return _conflict_error()
    return Invalid(
        outcome.reason or "The engine refused this document", action="Change the document's content or metadata"
    )


def _conflict_error() -> Conflict:
    return Conflict("Others kept changing this document", action="Try again")


def _render_document(document: Document, arguments: GetDocument) -> DocumentResult:
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
