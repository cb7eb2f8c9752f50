"""Connection settings, and the two clients: async for the reader, blocking for the writer. Neither connects eagerly."""

import ssl
import warnings
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast
from urllib.parse import urlsplit

import orjson
from opensearchpy import AIOHttpConnection, AsyncOpenSearch, AsyncTransport, OpenSearch, Urllib3HttpConnection
from opensearchpy.exceptions import SerializationError
from opensearchpy.serializer import JSONSerializer

from indexer.engines.opensearch.retries import FailoverTransport
from indexer.errors import NotConfigured

_READER_POOL_SIZE: Final = 64
_WRITER_POOL_SIZE: Final = 32
WRITE_TIMEOUT_SECONDS: Final = 60
SHARD_TIMEOUT: Final = {"timeout": "10s", "request_timeout": WRITE_TIMEOUT_SECONDS}
"""How long the cluster waits for a shard. Without `request_timeout` the client takes `timeout` as its own timeout."""
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Connection:
    """The cluster's nodes, credentials, and the shards and replicas of new indices."""

    urls: tuple[str, ...]
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    ca: str | None = None
    shards: int = 1
    replicas: int | Literal["auto"] = "auto"
    records: str = "trawl-records"
    """The prefix of the names of record indices; the kind follows."""
    audit: str = "trawl-audit"
    """The prefix of the names of the audit log's indices; the month follows."""


class _OrjsonSerializer(JSONSerializer):
    """Serializes JSON with orjson, at a third of the cost of the client's default."""

    def loads(self, s: str) -> Any:
        try:
            return orjson.loads(s)
        except orjson.JSONDecodeError as error:
            raise SerializationError("not JSON") from error

    def dumps(self, data: Any) -> Any:
        return data if isinstance(data, (str, bytes)) else orjson.dumps(data)


class _QuietConnection(Urllib3HttpConnection):
    """Does not log requests, because URLs and bodies contain users' queries and documents."""

    def log_request_success(self, *_: Any, **__: Any) -> None:
        """Do nothing."""

    def log_request_fail(self, *_: Any, **__: Any) -> None:
        """Do nothing; the error is raised."""


class _QuietAsyncConnection(AIOHttpConnection):
    """The async counterpart of `_QuietConnection`."""

    async def _create_aiohttp_session(self) -> None:
        with warnings.catch_warnings():
            # opensearch-py sets an option that is deprecated in newer Python versions.
            warnings.simplefilter("ignore", DeprecationWarning)
            await super()._create_aiohttp_session()

    def log_request_success(self, *_: Any, **__: Any) -> None:
        """Do nothing."""

    def log_request_fail(self, *_: Any, **__: Any) -> None:
        """Do nothing; the error is raised."""


class _ClosingTransport(AsyncTransport):
    """Also closes the connections to dead nodes, which opensearch-py leaves open."""

    async def close(self) -> None:
        await super().close()
        for connection in self.seed_connections:
            await cast("AIOHttpConnection", connection).close()


def build_reader_client(connection: Connection, search_timeout: float) -> AsyncOpenSearch:
    """Build the async client. Its connections belong to the event loop of the first call."""
    return AsyncOpenSearch(
        **_client_options(connection),
        transport_class=_ClosingTransport,
        connection_class=_QuietAsyncConnection,
        maxsize=_READER_POOL_SIZE,
        timeout=search_timeout,
        max_retries=max(2, len(connection.urls)),
    )


def build_writer_client(connection: Connection) -> OpenSearch:
    """Build the blocking client. It never retries a request that may have been executed."""
    return OpenSearch(
        **_client_options(connection),
        transport_class=FailoverTransport,
        connection_class=_QuietConnection,
        pool_maxsize=_WRITER_POOL_SIZE,
        timeout=WRITE_TIMEOUT_SECONDS,
        max_retries=0,
    )


def _client_options(connection: Connection) -> dict[str, Any]:
    parts = [urlsplit(url) for url in connection.urls]
    options: dict[str, Any] = {
        "hosts": list(connection.urls),
        "serializer": _OrjsonSerializer(),
        "http_compress": not all(part.hostname in _LOOPBACK for part in parts),
    }
    if connection.user is not None:
        options["http_auth"] = (connection.user, connection.password or "")
    if any(part.scheme == "https" for part in parts):
        options["ssl_context"] = _tls_context(connection.ca)
    return options


def _tls_context(ca: str | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca)
    except OSError as error:
        raise NotConfigured(
            "The certificate authority's file cannot be read",
            action="Let TRAWL_OPENSEARCH_CA name a readable file of PEM certificates",
        ) from error
