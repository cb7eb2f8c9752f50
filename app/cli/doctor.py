"""Runs the checks of `trawl doctor`: settings, data folder, port, and the parts of the service."""

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from pydantic_settings import BaseSettings

from app.cli.checks import (
    Check,
    broken,
    connections,
    data_folder,
    ingest_roots,
    outdated,
    parts,
    port,
    redis_program,
    rights,
)
from app.cli.issuer_check import issuer
from app.cli.local_caller import has_data
from app.cli.lock_checks import locks
from app.cli.quilt_check import quilt
from app.cli.safety_checks import exposure, secrets
from app.cli.service_client import running_client
from app.health.readiness import Readiness
from app.principals import LOCAL
from app.services import close_services, open_services
from app.settings import AppSettings
from app.settings_table import ALL_SETTINGS, Setting, with_values
from indexer.environment import read_settings
from indexer.errors import PlatformError
from indexer.settings import IndexerSettings
from mcp_server.features.quilt.upstream import QUILT
from mcp_server.features.status.status import status
from mcp_server.settings import McpSettings
from workers.settings import WorkerSettings

_Kind = TypeVar("_Kind", bound=BaseSettings)


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """All settings and the outcomes of all checks."""

    settings: list[Setting]
    checks: list[Check]

    @property
    def healthy(self) -> bool:
        return all(check.status == "ok" for check in self.checks)


async def run_checks() -> DoctorReport:
    """Run all checks, also after one has failed."""
    settings: list[Setting] = []
    checks: list[Check] = []
    read: dict[type[BaseSettings], BaseSettings] = {}
    for kind in ALL_SETTINGS:
        try:
            read[kind] = read_settings(kind)
            settings += with_values(read[kind])
        except PlatformError as error:
            checks.append(broken("settings", error))
    if not checks:
        checks.append(Check("settings", "ok", "all can be read"))
    app = _settings_of(read, AppSettings)
    if app is not None:
        checks += exposure(app)
        checks += await issuer(app)
    worker = _settings_of(read, WorkerSettings)
    if worker is not None:
        checks += ingest_roots(worker)
        checks += (about_connections := list(connections(worker)))
        if any(check.status == "broken" for check in about_connections):
            # The other parts are checked without them.
            worker = worker.model_copy(update={"connections": None})
    indexer = _settings_of(read, IndexerSettings)
    if indexer is not None:
        checks.append(data_folder(indexer.data_dir))
        checks += secrets(indexer)
        if indexer.chosen_engine == "tantivy" and indexer.data_dir.is_dir():
            checks += locks(indexer.data_dir)
        checks += [check async for check in _check_parts(indexer, app, worker)]
    return DoctorReport(settings, checks)


def _settings_of(read: dict[type[BaseSettings], BaseSettings], kind: type[_Kind]) -> _Kind | None:
    settings = read.get(kind)
    return settings if isinstance(settings, kind) else None


async def _check_parts(
    settings: IndexerSettings, app: AppSettings | None, worker: WorkerSettings | None
) -> AsyncIterator[Check]:
    """Check the parts through the running service, or directly if none runs."""
    client = running_client(settings.data_dir)
    if client is not None:
        yield Check("service", "ok", f"runs at {client.service.url}")
        for check in parts(client.get("/readyz").get("parts", {"service": "no answer"}), settings):
            yield check
        for check in _check_status(client.get("/api/v1/status")):
            yield check
        for check in quilt(client.get("/api/v1/quilt/info")):
            yield check
        client.close()
        return
    yield Check("service", "ok", "does not run on this data folder; `trawl serve` starts it")
    if app is not None:
        yield port(app)
    if worker is None:
        return
    with TemporaryDirectory(prefix="trawl-") as empty:
        # A check must not create the data folder.
        checked = settings if has_data(settings) else settings.model_copy(update={"data_dir": Path(empty)})
        async for check in _check_without_service(checked, worker, settings.data_dir):
            yield check


async def _check_without_service(
    settings: IndexerSettings, worker: WorkerSettings, data_dir: Path
) -> AsyncIterator[Check]:
    try:
        # The selection of tools and the public address do not matter here.
        services = open_services(settings, worker, McpSettings.model_construct(), public_url="")
    except PlatformError as error:
        yield broken("engine", error)
        return
    try:
        readiness = Readiness(services.library, services.background, data_dir)
        for check in parts(await readiness.states(queue=worker.redis_url is not None), settings):
            yield check
        if worker.redis_url is None:
            yield redis_program()
        for check in _check_status(await status(services, LOCAL)):
            yield check
        for check in quilt(await services.upstreams.of(LOCAL.team)[QUILT].info(LOCAL)):
            yield check
    finally:
        await close_services(services)


def _check_status(report: Mapping[str, Any]) -> Iterator[Check]:
    yield outdated(report.get("outdated_indices"))
    yield from rights(report.get("rights", {}))
