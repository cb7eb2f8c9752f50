"""The single checks of `trawl doctor`: each reports a status, a detail, and an action if something is broken."""

import errno
import os
import shlex
import socket
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from app.embedded.private_redis import server_program
from app.services import open_connections
from app.settings import AppSettings
from indexer.data_folder import is_open_to_others
from indexer.errors import PlatformError
from indexer.settings import IndexerSettings
from workers.settings import WorkerSettings
from workers.source_rights import FOLDERS

_ACTIONS: Final = {
    # Their states say what to do.
    "disk": "",
    "writes": "",
    "redis": "Start Redis, or correct TRAWL_REDIS_URL",
    "workers": "Start `trawl worker`; where a service has just started, look again in a moment",
}


@dataclass(frozen=True, slots=True)
class Check:
    """The outcome of one check."""

    name: str
    status: Literal["ok", "broken"]
    detail: str
    action: str = ""


def broken(name: str, error: PlatformError) -> Check:
    """Turn a failure into a check."""
    return Check(name, "broken", error.message, error.action)


def parts(states: Mapping[str, str], settings: IndexerSettings) -> Iterator[Check]:
    """Turn the states of the parts (engine, redis, workers and others) into checks."""
    for name, state in states.items():
        # An engine that does not answer takes no writes either: that is one fault.
        if name != "writes" or states.get("engine") == "ok":
            yield _part(name, state, settings)


def _part(name: str, state: str, settings: IndexerSettings) -> Check:
    detail = f"{settings.chosen_engine}: {state}" if name == "engine" else state
    if state == "ok":
        return Check(name, "ok", detail)
    action = _ACTIONS.get(name, "Restart the service, and look into its log")
    if name == "engine" and settings.chosen_engine == "opensearch":
        action = "Start OpenSearch, or correct TRAWL_OPENSEARCH_URL, _USER, _PASSWORD and _CA"
    return Check(name, "broken", detail, action)


def data_folder(folder: Path) -> Check:
    """Check that the data folder, or its nearest existing parent, is writable, and that nobody else reads it."""
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.R_OK | os.W_OK | os.X_OK):
        action = "Set TRAWL_DATA_DIR to a folder of yours, or correct its permissions"
        return Check("data folder", "broken", f"{folder} cannot be written", action)
    if nearest != folder:
        return Check("data folder", "ok", f"{folder} does not exist yet; `trawl serve` and `trawl ingest` create it")
    if is_open_to_others(folder):
        action = f"Let only its owner read it: chmod 700 {shlex.quote(str(folder))}"
        return Check("data folder", "broken", f"{folder} is open to other users", action)
    return Check("data folder", "ok", f"{folder} can be written, and read by its owner only")


def ingest_roots(settings: WorkerSettings) -> Iterator[Check]:
    """Check that the folders in TRAWL_INGEST_ROOTS are readable."""
    for root in settings.ingest_roots:
        if root.is_dir() and os.access(root, os.R_OK | os.X_OK):
            yield Check("ingest root", "ok", f"{root} can be read")
        else:
            action = "Correct TRAWL_INGEST_ROOTS, or the folder's permissions"
            yield Check("ingest root", "broken", f"{root} cannot be read", action)


def connections(settings: WorkerSettings) -> Iterator[Check]:
    """Check the file that TRAWL_CONNECTIONS names, and the folders that it gives to teams."""
    if settings.connections is None:
        return
    try:
        found = open_connections(settings)
    except PlatformError as error:
        yield broken("connections", error)
        return
    teams = len(found.teams())
    yield Check("connections", "ok", f"{settings.connections} can be read; it names {teams} teams")
    for root in sorted({root for each in found.all_of(FOLDERS) for root in each.settings.roots}):
        if not (root.is_dir() and os.access(root, os.R_OK | os.X_OK)):
            action = "Correct `roots` in TRAWL_CONNECTIONS, or the folder's permissions"
            yield Check("connections", "broken", f"{root} cannot be read", action)


def port(settings: AppSettings) -> Check:
    """Check that the service could listen on its port."""
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
    """Check that a Redis server program exists, for a service without a configured Redis."""
    try:
        server_program()
    except PlatformError as error:
        return broken("redis", error)
    return Check("redis", "ok", "a private one starts with the service")


def rights(by_source: Mapping[str, str]) -> Iterator[Check]:
    """Tell for each source whose rights decide what callers find there."""
    for source, holder in by_source.items():
        yield Check(source, "ok", f"configured; every caller finds what its {holder} may read")


def outdated(names: Sequence[str] | None) -> Check:
    """Report indices that were built by an older version and need a re-index."""
    if names is None:
        return Check("indices", "ok", "not known while the engine does not answer")
    if not names:
        return Check("indices", "ok", "none is outdated")
    action = f"Build them anew, while they serve: trawl reindex {names[0]}"
    return Check("indices", "broken", f"outdated: {', '.join(names)}", action)
