"""Runs operations in this process, on the data folder, where no service runs."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from typing import Any, Final

from app.embedded.supervisor import BackgroundProcesses, background_processes, with_redis_url
from app.http.byte_stream import ByteStream
from app.principals import LOCAL
from app.services import close_services, open_services
from app.settings import AppSettings, needs_tokens
from indexer.data_folder import holds_data, open_data_folder
from indexer.environment import read_settings
from indexer.errors import NotFound, PlatformError
from indexer.settings import IndexerSettings
from mcp_server.feature import operations_of
from mcp_server.features.all import FEATURES
from mcp_server.features.archives.upload import UPLOAD
from mcp_server.operation import Operation
from mcp_server.result_json import well_formed
from mcp_server.run import run
from mcp_server.services import Services
from mcp_server.settings import McpSettings
from workers.local_files import TAR, LocalFiles
from workers.settings import WorkerSettings

_OPERATIONS: Final[Mapping[str, Operation[Any, Any]]] = {each.name: each for each in operations_of(FEATURES)}


class NoData(NotFound):
    """No service runs, and the data folder holds nothing."""

    def __init__(self, settings: IndexerSettings) -> None:
        super().__init__(
            f"There is no data in {settings.data_dir}, and no service runs on it",
            action="Add files with `trawl ingest PATH`, or start the service with `trawl serve`; "
            "if the data is elsewhere, set TRAWL_DATA_DIR to its folder",
        )


@asynccontextmanager
async def open_caller(*, start_worker: bool = False, create: bool = False) -> AsyncIterator["LocalCaller"]:
    """Open the services on the data folder; `NoData` if it is empty, unless it may be created.

    With `start_worker`, a worker runs meanwhile.
    """
    settings = read_settings(IndexerSettings)
    if not (create or has_data(settings)):
        raise NoData(settings)
    if create or settings.data_dir.exists():
        open_data_folder(settings.data_dir)
    worker_settings = read_settings(WorkerSettings)
    processes = (
        background_processes(settings, worker_settings, quiet=True)
        if start_worker
        else nullcontext(BackgroundProcesses(with_redis_url(settings, worker_settings), owned=False))
    )
    with processes as background:
        app_settings = read_settings(AppSettings)
        services = open_services(
            settings,
            background.settings,
            read_settings(McpSettings),
            public_url=app_settings.address,
            restricted=needs_tokens(app_settings),
        )
        try:
            yield LocalCaller(services, owns_worker=background.owned)
        finally:
            await close_services(services)


def has_data(settings: IndexerSettings) -> bool:
    """Say whether there is anything to read: an embedded engine keeps it in the data folder, a cluster by itself."""
    return settings.chosen_engine != "tantivy" or holds_data(settings.data_dir)


class LocalCaller:
    """Calls operations by name in this process."""

    def __init__(self, services: Services, *, owns_worker: bool) -> None:
        self._services = services
        self.owns_worker = owns_worker

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Call an operation with the arguments of its route; return its result or a `Failure`."""
        operation = _OPERATIONS[name]
        route = operation.route
        try:
            if route.bind is not None and route.takes is not None:
                arguments = route.bind(route.takes.model_validate(arguments))
            return well_formed(await run(operation, self._services, LOCAL, arguments))
        except PlatformError as error:
            return error.failure()

    async def upload(self, files: LocalFiles, on_sent: Callable[[int], None]) -> Mapping[str, Any]:
        """Stage files and start their ingest job; `on_sent` gets the size of each file that was staged."""
        source = files.source
        archive = [(TAR, ByteStream(files.tar(on_sent)))]
        arguments = {"files": archive, "root": source.root_name, "origin": source.origin, "mirror": files.mirror}
        return await self.call(UPLOAD.name, arguments)
