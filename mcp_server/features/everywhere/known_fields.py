"""Checks the names of fields: one that a single index knows is enough."""

import asyncio
from collections.abc import Collection
from typing import Final

from indexer.archives.definition import FILTERABLE
from indexer.engines.port import Target
from indexer.errors import MissingIndex, closest
from indexer.library import Library
from indexer.query.validate import UnknownField
from indexer.tenancy import Principal
from indexer.text.clean import clean
from mcp_server.features.everywhere.arguments import SearchEverywhere

_MAX_CONCURRENT: Final = 8


async def check_fields(library: Library, principal: Principal, arguments: SearchEverywhere) -> None:
    """Raise `UnknownField` for a field that neither the archive nor any of the caller's indices knows."""
    roles = dict.fromkeys(arguments.facets or (), "facet")
    roles |= {name.removeprefix("-"): "sort" for name in arguments.sort or ()}
    roles |= dict.fromkeys(clean(arguments.filters) or (), "filter")
    unknown = roles.keys() - set(FILTERABLE)
    if not unknown:
        return
    known = {*FILTERABLE}
    for fields in await _fields_of_indices(library, principal, unknown):
        if fields is None:
            return
        known.update(fields)
    if missing := sorted(unknown - known):
        raise UnknownField(roles[missing[0]], missing[0], closest(missing[0], sorted(known)))


async def _fields_of_indices(
    library: Library, principal: Principal, named: Collection[str]
) -> list[Collection[str] | None]:
    """Return the fields of each index; None where it is not known which it has."""
    semaphore = asyncio.Semaphore(_MAX_CONCURRENT)

    async def fields(target: Target) -> Collection[str] | None:
        async with semaphore:
            try:
                return await library.known_fields.names(target.definition.kind, target, named)
            except MissingIndex:
                return ()  # deleted after it was listed

    records = await asyncio.to_thread(library.registry.usable, principal)
    targets = [record.serving_target() for record in records]
    return list(await asyncio.gather(*(fields(target) for target in targets if target is not None)))
