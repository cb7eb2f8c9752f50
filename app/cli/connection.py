"""Connects commands to the data folder: over HTTP to the service that runs on it, else by opening it directly."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from typing import Any, Final, Protocol

import httpx
import orjson

from app.cli.upload_body import multipart_body
from app.embedded.service_file import RunningService, running_service
from app.embedded.supervisor import BackgroundProcesses, background_processes, with_redis_url
from app.http.byte_stream import ByteStream
from app.principals import LOCAL
from app.services import close_services, open_services
from app.settings import AppSettings, needs_tokens
from indexer.environment import read_settings
from indexer.errors import PlatformError, Unavailable
from indexer.settings import IndexerSettings
from mcp_server.feature import operations_of
from mcp_server.features.all import FEATURES
from mcp_server.features.archives.upload import UPLOAD
from mcp_server.operation import Operation
from mcp_server.run import run
from mcp_server.services import Services
from mcp_server.settings import McpSettings
from workers.local_files import TAR, LocalFiles
from workers.settings import WorkerSettings

_OPERATIONS: Final[Mapping[str, Operation[Any, Any]]] = {each.name: each for each in operations_of(FEATURES)}
_TIMEOUT_SECONDS: Final = 20.0


class Caller(Protocol):
    """Calls operations by name, over HTTP or in this process."""

    @property
    def owns_worker(self) -> bool:
        """Whether the worker ends with this command, so that jobs run only until then."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the operation's result or a `Failure`."""

    async def upload(self, files: LocalFiles, on_sent: Callable[[int], None]) -> Mapping[str, Any]:
        """Upload files and start their ingest job; `on_sent` gets the size of each file that was sent."""


def call_operation(name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Connect, call one operation, and return its result or a `Failure`. Blocking."""

    async def call() -> Mapping[str, Any]:
        async with connect(read_settings(IndexerSettings)) as caller:
            return await caller.call(name, arguments)

    return asyncio.run(call())


@asynccontextmanager
async def connect(settings: IndexerSettings, *, start_worker: bool = False) -> AsyncIterator[Caller]:
    """Connect to the data folder. With `start_worker`, a worker runs meanwhile unless a service is running."""
    service = running_service(settings.data_dir)
    # The service is on loopback, which must not go through a proxy.
    async with httpx.AsyncClient(trust_env=False, timeout=settings.search_timeout + _TIMEOUT_SECONDS) as client:
        if service is not None and await is_running(client, service):
            yield _HttpCaller(client, service.url)
            return
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
            yield _LocalCaller(services, owns_worker=background.owned)
        finally:
            await close_services(services)


async def is_running(client: httpx.AsyncClient, service: RunningService) -> bool:
    """Say whether this instance responds: its process id and port may have been reused since."""
    try:
        response = await client.get(f"{service.url}/livez", timeout=5)
        return bool(orjson.loads(response.content)["instance"] == service.instance)
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        return False


class _HttpCaller:
    """Calls the running service."""

    owns_worker = False

    def __init__(self, client: httpx.AsyncClient, url: str) -> None:
        self._client = client
        self._url = url

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        route = _OPERATIONS[name].route
        remaining = {name: value for name, value in arguments.items() if name not in route.path_arguments}
        address = route.address(arguments)
        if route.has_body:
            headers = {"content-type": "application/json"}
            return await self._request(route.method, address, content=orjson.dumps(remaining), headers=headers)
        params = {name: value for name, value in remaining.items() if value is not None}
        return await self._request(route.method, address, params=params)

    async def upload(self, files: LocalFiles, on_sent: Callable[[int], None]) -> Mapping[str, Any]:
        content_type, content = multipart_body(files, on_sent)
        headers = {"content-type": content_type}
        # Unpacking the upload may take long, so reading has no timeout.
        timeout = httpx.Timeout(_TIMEOUT_SECONDS, read=None)
        return await self._request("POST", UPLOAD.route.path, content=content, headers=headers, timeout=timeout)

    async def _request(self, method: str, path: str, **request: Any) -> Mapping[str, Any]:
        try:
            response = await self._client.request(method, self._url + path, **request)
            result: Mapping[str, Any] = orjson.loads(response.content)
        except (httpx.HTTPError, orjson.JSONDecodeError):
            return Unavailable(
                "The running service gave no answer", action="Try again; `trawl doctor` says what is wrong"
            ).failure()
        return result


class _LocalCaller:
    """Runs operations in this process, on the data folder."""

    def __init__(self, services: Services, *, owns_worker: bool) -> None:
        self._services = services
        self.owns_worker = owns_worker

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            result: Mapping[str, Any] = await run(_OPERATIONS[name], self._services, LOCAL, arguments)
        except PlatformError as error:
            return error.failure()
        return result

    async def upload(self, files: LocalFiles, on_sent: Callable[[int], None]) -> Mapping[str, Any]:
        source = files.source
        archive = [(TAR, ByteStream(files.tar(on_sent)))]
        arguments = {"files": archive, "root": source.root_name, "origin": source.origin, "mirror": files.mirror}
        return await self.call(UPLOAD.name, arguments)
