"""Creates, lists, describes and deletes a team's local indices."""

import asyncio
from typing import Final

from indexer.errors import Invalid, NotConfigured, printable
from indexer.index.index import Index
from indexer.index.reading import read_sizes
from indexer.library import Library
from indexer.local.arguments import CreateIndex, DeleteIndex, DescribeIndex, ListIndices
from indexer.local.definition import local_definition
from indexer.local.describe import describe
from indexer.local.names import index_to_change, index_to_read
from indexer.local.results import CreateResult, DeleteIndexResult, DescribeResult, IndexEntry, IndicesResult
from indexer.tenancy import DEFAULT_INDEX, Principal

_ENGINES: Final = ("tantivy", "opensearch")
_ANY_ENGINE: Final = ("memory", "default")


class DefaultIndexStays(Invalid):
    """The default index cannot be deleted."""

    def __init__(self) -> None:
        super().__init__(
            f"This index cannot be deleted: {DEFAULT_INDEX}",
            action="Delete its documents one by one, or use an index of your own that can be deleted",
        )


async def create_index(library: Library, principal: Principal, arguments: CreateIndex) -> CreateResult:
    """Register a new index; raise `Conflict` if the name is taken. The first write creates its physical index."""
    name = index_to_change(arguments.index_name)
    backend = _check_backend(library, arguments.backend)
    definition = local_definition(arguments.tokenizer_config, arguments.sortable_fields or {})
    await asyncio.to_thread(library.registry.create, principal.team, name, definition)
    return CreateResult(success=True, status="created", index_name=name, backend=backend)


async def list_indices(library: Library, principal: Principal, _arguments: ListIndices) -> IndicesResult:
    """Return the team's indices by name, with their sizes."""
    records = await asyncio.to_thread(library.registry.usable, principal)
    entries = [
        IndexEntry(
            index_name=record.index,
            documents=size.documents,
            size_bytes=size.size_bytes,
            created_at=record.created_at,
            definition_version=record.definition.version,
            outdated=library.registry.outdated(record),
        )
        for record, size in zip(records, await read_sizes(library, records), strict=True)
    ]
    return IndicesResult(success=True, indices=entries)


async def describe_index(library: Library, principal: Principal, arguments: DescribeIndex) -> DescribeResult:
    """Return the fields of an index, which can be filtered, sorted and counted."""
    return await describe(Index(library, principal.team, index_to_read(arguments.index_name)))


async def delete_index(library: Library, principal: Principal, arguments: DeleteIndex) -> DeleteIndexResult:
    """Delete an index with all its documents; the default index cannot be deleted."""
    name = index_to_change(arguments.index_name)
    if name == DEFAULT_INDEX:
        raise DefaultIndexStays
    await library.write(Index(library, principal.team, name).delete)
    return DeleteIndexResult(success=True, status="deleted", index_name=name)


def _check_backend(library: Library, name: str) -> str:
    if name in _ANY_ENGINE or name == library.engine.name:
        return name
    if name in _ENGINES:
        raise NotConfigured(
            f"This service does not run on {name}",
            action=f"Leave backend out: every index is kept by {library.engine.name} here",
            details={"engine": library.engine.name, "setting": "TRAWL_ENGINE"},
        )
    raise Invalid(
        f"Unknown backend: {printable(name)}",
        action=f"Use one of {', '.join((*_ANY_ENGINE, library.engine.name))}",
    )
