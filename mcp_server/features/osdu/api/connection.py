"""Connection to one OSDU partition: sends searches through the guard and parses the responses."""

import re
from collections.abc import Mapping
from typing import Any, Final

import orjson

from indexer.errors import NotConfigured
from indexer.tenancy import Principal
from indexer.text.clean import HIDDEN, clean
from mcp_server.features.osdu.api.client import OsduClient
from mcp_server.features.osdu.api.failures import ERROR_MESSAGES, service_error
from mcp_server.features.osdu.query.checks import invalid
from mcp_server.features.osdu.settings import OsduSettings
from mcp_server.upstream.guard.guard import Guard
from mcp_server.upstream.telemetry import Telemetry
from mcp_server.upstream.transport import Transport

_HIDDEN: Final = re.compile(f"[{HIDDEN}]")


class OsduConnection:
    """Sends nothing before the first search, and nothing at all while settings are missing."""

    def __init__(self, settings: OsduSettings, guard: Guard) -> None:
        self._settings = settings
        self._guard = guard
        self._transport = Transport(ERROR_MESSAGES)
        self._client: OsduClient | None = None

    @property
    def partition(self) -> str:
        return str(self._settings.partition)

    @property
    def telemetry(self) -> Telemetry:
        return self._guard.telemetry

    @property
    def is_configured(self) -> bool:
        return not self._settings.missing

    @property
    def is_sandbox(self) -> bool:
        return self._settings.is_sandbox

    def check_configured(self) -> None:
        """Raise `NotConfigured` with the names of the missing settings."""
        if missing := self._settings.missing:
            raise NotConfigured(
                "OSDU is not configured",
                action=f"Set {', '.join(missing)} and start the service again; instead of TRAWL_OSDU_TOKEN also "
                "TRAWL_OSDU_TOKEN_URL, TRAWL_OSDU_CLIENT_ID and TRAWL_OSDU_CLIENT_SECRET will do",
                details={"missing": missing},
                alternatives={"search_index": "Search this team's own indices"},
            )

    async def search(self, principal: Principal, path: str, body: Mapping[str, Any], *, fresh: bool = False) -> Any:
        """Return the response without hidden characters, always with `results` and `totalCount`."""
        self.check_configured()
        raw = _encode(body)
        client = self._client = self._client or OsduClient(self._settings, self._transport)
        response = await self._guard.call(
            principal.team,
            path.encode() + b"\n" + raw,
            lambda: client.post(path, raw, str(body["query"]), has_cursor="cursor" in body),
            fresh=fresh,
        )
        return _parse_response(response.body)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()


def _encode(body: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(body)
    except TypeError:
        raise invalid("half a surrogate pair", action="Send whole characters") from None


def _parse_response(body: bytes) -> dict[str, Any]:
    try:
        response = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise service_error() from None
    # One scan of the whole body is much cheaper than one scan per string, and it rarely matches.
    if b"\\u" in body or (not body.isascii() and _HIDDEN.search(body.decode("utf-8", "replace"))):
        response = clean(response)
    results = response.get("results")
    response["results"] = results = [] if results is None else results
    if not isinstance(results, list) or not all(isinstance(record, dict) for record in results):
        raise service_error()
    total = response.get("totalCount")
    response["totalCount"] = total if isinstance(total, int) else len(results)
    return dict(response)
