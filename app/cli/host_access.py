"""Opens the store of this machine's service directly: who can read its data or its settings needs no token.

Both ways work while a service runs on it.
"""

import getpass
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from app.cli.data_folder import prepare_data_folder
from app.cli.local_caller import NoData, has_data
from app.embedded.supervisor import with_redis_url
from app.services import close_services, open_services
from indexer.audit.trail import AuditTrail
from indexer.bootstrap import open_library
from indexer.environment import read_settings
from indexer.library import Library
from indexer.secret_key import secret_keys
from indexer.settings import IndexerSettings
from mcp_server.services import Services
from mcp_server.settings import McpSettings
from mcp_server.wrong_arguments import WrongArguments
from workers.settings import WorkerSettings

_Arguments = TypeVar("_Arguments", bound=BaseModel)


@contextmanager
def host_library(*, create: bool = False) -> Iterator[Library]:
    """Open the library; `NoData` if there is none, unless it may be created."""
    library = open_library(_host_settings(create=create))
    try:
        yield library
    finally:
        library.close()


@asynccontextmanager
async def host_services() -> AsyncIterator[Services]:
    """Open all services; `NoData` if there is nothing that they could work on."""
    settings = _host_settings(create=False)
    worker_settings = with_redis_url(settings, read_settings(WorkerSettings))
    # No operation is called, so the selection of tools and the public address do not matter here.
    services = open_services(settings, worker_settings, McpSettings.model_construct(), public_url="")
    try:
        yield services
    finally:
        await close_services(services)


@contextmanager
def host_trail(library: Library) -> Iterator[AuditTrail]:
    """Open the audit trail of this process, for what an operator does."""
    trail = AuditTrail(library.engine.audit, library.engine.records, host_keys())
    try:
        yield trail
    finally:
        trail.close()


def host_keys() -> tuple[bytes, ...]:
    """Return the secret keys of the service, the current one first."""
    return secret_keys(read_settings(IndexerSettings))


def operator() -> str:
    """Return the subject of this machine's user, for the audit."""
    try:
        return f"local:{getpass.getuser()}"
    except (OSError, KeyError):
        # Containers often run under a number that has no name.
        return f"local:{os.getuid()}"


def checked(kind: type[_Arguments], **values: object) -> _Arguments:
    """Validate what was given to a command; `WrongArguments` says what is wrong with it."""
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        raise WrongArguments(kind, error) from None


def _host_settings(*, create: bool) -> IndexerSettings:
    settings = read_settings(IndexerSettings)
    if not (create or has_data(settings)):
        raise NoData(settings)
    if settings.chosen_engine == "tantivy":
        prepare_data_folder()
    return settings
