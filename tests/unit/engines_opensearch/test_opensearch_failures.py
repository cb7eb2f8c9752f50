import errno
import logging
import socket
from typing import Any

import pytest
from opensearchpy.exceptions import (
    AuthenticationException,
    ConnectionError,  # noqa: A004 -- the client's own name
    ConnectionTimeout,
    NotFoundError,
    RequestError,
    SerializationError,
    TransportError,
)

from indexer.engines.opensearch.connection import Connection, build_reader_client, build_writer_client
from indexer.engines.opensearch.engine import open_engine
from indexer.engines.opensearch.failures import raise_if_partial, translate_errors
from indexer.engines.port import SearchRequest, Target
from indexer.errors import ExpiredView, Invalid, MissingIndex, NotConfigured, PlatformError, TimedOut, Unavailable
from indexer.query.ast import Everything
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import PhysicalName


def answer(kind: str) -> dict[str, Any]:
    cause = {"type": kind, "reason": "canary"}
    return {"error": {"type": "search_phase_execution_exception", "reason": "canary", "root_cause": [cause]}}


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (ConnectionError("N/A", "canary", OSError("canary")), Unavailable),
        (ConnectionTimeout("TIMEOUT", "canary", TimeoutError("canary")), TimedOut),
        (NotFoundError(404, "x", answer("index_not_found_exception")), MissingIndex),
        (NotFoundError(404, "x", answer("search_context_missing_exception")), ExpiredView),
        (RequestError(400, "x", answer("too_many_clauses")), Invalid),
        (RequestError(400, "x", answer("anything")), Unavailable),
        (AuthenticationException(401, "canary", "Unauthorized"), Unavailable),
        (TransportError(429, "x", answer("rejected")), Unavailable),
        (TransportError(503, "x", answer("no_shard_available_action_exception")), Unavailable),
        (TransportError(502, "canary", "<html>canary"), Unavailable),
        (SerializationError("canary"), Unavailable),
    ],
)
def test_what_the_client_raises_becomes_a_failure_without_the_clusters_text(
    raised: Exception, expected: type[Exception]
) -> None:
    with pytest.raises(expected) as caught, translate_errors():
        raise raised
    assert type(caught.value) is expected
    assert caught.value.__suppress_context__
    if isinstance(caught.value, PlatformError):
        assert "canary" not in str(caught.value.failure())
        assert caught.value.action


def test_refused_credentials_are_told_from_a_full_disk() -> None:
    with pytest.raises(Unavailable, match="credentials"), translate_errors():
        raise TransportError(403, "x", answer("security_exception"))
    with pytest.raises(Unavailable, match="accept writes"), translate_errors():
        raise TransportError(403, "x", answer("cluster_block_exception"))


def test_a_partial_answer_is_a_failure() -> None:
    raise_if_partial({"timed_out": False, "_shards": {"failed": 0}})
    with pytest.raises(TimedOut):
        raise_if_partial({"timed_out": True, "_shards": {"failed": 0}})
    failure = {"reason": {"type": "search_context_missing_exception"}}
    with pytest.raises(ExpiredView):
        raise_if_partial({"_shards": {"failed": 1, "failures": [failure]}})
    with pytest.raises(Unavailable):
        raise_if_partial({"_shards": {"failed": 1}})


def test_an_unreadable_authority_is_told_by_its_setting() -> None:
    connection = Connection(("https://127.0.0.1:9",), ca="/nowhere/ca.pem")
    with pytest.raises(NotConfigured) as raised:
        build_writer_client(connection)
    assert "TRAWL_OPENSEARCH_CA" in raised.value.action


async def test_requests_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    nowhere = Connection(("http://127.0.0.1:9",))
    with pytest.raises(ConnectionError):
        build_writer_client(nowhere).search(body={"query": {"term": {"a": "canary"}}}, index="canary")
    client = build_reader_client(nowhere, 5)
    with pytest.raises(ConnectionError):
        await client.search(body={"query": {"term": {"a": "canary"}}}, index="canary")
    await client.close()
    assert "canary" not in "".join(record.getMessage() for record in caplog.records)


async def test_a_cluster_that_never_answers_is_timed_out() -> None:
    target = Target(PhysicalName("trawl.main.notes.1"), IndexDefinition("local", 1))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        engine = open_engine(Connection((f"http://127.0.0.1:{port}",)), search_timeout=0.05)
        with pytest.raises(TimedOut) as raised:
            await engine.reader.search(target, SearchRequest(Everything(), 1))
        assert "TRAWL_SEARCH_TIMEOUT" in raised.value.action
        await engine.reader.close()


async def test_an_engine_that_was_never_used_closes() -> None:
    engine = open_engine(Connection(("http://127.0.0.1:9", "http://127.0.0.1:9")), search_timeout=1)
    await engine.reader.close()
    engine.writer.close()
    engine.records.close()


def test_a_connection_without_a_free_file_is_not_the_clusters_fault() -> None:
    with pytest.raises(Unavailable, match="Too many files are open"), translate_errors():
        raise ConnectionError("N/A", "canary", OSError(errno.EMFILE, "canary"))
