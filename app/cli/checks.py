"""Single checks of the doctor: each says how something is, and what to do where it is broken."""

import errno
import os
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from app.embedded.private_redis import server_program
from app.settings import AppSettings, refuse_exposure
from indexer.errors import PlatformError
from indexer.settings import IndexerSettings
from workers.settings import WorkerSettings

_ACTIONS: Final = {
    "redis": "Start Redis, or correct TRAWL_REDIS_URL",
    "workers": "Start `trawl worker`; where a service has just started, look again in a moment",
}


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, how it is, and what to do where it is broken."""

    name: str
    status: Literal["ok", "broken"]
    detail: str
    action: str = ""


def broken(name: str, error: PlatformError) -> Check:
    """Report a failure."""
    return Check(name, "broken", error.message, error.action)


def part(name: str, state: str, settings: IndexerSettings) -> Check:
    """Report a part of the service by what it said of itself."""
    detail = f"{settings.chosen_engine}: {state}" if name == "engine" else state
    if state == "ok":
        return Check(name, "ok", detail)
    action = _ACTIONS.get(name, "Restart the service, and look into its log")
    if name == "engine" and settings.chosen_engine == "opensearch":
        action = "Start OpenSearch, or correct TRAWL_OPENSEARCH_URL, _USER, _PASSWORD and _CA"
    return Check(name, "broken", detail, action)


def exposure(settings: AppSettings) -> Check:
    """Look who could reach the service."""
    try:
        refuse_exposure(settings)
    except PlatformError as error:
        return broken("exposure", error)
    return Check("exposure", "ok", "reachable from this machine only")


def data_folder(folder: Path) -> Check:
    """Look whether the data folder, or what will hold it, can be written."""
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if nearest.is_dir() and os.access(nearest, os.R_OK | os.W_OK | os.X_OK):
        return Check("data folder", "ok", f"{folder} can be written")
    return Check(
        "data folder",
        "broken",
        f"{folder} cannot be written",
        "Set TRAWL_DATA_DIR to a folder of yours, or correct its permissions",
    )


def ingest_roots(settings: WorkerSettings) -> Iterator[Check]:
    """Look whether the folders that may be ingested by path can be read."""
    for root in settings.ingest_roots:
        if root.is_dir() and os.access(root, os.R_OK | os.X_OK):
            yield Check("ingest root", "ok", f"{root} can be read")
        else:
            action = "Correct TRAWL_INGEST_ROOTS, or the folder's permissions"
            yield Check("ingest root", "broken", f"{root} cannot be read", action)


def port(settings: AppSettings) -> Check:
    """Look whether the service could listen."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        detail = f"{settings.port} is taken by another process" if taken else f"{settings.port} cannot be used"
        return Check("port", "broken", detail, "Stop that process, or choose another TRAWL_PORT")
    return Check("port", "ok", f"{settings.port} is free")


def redis_program() -> Check:
    """Look for the program that the service starts where no Redis is configured."""
    try:
        server_program()
    except PlatformError as error:
        return broken("redis", error)
    return Check("redis", "ok", "a private one starts with the service")


def outdated(names: Sequence[str] | None) -> Check:
    """Report indices that an older version of this service made."""
    if names is None:
        return Check("indices", "ok", "not known while the engine does not answer")
    if not names:
        return Check("indices", "ok", "none is outdated")
    action = f"Build them anew, while they serve: trawl reindex {names[0]}"
    return Check("indices", "broken", f"outdated: {', '.join(names)}", action)
