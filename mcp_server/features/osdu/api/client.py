"""The wire of OSDU search v2: headers, paths, one renewed token where the first was refused."""

from typing import Final
from uuid import uuid4

from mcp_server.features.osdu.api.credentials import ClientCredentials, Credentials, StaticToken
from mcp_server.features.osdu.api.failures import CursorLost, failed, service_error
from mcp_server.features.osdu.settings import OsduSettings
from mcp_server.upstream.guard.attempts import AttemptFailed
from mcp_server.upstream.transport import Reply, Transport

_BASE: Final = "/api/search/v2"
_NOTHING: Final = b'{"results":[],"totalCount":0,"aggregations":[]}'


class OsduClient:
    """Sends one request and returns its body; every other reply is `AttemptFailed`."""

    def __init__(self, settings: OsduSettings, transport: Transport) -> None:
        self._url = str(settings.url).removesuffix(_BASE) + _BASE
        self._partition = str(settings.partition)
        self._transport = transport
        self._credentials: Credentials = (
            StaticToken(settings.token.get_secret_value())
            if settings.token is not None
            else ClientCredentials(settings, transport)
        )

    async def post(self, path: str, body: bytes, query: str, *, goes_on: bool = False) -> bytes:
        """Send a body, which may go on with a cursor; the query is what no message may repeat."""
        token = await self._credentials.token()
        reply = await self._send(path, body, token)
        if reply.status == 401 and self._credentials.refused(token):
            reply = await self._send(path, body, await self._credentials.token())
        if reply.status == 404:
            if goes_on:
                raise AttemptFailed(CursorLost())
            return _NOTHING
        if reply.status != 200:
            raise failed(reply, query)
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
