"""A team with an archive and indices, and what it finds everywhere."""

import asyncio
from typing import Any

from indexer.library import Library
from mcp_server.features.everywhere.arguments import SearchEverywhere
from mcp_server.features.everywhere.results import EverywhereResult
from mcp_server.features.everywhere.service import search_everywhere
from mcp_server.services import Services
from tests.contract.caller import Caller, new_caller
from tests.contract.shelf import Shelf
from tests.made_services import made_services


class EverywhereTeam:
    """Calls `search_everywhere` for a new team; `shelf` and `indices` are what it has."""

    def __init__(self, library: Library) -> None:
        self.indices: Caller = new_caller(library)
        self.shelf = Shelf(library, self.indices.principal)
        self.services: Services = made_services(library)

    async def __call__(self, query: str, **arguments: Any) -> EverywhereResult:
        return await search_everywhere(
            self.services, self.indices.principal, SearchEverywhere(query=query, **arguments)
        )

    async def found(self, query: str, **arguments: Any) -> list[str]:
        return [hit["id"] for hit in (await self(query, **arguments))["results"]]

    async def remove(self) -> None:
        await asyncio.to_thread(self.shelf.remove)
        await asyncio.to_thread(self.indices.remove_all)
        await self.services.upstreams.aclose()
