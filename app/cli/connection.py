"""How commands reach the data: through the service that runs on its folder, else by opening it themselves."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from typing import Any, Final, Protocol

import httpx
import orjson

from app.cli.upload_body import multipart
from app.embedded.service_file import RunningService, running_service
from app.embedded.supervisor import BackgroundProcesses, background_processes, with_queue
from app.http.byte_stream import Pieces
from app.opening import close_services, open_services
from app.principals import LOCAL
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
_PATIENCE: Final = 20.0


class Caller(Protocol):
    """Calls operations by name, wherever they are answered."""

    @property
    def alone(self) -> bool:
        """Whether jobs go on only while this command runs."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the operation's result, or a failure."""

    async def upload(self, files: LocalFiles, sent: Callable[[int], None]) -> Mapping[str, Any]:
        """Send files, telling of each how many bytes it had, and return the job that reads them, or a failure."""


@asynccontextmanager
async def connect(settings: IndexerSettings, *, working: bool = False) -> AsyncIterator[Caller]:
    """Open a way to the data folder; `working`: where no service runs, jobs are done while the way is open."""
    service = running_service(settings.data_dir)
    # loopback is never reached through a proxy
    async with httpx.AsyncClient(trust_env=False, timeout=settings.search_timeout + _PATIENCE) as client:
        if service is not None and await answers(client, service):
            yield _Remote(client, service.url)
            return
    worker_settings = read_settings(WorkerSettings)
    processes = (
        background_processes(settings, worker_settings, quiet=True)
        if working
        else nullcontext(BackgroundProcesses(with_queue(settings, worker_settings), ours=False))
    )
    with processes as background:
        services = open_services(settings, background.settings, read_settings(McpSettings))
        try:
            yield _Local(services, alone=background.ours)
        finally:
            await close_services(services)


async def answers(client: httpx.AsyncClient, service: RunningService) -> bool:
    """Say whether this very service answers: its process number and port may be another's by now."""
    try:
        response = await client.get(f"{service.url}/livez", timeout=5)
        return bool(orjson.loads(response.content)["instance"] == service.instance)
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        return False


class _Remote:
    """Calls over HTTP."""

    alone = False

    def __init__(self, client: httpx.AsyncClient, url: str) -> None:
        self._client = client
        self._url = url

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        route = _OPERATIONS[name].route
        left = {name: value for name, value in arguments.items() if name not in route.path_arguments}
        address = route.address(arguments)
        if route.has_body:
            headers = {"content-type": "application/json"}
            return await self._answer(route.method, address, content=orjson.dumps(left), headers=headers)
        given = {name: value for name, value in left.items() if value is not None}
        return await self._answer(route.method, address, params=given)

    async def upload(self, files: LocalFiles, sent: Callable[[int], None]) -> Mapping[str, Any]:
        content_type, content = multipart(files, sent)
        headers = {"content-type": content_type}
        # unpacking what was sent takes as long as it takes
        timeout = httpx.Timeout(_PATIENCE, read=None)
        return await self._answer("POST", UPLOAD.route.path, content=content, headers=headers, timeout=timeout)

    async def _answer(self, method: str, path: str, **request: Any) -> Mapping[str, Any]:
        try:
            response = await self._client.request(method, self._url + path, **request)
            result: Mapping[str, Any] = orjson.loads(response.content)
        except (httpx.HTTPError, orjson.JSONDecodeError):
            return Unavailable(
                "The running service gave no answer", action="Try again; `trawl doctor` says what is wrong"
            ).failure()
        return result


class _Local:
    """Calls on the folder itself."""

    def __init__(self, services: Services, *, alone: bool) -> None:
        self._services = services
        self.alone = alone

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            result: Mapping[str, Any] = await run(_OPERATIONS[name], self._services, LOCAL, arguments)
        except PlatformError as error:
            return error.failure()
        return result

    async def upload(self, files: LocalFiles, sent: Callable[[int], None]) -> Mapping[str, Any]:
        source = files.source
        packed = [(TAR, Pieces(files.tar(sent)))]
        given = {"files": packed, "root": source.root, "origin": source.origin, "mirror": files.mirror}
        return await self.call(UPLOAD.name, given)
