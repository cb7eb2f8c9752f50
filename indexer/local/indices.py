"""Making, listing, describing and deleting a team's local indices."""

import asyncio
from typing import Final

from indexer.engines.port import Size
from indexer.errors import Invalid, MissingIndex, NotConfigured, shown
from indexer.index.reading import read
from indexer.index.record import IndexRecord
from indexer.library import Library
from indexer.local.arguments import CreateIndex, DeleteIndex, DescribeIndex, ListIndices
from indexer.local.definition import local_definition
from indexer.local.describe import describe
from indexer.local.names import index_to_change, index_to_read
from indexer.local.results import CreateResult, DeleteIndexResult, DescribeResult, IndexEntry, IndicesResult
from indexer.tenancy import DEFAULT_INDEX, Principal

_ENGINES: Final = ("tantivy", "opensearch")
_ANY_ENGINE: Final = ("memory", "default")
_AT_ONCE: Final = 8
_EMPTY: Final = Size(documents=0, size_bytes=0)


class DefaultIndexStays(Invalid):
    """Every team has the default index, always."""

    def __init__(self) -> None:
        super().__init__(
            f"This index cannot be deleted: {DEFAULT_INDEX}",
            action="Delete its documents one by one, or use an index of your own that can be deleted",
        )


async def create_index(library: Library, principal: Principal, arguments: CreateIndex) -> CreateResult:
    """Record a new index; `Conflict` where the name is taken."""
    name = index_to_change(arguments.index_name)
    backend = _backend(library, arguments.backend)
    definition = local_definition(arguments.tokenizer_config, arguments.sortable_fields or {})
    await asyncio.to_thread(library.registry.create, principal.team, name, definition)
    return CreateResult(success=True, status="created", index_name=name, backend=backend)


async def list_indices(library: Library, principal: Principal, _arguments: ListIndices) -> IndicesResult:
    """Return the team's indices by name, with their sizes."""
    records = await asyncio.to_thread(library.registry.of_team, principal.team)
    at_once = asyncio.Semaphore(_AT_ONCE)

    async def listed(record: IndexRecord) -> IndexEntry:
        async with at_once:
            size = await _size(library, record)
        return IndexEntry(
            index_name=record.index,
            documents=size.documents,
            size_bytes=size.size_bytes,
            created_at=record.created_at,
            definition_version=record.definition.version,
            outdated=library.registry.outdated(record),
        )

    return IndicesResult(success=True, indices=list(await asyncio.gather(*map(listed, records))))


async def describe_index(library: Library, principal: Principal, arguments: DescribeIndex) -> DescribeResult:
    """Return what an index holds and can be asked for."""
    name = index_to_read(arguments.index_name)
    return await read(library, principal.team, name, lambda record: describe(library.engine.reader, record))


async def delete_index(library: Library, principal: Principal, arguments: DeleteIndex) -> DeleteIndexResult:
    """Remove an index with all its documents; the default one stays."""
    name = index_to_change(arguments.index_name)
    if name == DEFAULT_INDEX:
        raise DefaultIndexStays

    def delete() -> None:
        record = library.registry.remove(principal.team, name)
        for target in record.all_physical():
            library.engine.writer.drop(target.physical)

    await asyncio.to_thread(delete)
    return DeleteIndexResult(success=True, status="deleted", index_name=name)


def _backend(library: Library, asked: str) -> str:
    if asked in _ANY_ENGINE or asked == library.engine.name:
        return asked
    if asked in _ENGINES:
        raise NotConfigured(
            f"This service does not run on {asked}",
            action=f"Leave backend out: every index is kept by {library.engine.name} here",
            details={"engine": library.engine.name, "setting": "TRAWL_ENGINE"},
        )
    raise Invalid(
        f"Unknown backend: {shown(asked)}",
        action=f"Use one of {', '.join((*_ANY_ENGINE, library.engine.name))}",
    )


async def _size(library: Library, record: IndexRecord) -> Size:
    target = record.serving_target()
    if target is None:
        return _EMPTY
    try:
        return await library.engine.reader.size(target)
    except MissingIndex:
        return _EMPTY  # deleted while the list was made
