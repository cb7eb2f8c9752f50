"""HTTP client of the OSDU search API v2. A rejected access token is renewed once."""

from typing import Final
from uuid import uuid4

from mcp_server.features.osdu.api.credentials import ClientCredentials, Credentials, StaticToken
from mcp_server.features.osdu.api.failures import CursorLost, attempt_failure, service_error
from mcp_server.features.osdu.settings import OsduSettings
from mcp_server.upstream.guard.attempts import AttemptFailed
from mcp_server.upstream.transport import Reply, Transport

_BASE_PATH: Final = "/api/search/v2"
_EMPTY_RESPONSE: Final = b'{"results":[],"totalCount":0,"aggregations":[]}'


class OsduClient:
    """Sends one request and returns the response body; every failure is raised as `AttemptFailed`."""

    def __init__(self, settings: OsduSettings, transport: Transport) -> None:
        self._url = str(settings.url).removesuffix(_BASE_PATH) + _BASE_PATH
        self._partition = str(settings.partition)
        self._transport = transport
        self._credentials: Credentials = (
            StaticToken(settings.token.get_secret_value())
            if settings.token is not None
            else ClientCredentials(settings, transport)
        )

    async def post(self, path: str, body: bytes, query: str, *, has_cursor: bool = False) -> bytes:
        """Send a search; `query` is removed from error messages, `has_cursor` tells that the body has a cursor."""
        token = await self._credentials.token()
        reply = await self._send(path, body, token)
        if reply.status == 401 and self._credentials.invalidate(token):
            reply = await self._send(path, body, await self._credentials.token())
        if reply.status == 404:
            if has_cursor:
                raise AttemptFailed(CursorLost())
            return _EMPTY_RESPONSE
        if reply.status != 200:
            raise attempt_failure(reply, query)
        if not reply.body.lstrip().startswith(b"{"):
            raise AttemptFailed(service_error(), upstream_broke=True)
        return reply.body

    async def _send(self, path: str, body: bytes, token: str) -> Reply:
        headers = {
            "authorization": f"Bearer {token}",
            "data-partition-id": self._partition,
            "content-type": "application/json",
            "accept": "application/json",
            "correlation-id": str(uuid4()),
        }
        return await self._transport.post(f"{self._url}/{path}", body, headers)
