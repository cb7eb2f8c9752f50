"""What is sent again; a stand-in drops connections and refuses, which a real cluster does only by chance."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from indexer.engines.opensearch import retries
from indexer.engines.opensearch.connection import Connection
from indexer.engines.opensearch.engine import open_engine
from indexer.engines.port import Deletion, Document, Engine, Target
from indexer.engines.record_port import Change, Record
from indexer.errors import Unavailable
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import DocumentId, PhysicalName

TARGET = Target(PhysicalName("trawl.main.notes.1"), IndexDefinition("local", 1))
DROPPED = None
Answer = tuple[int, Any] | None
Serve = Callable[..., Engine]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Start an engine on a server that gives these answers in their order, then none."""
    monkeypatch.setattr(retries, "_BACKOFF_SECONDS", (0.0, 0.0))
    servers = []

    def start(*answers: Answer) -> Engine:
        left = list(answers)

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                self.rfile.read(int(self.headers.get("content-length", 0)))
                given = left.pop(0)
                if given is DROPPED:
                    self.close_connection = True
                    return
                body = json.dumps(given[1]).encode()
                self.send_response(given[0])
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_DELETE = answer  # noqa: N815 -- the names that the server looks for

            def log_message(self, *_: object) -> None: ...

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        engine = open_engine(Connection((f"http://127.0.0.1:{server.server_port}",)), search_timeout=5)
        servers.append((server, thread, engine))
        return engine

    yield start
    for server, thread, engine in servers:
        engine.writer.close()
        server.shutdown()
        server.server_close()
        thread.join()


def bulk(*items: tuple[int, str]) -> Answer:
    errors = {409: "version_conflict_engine_exception", 429: "rejected_execution_exception"}
    told = [
        {"status": status, "result": result, **({"error": {"type": errors[status]}} if status in errors else {})}
        for status, result in items
    ]
    return 200, {"errors": True, "items": [{"index": item} for item in told]}


def found(revision: int) -> Answer:
    return 200, {"docs": [{"_id": "a", "found": True, "_version": revision}]}


def document(identity: str) -> Document:
    return Document(DocumentId(identity), 5, "text", b"{}")


def written(engine: Engine, *identities: str) -> list[str]:
    return [outcome.status for outcome in engine.writer.write(TARGET, [document(at) for at in identities])]


def deleted(engine: Engine) -> list[str]:
    return [outcome.status for outcome in engine.writer.delete(TARGET, [Deletion(DocumentId("a"), 5)])]


def test_only_the_refused_documents_are_sent_again(serve: Serve) -> None:
    engine = serve(bulk((201, "created"), (429, ""), (200, "updated")), bulk((201, "created")))
    assert written(engine, "a", "b", "c") == ["created", "created", "updated"]


def test_a_conflict_with_our_own_lost_attempt_is_no_conflict(serve: Serve) -> None:
    assert written(serve(DROPPED, bulk((409, "")), found(5)), "a") == ["updated"]
    assert written(serve(DROPPED, bulk((409, "")), found(6)), "a") == ["superseded"]
    assert written(serve(bulk((409, ""))), "a") == ["superseded"]


def test_a_deletion_that_was_lost_on_the_way_back_is_done(serve: Serve) -> None:
    assert deleted(serve(DROPPED, bulk((404, "not_found")))) == ["deleted"]
    assert deleted(serve(DROPPED, bulk((409, "")))) == ["superseded"]
    assert deleted(serve(bulk((404, "not_found")))) == ["absent"]
    assert deleted(serve(bulk((409, "")))) == ["superseded"]


def test_a_cluster_that_stays_busy_is_unavailable(serve: Serve) -> None:
    for answer in (bulk((429, "")), (503, {"error": {"type": "unavailable_shards_exception"}}), DROPPED):
        with pytest.raises(Unavailable):
            written(serve(answer, answer, answer), "a")


CREATED = (200, {"acknowledged": True})


def record(attempt: str) -> tuple[int, Any]:
    return 200, {"_seq_no": 3, "_primary_term": 1, "_source": {"key": "k", "value": {"n": 1}, "attempt": attempt}}


def records_found(*attempts: str | None) -> Answer:
    absent = {"found": False}
    return 200, {"docs": [{"found": True, **record(attempt)[1]} if attempt else absent for attempt in attempts]}


def record_bulk(*statuses: int) -> Answer:
    return 200, {"items": [{"create": {"status": status, "_seq_no": 3, "_primary_term": 1}} for status in statuses]}


def test_a_record_that_our_lost_attempt_wrote_is_ours(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.engines.opensearch.record_batches.uuid4", lambda: type("Fixed", (), {"hex": "mine"}))
    lost = (CREATED, CREATED, DROPPED, record_bulk(409))
    ours = serve(*lost, records_found("mine")).records.put_if("jobs", "k", {"n": 1}, None)
    assert ours is not None
    assert ours.revision == "3.1"
    assert serve(*lost, records_found("other")).records.put_if("jobs", "k", {"n": 1}, None) is None
    assert serve(CREATED, CREATED, record_bulk(409)).records.put_if("jobs", "k", {"n": 1}, None) is None


def test_a_record_that_our_lost_attempt_deleted_is_deleted(serve: Serve) -> None:
    assert serve(DROPPED, record_bulk(404), records_found(None)).records.delete_if("jobs", "k", "3.1") is True
    assert serve(record_bulk(404)).records.delete_if("jobs", "k", "3.1") is False


def test_of_several_records_those_that_our_lost_attempt_wrote_are_ours(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.engines.opensearch.record_batches.uuid4", lambda: type("Fixed", (), {"hex": "mine"}))
    engine = serve(CREATED, CREATED, DROPPED, record_bulk(409, 409, 201), records_found("mine", "other"))
    changes = [Change(key, {"n": 1}, None) for key in ("k", "l", "m")]
    assert [bool(written) for written in engine.records.put_many("jobs", changes)] == [True, False, True]


def test_of_several_records_those_that_our_lost_attempt_deleted_are_deleted(serve: Serve) -> None:
    engine = serve(DROPPED, record_bulk(404, 409, 200), records_found(None, "other"))
    assert engine.records.delete_many("jobs", [Record(key, {}, "3.1") for key in ("k", "l", "m")]) == 2


def test_only_the_refused_records_are_sent_again(serve: Serve) -> None:
    engine = serve(CREATED, CREATED, record_bulk(201, 429), record_bulk(201))
    changes = [Change(key, {"n": 1}, None) for key in ("k", "l")]
    assert all(engine.records.put_many("jobs", changes))


def test_records_whose_shard_does_not_answer_are_read_again(serve: Serve) -> None:
    failed: Answer = 200, {"docs": [{"error": {"type": "no_shard_available_action_exception"}}]}
    assert serve(failed, records_found("any")).records.get_many("jobs", ["k"])[0] is not None
    with pytest.raises(Unavailable):
        serve(failed, failed, failed).records.get_many("jobs", ["k"])
