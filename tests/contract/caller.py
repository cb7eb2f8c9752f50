"""One team and its calls, as short as tests want to say them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from indexer.errors import Failure, PlatformError
from indexer.library import Library
from indexer.local.arguments import (
    AddDocument,
    AddDocuments,
    CreateIndex,
    DeleteDocument,
    DeleteIndex,
    DescribeIndex,
    GetDocument,
    ListIndices,
    SearchIndex,
    TokenizerConfig,
)
from indexer.local.documents import add_document, add_documents, delete_document, get_document
from indexer.local.indices import create_index, delete_index, describe_index, list_indices
from indexer.local.results import (
    AddResult,
    BulkResult,
    CreateResult,
    DeleteDocumentResult,
    DeleteIndexResult,
    DescribeResult,
    DocumentResult,
    IndicesResult,
    SearchResult,
)
from indexer.local.search import search
from indexer.tenancy import ARCHIVE_INDEX, Principal, TeamId
from mcp_server.access.scopes import ALL_SCOPES
from mcp_server.feature import advise
from mcp_server.features.all import FEATURES

Given = str | tuple[str, Mapping[str, Any]]
"""A document's content, alone or with its metadata."""
_AT_ONCE = 500


@dataclass(frozen=True)
class Caller:
    """A principal at a library; arguments are those of the tools."""

    library: Library
    principal: Principal

    async def search(self, query: str, **arguments: Any) -> SearchResult:
        return await search(self.library, self.principal, SearchIndex(query=query, **arguments))

    async def found(self, query: str, **arguments: Any) -> list[str]:
        """Return the ids in the order found, having checked the total where all fit on the page."""
        result = await self.search(query, **{"k": 1_000, **arguments})
        ids = [hit["doc_id"] for hit in result["results"]]
        assert result["total_matches"] == len(ids)
        return ids

    async def matching(self, query: str, **arguments: Any) -> set[str]:
        return set(await self.found(query, **arguments))

    async def failure(self, query: str, **arguments: Any) -> Failure:
        """Return the failure that a search must end in."""
        return await failure_of(self.search(query, **arguments))

    async def pages(self, query: str, **arguments: Any) -> list[SearchResult]:
        """Follow the cursors to the end."""
        pages = [await self.search(query, **arguments)]
        while pages[-1]["next_cursor"] is not None:
            pages.append(await self.search(query, **arguments, cursor=pages[-1]["next_cursor"]))
        return pages

    async def add(self, doc_id: str, content: str, metadata: dict[str, Any] | None = None, **more: Any) -> AddResult:
        arguments = AddDocument(doc_id=doc_id, content=content, metadata=metadata, **more)
        return await add_document(self.library, self.principal, arguments)

    async def add_all(self, documents: list[dict[str, Any]], **more: Any) -> BulkResult:
        return await add_documents(self.library, self.principal, AddDocuments(documents=documents, **more))

    async def fill(self, documents: Mapping[str, Given], index_name: str = "default") -> None:
        """Add documents by id; each must be taken."""
        rows = [
            {"doc_id": id_, "content": given}
            if isinstance(given, str)
            else {"doc_id": id_, "content": given[0], "metadata": dict(given[1])}
            for id_, given in documents.items()
        ]
        for start in range(0, len(rows), _AT_ONCE):
            result = await self.add_all(rows[start : start + _AT_ONCE], index_name=index_name)
            assert result["failed"] == 0, result["results"]

    async def get(self, doc_id: str, **arguments: Any) -> DocumentResult:
        return await get_document(self.library, self.principal, GetDocument(doc_id=doc_id, **arguments))

    async def delete(self, doc_id: str, **arguments: Any) -> DeleteDocumentResult:
        return await delete_document(self.library, self.principal, DeleteDocument(doc_id=doc_id, **arguments))

    async def create(self, name: str, *, tokenizer: Mapping[str, Any] | None = None, **arguments: Any) -> CreateResult:
        wanted = CreateIndex(index_name=name, tokenizer_config=TokenizerConfig(**(tokenizer or {})), **arguments)
        return await create_index(self.library, self.principal, wanted)

    async def indices(self) -> IndicesResult:
        return await list_indices(self.library, self.principal, ListIndices())

    async def describe(self, name: str = "default") -> DescribeResult:
        return await describe_index(self.library, self.principal, DescribeIndex(index_name=name))

    async def drop(self, name: str) -> DeleteIndexResult:
        return await delete_index(self.library, self.principal, DeleteIndex(index_name=name))

    def remove_all(self) -> None:
        """Remove everything the team has; blocking."""
        registry, writer, team = self.library.registry, self.library.engine.writer, self.principal.team
        names = [record.index for record in registry.of_team(team)]
        for name in names:
            for target in registry.remove(team, name).all_physical():
                writer.drop(target.physical)
        assert ARCHIVE_INDEX not in names


def new_caller(library: Library) -> Caller:
    """Make up a team that nobody else is."""
    return Caller(library, Principal(TeamId(f"t{uuid4().hex[:16]}"), "anonymous", ALL_SCOPES))


async def failure_of(call: Any) -> Failure:
    """Await a call that must fail as expected failures do, and return the failure."""
    try:
        result = await call
    except PlatformError as error:
        advise(error, FEATURES)
        failure = error.failure()
        assert failure["fix"]["required_action"]
        assert isinstance(failure["alternatives"], dict)
        return failure
    raise AssertionError(f"no failure but {result}")
