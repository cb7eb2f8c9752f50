"""Calls a service, of this machine or another one, with the standard library only: commands must start fast."""

import json
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from select import select
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode, urlsplit

from app.cli.remote_service import RemoteService, remote_service
from app.cli.routes import ROUTES
from app.embedded.service_file import RunningService, running_service
from indexer.errors import Failure, Invalid, PlatformError, Unavailable

if TYPE_CHECKING:
    from ssl import SSLContext

_LIVENESS_SECONDS: Final = 5.0
_CALL_SECONDS: Final = 620.0
"""The service ends its calls itself: the longest timeout that can be set for a search is 600 seconds."""
_CLIENT: Final = {"user-agent": "trawl"}
"""The name under which lists of tokens and the audit show commands."""


class ServiceClient:
    """One connection to a running service, `remote` if it is one on another machine. Blocking."""

    def __init__(self, service: RunningService, remote: RemoteService | None = None) -> None:
        self.service = service
        self.remote = remote
        self.tls = _tls_context(service)
        address = urlsplit(service.url)
        self._prefix = address.path
        # A service on this machine is reached directly, and another one by its own address: no proxy is used.
        self._connection = (
            HTTPConnection(address.hostname or "", address.port, timeout=_LIVENESS_SECONDS)
            if self.tls is None
            else HTTPSConnection(address.hostname or "", address.port, timeout=_LIVENESS_SECONDS, context=self.tls)
        )

    def headers(self) -> dict[str, str]:
        """Return the headers that say who calls; a `PlatformError` if a sign-in has expired and cannot be renewed."""
        if self.remote is not None:
            return _CLIENT | self.remote.headers()
        return _CLIENT | ({"authorization": f"Bearer {self.service.secret}"} if self.service.secret else {})

    def is_running(self) -> bool:
        """Say whether this instance responds: its process id and port may have been reused since."""
        alive = self.get("/livez").get("instance") == self.service.instance
        self.use_call_timeout()
        return alive

    def use_call_timeout(self) -> None:
        """Wait for answers as long as a call may take."""
        self._connection.timeout = _CALL_SECONDS
        if self._connection.sock is not None:
            self._connection.sock.settimeout(_CALL_SECONDS)

    def call(self, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Call an operation with the arguments of its route; return its result or a `Failure`."""
        route = ROUTES[name]
        remaining = {name: value for name, value in arguments.items() if name not in route.path_arguments}
        try:
            if route.has_body:
                result = self._request(route.method, route.address(arguments), remaining)
            else:
                result = self._request(route.method, _with_query(route.address(arguments), remaining))
        except UnicodeEncodeError:
            return Invalid("An argument is not UTF-8", action="Set the terminal to UTF-8, and type it again").failure()
        except PlatformError as error:
            return error.failure()
        return self.no_answer() if result is None or "success" not in result else result

    def no_answer(self) -> Failure:
        """Build the failure for a service that broke off or did not answer with a result."""
        if self.remote is not None:
            return Unavailable(
                f"The service at {self.remote.url} gave no answer",
                action="Check that it runs and that this machine can reach it, then try again",
            ).failure()
        return Unavailable(
            "The running service gave no answer", action="Try again; `trawl doctor` says what is wrong"
        ).failure()

    def explained(self, status: int, result: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the body of a response; of a refusal by a service elsewhere, with what a user of commands can do."""
        return result if self.remote is None else self.remote.explained(status, result)

    def get(self, path: str) -> Mapping[str, Any]:
        """Return the JSON object at a path; empty if there is none."""
        return self._request("GET", path) or {}

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Mapping[str, Any] | None:
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        headers = self.headers() | ({} if body is None else {"content-type": "application/json"})
        try:
            self._close_if_stale()
            self._connection.request(method, self._prefix + path, content, headers)
            with self._connection.getresponse() as response:
                result = json.load(response)
        except (OSError, HTTPException, ValueError):
            self._connection.close()
            return None
        return self.explained(response.status, result) if isinstance(result, dict) else None

    def _close_if_stale(self) -> None:
        """Close a connection that the service has closed after some idle seconds; the next request opens another."""
        if self._connection.sock is not None and select([self._connection.sock], [], [], 0)[0]:
            self._connection.close()


def _tls_context(service: RunningService) -> "SSLContext | None":
    if not service.url.startswith("https:"):
        return None
    import ssl  # noqa: PLC0415 - slow, and most services of this machine have no TLS

    from app.cli.pinned_tls import pinned_context  # noqa: PLC0415 - as above

    if service.certificate is not None:
        with suppress(OSError, ValueError):
            return pinned_context(Path(service.certificate))
    return ssl.create_default_context()


def find_client(folder: Path) -> ServiceClient | None:
    """Return a client of the service that commands use: one on another machine, else the one on this data folder."""
    remote = remote_service()
    return running_client(folder) if remote is None else remote_client(remote)


def remote_client(remote: RemoteService) -> ServiceClient:
    """Return a client of a service elsewhere."""
    client = ServiceClient(RunningService(0, remote.url, ""), remote)
    client.use_call_timeout()
    return client


def running_client(folder: Path) -> ServiceClient | None:
    """Connect to the service that runs on this folder; None without one."""
    service = running_service(folder)
    if service is None:
        return None
    client = ServiceClient(service)
    if client.is_running():
        return client
    client.close()
    return None


def _with_query(path: str, arguments: Mapping[str, Any]) -> str:
    given = {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in arguments.items()
        if value is not None
    }
    return f"{path}?{urlencode(given)}" if given else path
