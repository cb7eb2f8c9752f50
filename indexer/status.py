"""The status of the engine and the versions in use; for `trawl://status` and `/api/v1/status`."""

import asyncio
import platform
from importlib.metadata import version
from typing import Any, Final

from indexer.errors import PlatformError
from indexer.library import Library
from indexer.tenancy import Principal

_PACKAGES: Final = {"tantivy": "tantivy", "opensearch": "opensearch-py"}


async def status(library: Library, principal: Principal) -> dict[str, Any]:
    """Return the engine's status and the number of the team's indices; does not raise if the engine is down."""
    package = _PACKAGES[library.engine.name]
    state: dict[str, Any] = {
        "engine": {"name": library.engine.name, "status": "ok"},
        "indices": None,
        "versions": {"trawl": version("trawl"), "python": platform.python_version(), package: version(package)},
    }
    try:
        await library.engine.reader.health()
        state["indices"] = len(await asyncio.to_thread(library.registry.usable, principal))
    except PlatformError as error:
        state["engine"]["status"] = f"unavailable: {error.message}"
    return state
