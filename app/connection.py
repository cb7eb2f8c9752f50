"""How commands reach the data: through the service that runs on its folder, else by opening it themselves."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from typing import Any, Final, Protocol

import httpx
import orjson
from pydantic import ValidationError

from app.calls import Call
from app.errors import wrong_arguments
from app.opening import close_services, open_services
from app.pieces import Pieces
from app.routes import ALL_CALLS
from app.routes.uploads import UPLOAD_PATH
from app.sending import TAR, Sending, multipart
from app.service_file import RunningService, running_service
from app.supervisor import BackgroundProcesses, background_processes, with_queue
from app.uploads import Uploads, open_uploads
from indexer.environment import read_settings
from indexer.errors import PlatformError, Unavailable
from indexer.settings import IndexerSettings
from indexer.tenancy import MAIN
from mcp_server.services import Services
from workers.settings import WorkerSettings

_BY_TOOL: Final[Mapping[str, Call]] = {call.tool: call for call in ALL_CALLS}
_PATIENCE: Final = 20.0


class Caller(Protocol):
    """Makes calls, wherever they are answered."""

    @property
    def alone(self) -> bool:
        """Whether jobs go on only while this command runs."""

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the tool's result or a failure, as the tool itself would."""

    async def upload(self, sending: Sending, sent: Callable[[int], None]) -> Mapping[str, Any]:
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
        services = open_services(settings, background.settings)
        try:
            uploads = open_uploads(settings.data_dir, background.settings, services.background)
            yield _Local(services, uploads, alone=background.ours)
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

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        call = _BY_TOOL[tool]
        left = {name: value for name, value in arguments.items() if name not in call.path_arguments}
        if call.method == "POST":
            headers = {"content-type": "application/json"}
            return await self._answer("POST", call.address(arguments), content=orjson.dumps(left), headers=headers)
        given = {name: value for name, value in left.items() if value is not None}
        return await self._answer(call.method, call.address(arguments), params=given)

    async def upload(self, sending: Sending, sent: Callable[[int], None]) -> Mapping[str, Any]:
        content_type, content = multipart(sending, sent)
        headers = {"content-type": content_type}
        # unpacking what was sent takes as long as it takes
        timeout = httpx.Timeout(_PATIENCE, read=None)
        return await self._answer("POST", UPLOAD_PATH, content=content, headers=headers, timeout=timeout)

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

    def __init__(self, services: Services, uploads: Uploads, *, alone: bool) -> None:
        self._services = services
        self._uploads = uploads
        self.alone = alone

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        call = _BY_TOOL[tool]
        try:
            return await call.run(self._services, MAIN, call.arguments.model_validate(dict(arguments)))
        except ValidationError as error:
            return wrong_arguments(error).failure()
        except PlatformError as error:
            return error.failure()

    async def upload(self, sending: Sending, sent: Callable[[int], None]) -> Mapping[str, Any]:
        files = [(TAR, Pieces(sending.tar(sent)))]
        root, origin, mirror = sending.source.root, sending.source.origin, sending.mirror
        try:
            return await asyncio.to_thread(self._uploads.take, MAIN, files, root=root, origin=origin, mirror=mirror)
        except PlatformError as error:
            return error.failure()
