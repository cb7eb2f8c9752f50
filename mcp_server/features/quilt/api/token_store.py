"""Stores rotated tokens in the service's records, so that neither a restart nor a lost Redis loses them."""

import asyncio
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import orjson

from indexer.engines.record_port import Records
from indexer.errors import PlatformError
from indexer.records import Store
from indexer.tenancy import TeamId
from mcp_server.upstream.sealing import Sealer

_KIND: Final = "upstream_tokens"


@dataclass(frozen=True, slots=True)
class Issued:
    """The tokens that a registry issued last."""

    refresh_token: str
    access_token: str
    expires_at: float
    """Seconds since 1970."""


@dataclass(frozen=True, slots=True)
class _Sealed:
    """One connection's tokens as they are stored."""

    sealed: str = ""
    team: TeamId | None = None
    """The team that has the connection alone."""


class TokenStore:
    """One connection's tokens, sealed with the service's key and shared by all processes; none without records."""

    def __init__(
        self,
        records: Records | None,
        key: bytes,
        name: str,
        owner: TeamId | None = None,
        earlier: "TokenStore | None" = None,
    ) -> None:
        """Take the team that has the connection alone; its tokens are removed with it.

        `earlier` is the store under the service's earlier key, from which tokens are taken until others are stored.
        """
        self._stored = None if records is None else Store(records, _KIND, _Sealed)
        self._name = name
        self._owner = owner
        self._earlier = earlier
        self._sealer = Sealer(key, b"trawl quilt token")

    async def get(self) -> Issued | None:
        """Return the tokens stored last; None if there are none or they cannot be read."""
        try:
            issued = await asyncio.to_thread(self._read)
        except PlatformError:
            return None  # The engine is down: this process goes on with the tokens that it holds.
        return await self._earlier.get() if issued is None and self._earlier is not None else issued

    async def put(self, issued: Issued) -> None:
        """Store these tokens; if the engine is down, only this process knows them."""
        try:
            await asyncio.to_thread(self._write, issued)
        except PlatformError:
            return

    def _read(self) -> Issued | None:
        stored = None if self._stored is None else self._stored.get(self._name)
        if stored is None:
            return None
        raw = self._sealer.open(b64decode(stored.value.sealed), self._name)
        return None if raw is None else Issued(*orjson.loads(raw))

    def _write(self, issued: Issued) -> None:
        if self._stored is None:
            return
        raw = orjson.dumps([issued.refresh_token, issued.access_token, issued.expires_at])
        sealed = b64encode(self._sealer.seal(raw, self._name)).decode()
        self._stored.put(self._name, _Sealed(sealed, self._owner))


def forget_tokens(records: Records, team: TeamId) -> Mapping[str, int]:
    """Remove the tokens of a team's own connections; return how many there were. Blocking."""
    stored = Store(records, _KIND, _Sealed)
    return {"upstream_tokens": stored.remove_many([one for one in stored.list() if one.value.team == team])}
