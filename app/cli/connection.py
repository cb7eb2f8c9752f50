"""Connects commands over HTTP to a service elsewhere or on the data folder, else to the data folder directly.

Everything that the first way does not need is imported only where it is used: a command must start fast.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, Protocol

from app.cli.data_folder import find_data_folder
from app.cli.routes import ROUTES
from app.cli.service_client import ServiceClient, find_client
from indexer.errors import PlatformError

if TYPE_CHECKING:
    from workers.local_files import LocalFiles

Call = tuple[str, Mapping[str, Any]]
"""The name of an operation, and the arguments of its route."""
_UPLOAD_SECONDS: Final = 20.0


class Caller(Protocol):
    """Calls operations by name, over HTTP or in this process."""

    @property
    def owns_worker(self) -> bool:
        """Whether the worker ends with this command, so that jobs run only until then."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Call an operation with the arguments of its route; return its result or a `Failure`."""

    async def upload(self, files: "LocalFiles", on_sent: Callable[[int], None]) -> Mapping[str, Any]:
        """Upload files and start their ingest job; `on_sent` gets the size of each file that was sent."""


def call_operation(name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Connect, call one operation, and return its result or a `Failure`. Blocking."""
    return call_operations([(name, arguments)])[0]


def call_operations(calls: Iterable[Call]) -> list[Mapping[str, Any]]:
    """Connect, call operations one after the other, and return their results or failures. Blocking."""
    folder = find_data_folder()
    client = find_client(folder)
    if client is not None:
        try:
            return [client.call(name, arguments) for name, arguments in calls]
        finally:
            client.close()
    import asyncio  # noqa: PLC0415 - slow

    from app.cli.local_caller import open_caller  # noqa: PLC0415 - imports the whole service

    async def call_all() -> list[Mapping[str, Any]]:
        async with open_caller() as caller:
            return [await caller.call(name, arguments) for name, arguments in calls]

    return asyncio.run(call_all())


@asynccontextmanager
async def connect(*, start_worker: bool = False, create: bool = False) -> AsyncIterator[Caller]:
    """Connect to the service that commands use, or to the data folder.

    With `start_worker`, a worker runs meanwhile unless a service is running. Without `create`, a folder that holds no
    data is a failure.
    """
    client = find_client(find_data_folder())
    if client is not None:
        try:
            yield _HttpCaller(client)
        finally:
            client.close()
        return
    from app.cli.local_caller import open_caller  # noqa: PLC0415 - imports the whole service

    async with open_caller(start_worker=start_worker, create=create) as caller:
        yield caller


class _HttpCaller:
    """Calls the running service."""

    owns_worker = False

    def __init__(self, client: ServiceClient) -> None:
        self._client = client

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        import asyncio  # noqa: PLC0415 - slow, and not needed by blocking calls

        return await asyncio.to_thread(self._client.call, name, arguments)

    async def upload(self, files: "LocalFiles", on_sent: Callable[[int], None]) -> Mapping[str, Any]:
        import asyncio  # noqa: PLC0415 - slow, and not needed by blocking calls

        import httpx  # noqa: PLC0415 - slow, and only uploads stream a body

        from app.cli.upload_body import multipart_body  # noqa: PLC0415 - imports the sources of files

        content_type, content = multipart_body(files, on_sent)
        address = self._client.service.url + ROUTES["archive_upload"].path
        # Unpacking the upload may take long, so reading has no timeout.
        timeout = httpx.Timeout(_UPLOAD_SECONDS, read=None)
        try:
            verify = True if self._client.tls is None else self._client.tls
            headers = await asyncio.to_thread(self._client.headers)
            async with httpx.AsyncClient(trust_env=False, timeout=timeout, verify=verify) as client:
                headers["content-type"] = content_type
                response = await client.post(address, content=content, headers=headers)
            return self._client.explained(response.status_code, response.json())
        except PlatformError as error:
            return error.failure()
        except (httpx.HTTPError, ValueError):
            return self._client.no_answer()
