"""Small durable records: one plain index for each kind, compare-and-set by sequence number, realtime reads."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final
from uuid import uuid4

from opensearchpy import OpenSearch
from opensearchpy.exceptions import ConflictError, NotFoundError, RequestError, TransportError

from indexer.engines.opensearch.connection import SHARD_WAIT, Connection
from indexer.engines.opensearch.failures import MISSING_INDEX, raise_if_partial, translated, types_of
from indexer.engines.opensearch.mappings import records_body, records_template
from indexer.engines.opensearch.retries import attempts, worth_repeating
from indexer.engines.opensearch.writer import already_there
from indexer.engines.port import Json, Record

_PAGE: Final = 1_000


class OpenSearchRecords:
    """`port.Records`. After `TimedOut` a change may have been made or not: read it again."""

    def __init__(self, client: OpenSearch, connection: Connection) -> None:
        self._client = client
        self._connection = connection
        self._known: set[str] = set()

    def get(self, kind: str, key: str) -> Record | None:
        with translated():
            try:
                answer = _asked(partial(self._client.get, index=self._index(kind), id=key))
            except NotFoundError:
                return None
        return _record(answer)

    def put_if(self, kind: str, key: str, value: Mapping[str, Json], revision: str | None) -> Record | None:
        params = {"op_type": "create"} if revision is None else _condition(revision)
        attempt = uuid4().hex
        body = {"key": key, "value": dict(value), "attempt": attempt}
        with translated():
            self._ensure(kind)
            request = partial(self._client.index, index=self._index(kind), id=key, body=body)
            answer, repeated = _change(request, params)
            if answer is not None:
                return Record(key, value, _revision(answer))
            return self._own(kind, key, attempt) if repeated else None

    def delete_if(self, kind: str, key: str, revision: str) -> bool:
        with translated():
            request = partial(self._client.delete, index=self._index(kind), id=key)
            answer, repeated = _change(request, _condition(revision))
            return answer is not None or (repeated and self.get(kind, key) is None)

    def list(self, kind: str, prefix: str = "") -> list[Record]:
        index = self._index(kind)
        found: list[Record] = []
        body: dict[str, Any] = {
            "query": {"prefix": {"key": {"value": prefix}}} if prefix else {"match_all": {}},
            "sort": [{"key": "asc"}],
            "size": _PAGE,
            "seq_no_primary_term": True,
            "track_total_hits": False,
        }
        with translated():
            try:
                self._client.indices.refresh(index=index)
                while items := _page(self._client, index, body):
                    found += [_record(item) for item in items]
                    body["search_after"] = items[-1]["sort"]
            except NotFoundError as error:
                if MISSING_INDEX not in types_of(error):
                    raise
                return []
        return found

    def close(self) -> None:
        self._client.close()

    def _own(self, kind: str, key: str, attempt: str) -> Record | None:
        """Return the record if an earlier attempt of ours wrote it, although no answer came."""
        try:
            answer = _asked(partial(self._client.get, index=self._index(kind), id=key))
        except NotFoundError:
            return None
        return _record(answer) if answer["_source"]["attempt"] == attempt else None

    def _index(self, kind: str) -> str:
        return f"{self._connection.records}-{kind}"

    def _ensure(self, kind: str) -> None:
        if kind in self._known:
            return
        indices = self._client.indices
        if not self._known:
            indices.put_index_template(name=self._connection.records, body=records_template(self._connection))
        try:
            indices.create(index=self._index(kind), body=records_body(self._connection))
        except RequestError as error:
            if not already_there(error):
                raise
        self._known.add(kind)


def _asked(request: Callable[[], Any]) -> Any:
    """Return the answer to a question, which may be asked again: an index that was just made has no shard yet."""
    for last in attempts():
        try:
            return request()
        except TransportError as error:
            if last or not worth_repeating(error):
                raise
    raise AssertionError("there is always a last attempt")


def _change(request: Callable[..., Any], params: Mapping[str, str]) -> tuple[Any, bool]:
    """Return the answer, None where the condition does not hold; and whether an earlier attempt may have done it."""
    repeated = False
    for last in attempts():
        try:
            return request(params={**params, **SHARD_WAIT}), repeated
        except (ConflictError, NotFoundError):
            return None, repeated
        except TransportError as error:
            if last or not worth_repeating(error):
                raise
        repeated = True
    raise AssertionError("there is always a last attempt")


def _page(client: OpenSearch, index: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    params = {"allow_partial_search_results": "false"}
    answer = _asked(partial(client.search, index=index, body=body, params=params))
    raise_if_partial(answer)
    items: list[dict[str, Any]] = answer["hits"]["hits"]
    return items


def _condition(revision: str) -> dict[str, str]:
    sequence, _, term = revision.partition(".")
    return {"if_seq_no": sequence, "if_primary_term": term}


def _revision(answer: Mapping[str, Any]) -> str:
    return f"{answer['_seq_no']}.{answer['_primary_term']}"


def _record(answer: Mapping[str, Any]) -> Record:
    return Record(answer["_source"]["key"], answer["_source"]["value"], _revision(answer))
