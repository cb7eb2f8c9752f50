"""Both routes of a registry on a real OpenSearch: a wrong request shows as a wrong result."""

import json
from typing import Any

import aiohttp

from tests.upstreams.quilt_indices import Catalogue

REINDEXED = "-reindex-v1a2b3c"
"""Callers name aliases; hits tell the concrete index."""


class BadQuery(Exception):
    """The engine's own refusal, with its status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Engine:
    def __init__(self, session: aiohttp.ClientSession, catalogue: Catalogue) -> None:
        self._session = session
        self.catalogue = catalogue

    async def hits(self, body: dict[str, Any]) -> dict[str, Any]:
        """Search what GraphQL finds."""
        return await self._ask(self.catalogue.hits, body, {})

    async def freeform(
        self, aliases: list[str], packages_form: str, body: dict[str, Any], parameters: dict[str, str]
    ) -> dict[str, Any]:
        """Search the indices behind some aliases; hits are told from indices that are named after them."""
        concrete = {self.catalogue.concrete(alias, packages_form): alias + REINDEXED for alias in aliases}
        found = await self._ask(",".join(concrete), body, parameters)
        _rename(found, concrete)
        return found

    async def _ask(self, indices: str, body: dict[str, Any], parameters: dict[str, str]) -> dict[str, Any]:
        address = f"{self.catalogue.url}/{indices}/_search"
        async with self._session.post(address, params=parameters, json=body) as reply:
            answer: dict[str, Any] = await reply.json()
            if reply.status >= 400:
                raise BadQuery(reply.status, json.dumps(answer["error"]))
            return answer


def _rename(value: Any, names: dict[str, str]) -> None:
    if isinstance(value, dict):
        if value.get("_index") in names:
            value["_index"] = names[value["_index"]]
        for each in value.values():
            _rename(each, names)
    elif isinstance(value, list):
        for each in value:
            _rename(each, names)
