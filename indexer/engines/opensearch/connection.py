"""How the cluster is reached: settings, and clients that keep their connections and contact nothing when made."""

import ssl
import warnings
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast
from urllib.parse import urlsplit

import orjson
from opensearchpy import AIOHttpConnection, AsyncOpenSearch, AsyncTransport, OpenSearch, Urllib3HttpConnection
from opensearchpy.exceptions import SerializationError
from opensearchpy.serializer import JSONSerializer

from indexer.engines.opensearch.retries import CarefulTransport
from indexer.errors import NotConfigured

_READERS: Final = 64
_WRITERS: Final = 32
WRITE_SECONDS: Final = 60
SHARD_WAIT: Final = {"timeout": "10s", "request_timeout": WRITE_SECONDS}
"""How long a change waits for a shard on its way; without the second the client takes the first for its own."""
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Connection:
    """Where the cluster is, who asks, and how new indices are laid out."""

    urls: tuple[str, ...]
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    ca: str | None = None
    shards: int = 1
    replicas: int | Literal["auto"] = "auto"
    records: str = "trawl-records"
    """What the indices of small records are called, before their kind."""


class _Orjson(JSONSerializer):
    """The client's JSON at a third of the usual cost."""

    def loads(self, s: str) -> Any:
        try:
            return orjson.loads(s)
        except orjson.JSONDecodeError as error:
            raise SerializationError("not JSON") from error

    def dumps(self, data: Any) -> Any:
        return data if isinstance(data, (str, bytes)) else orjson.dumps(data)


class _QuietConnection(Urllib3HttpConnection):
    """Logs no request: addresses and bodies hold what people asked and wrote."""

    def log_request_success(self, *_: Any, **__: Any) -> None:
        """Say nothing."""

    def log_request_fail(self, *_: Any, **__: Any) -> None:
        """Say nothing; the failure is raised."""


class _QuietAsyncConnection(AIOHttpConnection):
    """As above, for the reader."""

    async def _create_aiohttp_session(self) -> None:
        with warnings.catch_warnings():
            # The client sets an option that newer Pythons do not need; nobody here can do anything about it.
            warnings.simplefilter("ignore", DeprecationWarning)
            await super()._create_aiohttp_session()

    def log_request_success(self, *_: Any, **__: Any) -> None:
        """Say nothing."""

    def log_request_fail(self, *_: Any, **__: Any) -> None:
        """Say nothing; the failure is raised."""


class _ClosingTransport(AsyncTransport):
    """Closes the connections to dead nodes too, which the client forgets."""

    async def close(self) -> None:
        await super().close()
        for connection in self.seed_connections:
            await cast("AIOHttpConnection", connection).close()


def reading_client(connection: Connection, search_timeout: float) -> AsyncOpenSearch:
    """Make the reader's client; its connections belong to the event loop of the first call."""
    return AsyncOpenSearch(
        **_common(connection),
        transport_class=_ClosingTransport,
        connection_class=_QuietAsyncConnection,
        maxsize=_READERS,
        timeout=search_timeout,
        max_retries=max(2, len(connection.urls)),
    )


def writing_client(connection: Connection) -> OpenSearch:
    """Make the blocking client; it repeats no request that may have been carried out."""
    return OpenSearch(
        **_common(connection),
        transport_class=CarefulTransport,
        connection_class=_QuietConnection,
        pool_maxsize=_WRITERS,
        timeout=WRITE_SECONDS,
        max_retries=0,
    )


def _common(connection: Connection) -> dict[str, Any]:
    parts = [urlsplit(url) for url in connection.urls]
    options: dict[str, Any] = {
        "hosts": list(connection.urls),
        "serializer": _Orjson(),
        "http_compress": not all(part.hostname in _LOOPBACK for part in parts),
    }
    if connection.user is not None:
        options["http_auth"] = (connection.user, connection.password or "")
    if any(part.scheme == "https" for part in parts):
        options["ssl_context"] = _tls(connection.ca)
    return options


def _tls(ca: str | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca)
    except OSError as error:
        raise NotConfigured(
            "The certificate authority's file cannot be read",
            action="Let TRAWL_OPENSEARCH_CA name a readable file of PEM certificates",
        ) from error
