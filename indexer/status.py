"""The status of the engine and the versions in use; for `trawl://status` and `/api/v1/status`."""

import asyncio
import platform
from importlib.metadata import version
from typing import Any, Final

from indexer.errors import PlatformError
from indexer.index.reading import read_size
from indexer.library import Library
from indexer.local.arguments import ListIndices
from indexer.local.indices import list_indices
from indexer.tenancy import ARCHIVE_INDEX, Principal

_PACKAGES: Final = {"tantivy": "tantivy", "opensearch": "opensearch-py"}


async def status(library: Library, principal: Principal) -> dict[str, Any]:
    """Return the engine's status, and how many indices and documents the team has; does not raise if it is down."""
    package = _PACKAGES[library.engine.name]
    state: dict[str, Any] = {
        "engine": {"name": library.engine.name, "status": "ok"},
        "indices": None,
        "documents": None,
        "versions": {"trawl": version("trawl"), "python": platform.python_version(), package: version(package)},
    }
    try:
        await library.engine.reader.health()
        indices = (await list_indices(library, principal, ListIndices()))["indices"]
        state["indices"] = len(indices)
        state["documents"] = {
            "archive": await _archived(library, principal),
            "indices": sum(index["documents"] for index in indices),
        }
    except PlatformError as error:
        state["engine"]["status"] = f"unavailable: {error.message}"
    return state


async def _archived(library: Library, principal: Principal) -> int | None:
    """Return the number of archived documents; None if the caller's token does not allow the archive."""
    if not principal.may_use(ARCHIVE_INDEX):
        return None
    record = await asyncio.to_thread(library.registry.get, principal.team, ARCHIVE_INDEX)
    return (await read_size(library, record)).documents
