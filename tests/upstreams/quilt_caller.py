"""Calls Quilt's service as the tools do: a result, or the failure in the form that callers get."""

import json
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from indexer.engines.record_port import Records
from indexer.errors import PlatformError
from indexer.tenancy import Principal
from mcp_server.features.quilt.arguments import ListObjects, SearchCatalog
from mcp_server.features.quilt.service import QuiltService
from mcp_server.features.quilt.settings import QuiltSettings
from mcp_server.features.quilt.upstream import open_quilt
from mcp_server.shared import Shared
from mcp_server.upstream.upstream import Opening
from tests.made_services import MAIN
from tests.upstreams.quilt import API_KEY
from workers.source_rights import SourceRights

KEY = b"a key for tests"
EVERYTHING = SourceRights(MAIN.team, (), s3=None, is_restricted=False)


class Caller:
    def __init__(self, service: QuiltService) -> None:
        self.service = service

    async def __call__(self, query: str, who: Principal = MAIN, **arguments: Any) -> dict[str, Any]:
        return await _told(self.service.search_catalog(who, SearchCatalog(query=query, **arguments)))

    async def listed(self, bucket: str, **arguments: Any) -> dict[str, Any]:
        return await _told(self.service.list_objects(EVERYTHING, ListObjects(bucket=bucket, **arguments)))

    async def info(self) -> dict[str, Any]:
        return await _told(self.service.info(MAIN))

    async def read(self, query: str, **arguments: Any) -> list[dict[str, Any]]:
        """Return the pages of a search, to the end."""
        pages = [await self(query, **arguments)]
        while pages[-1]["next_cursor"] is not None:
            pages.append(await self(query, **arguments, cursor=pages[-1]["next_cursor"]))
            assert pages[-1]["success"], pages[-1]
        return pages


def found(*pages: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return what pages hold, in their order: type, bucket and name."""
    return [(each["type"], each["bucket"], each["name"]) for page in pages for each in page["results"]]


def settings(url: str | None, /, **changes: Any) -> QuiltSettings:
    """Return settings for a test server, untouched by this machine's environment."""
    given = {"catalog_url": url, "token": API_KEY, "cache_seconds": 0, **changes}
    return QuiltSettings(_env_file=None, **given)


@asynccontextmanager
async def caller(
    quilt: QuiltSettings, redis_url: str | None = None, records: Records | None = None
) -> AsyncIterator[Caller]:
    """Open Quilt, and give what calls it."""
    shared = Shared(redis_url, patience=30)
    service = open_quilt(quilt, Opening((KEY,), shared, records))
    try:
        yield Caller(service)
    finally:
        await service.aclose()
        await shared.aclose()


async def _told(call: Awaitable[Mapping[str, Any]]) -> dict[str, Any]:
    try:
        told: Mapping[str, Any] = await call
    except PlatformError as error:
        told = error.failure()
    return dict(json.loads(json.dumps(told)))
