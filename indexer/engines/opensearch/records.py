"""`port.Records` on OpenSearch: one index per kind, compare-and-set by sequence number, realtime reads."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from elasticsearch_dsl import Q, Search
from opensearchpy import OpenSearch
from opensearchpy.exceptions import NotFoundError, RequestError

from indexer.engines.opensearch.connection import Connection
from indexer.engines.opensearch.failures import MISSING_INDEX, raise_if_partial, response_error_types, translate_errors
from indexer.engines.opensearch.mappings import records_index_body, records_template
from indexer.engines.opensearch.record_batches import (
    delete_records,
    read_records,
    read_with_retry,
    record_of,
    write_records,
)
from indexer.engines.opensearch.write_probe import check_blocks, write_once
from indexer.engines.opensearch.writer import already_exists
from indexer.engines.port import Json
from indexer.engines.record_port import Change, Record

_PROBE: Final = "probe"
_PAGE: Final = Search().sort("key").extra(size=1_000, seq_no_primary_term=True, track_total_hits=False)


class OpenSearchRecords:
    """`port.Records`. After `TimedOut` a change may or may not have been applied: read the record again."""

    def __init__(self, client: OpenSearch, connection: Connection) -> None:
        self._client = client
        self._connection = connection
        self._ensured_kinds: set[str] = set()

    def get(self, kind: str, key: str) -> Record | None:
        return self.get_many(kind, [key])[0]

    def get_many(self, kind: str, keys: Sequence[str]) -> list[Record | None]:
        with translate_errors():
            return read_records(self._client, self._index(kind), keys)

    def put_if(self, kind: str, key: str, value: Mapping[str, Json], revision: str | None) -> Record | None:
        return self.put_many(kind, [Change(key, value, revision)])[0]

    def put_many(self, kind: str, changes: Sequence[Change]) -> list[Record | None]:
        with translate_errors():
            self._ensure_index(kind)
            return write_records(self._client, self._index(kind), changes)

    def delete_if(self, kind: str, key: str, revision: str) -> bool:
        return self.delete_many(kind, [Record(key, {}, revision)]) == 1

    def delete_many(self, kind: str, records: Sequence[Record]) -> int:
        with translate_errors():
            return delete_records(self._client, self._index(kind), records)

    def list(self, kind: str, prefix: str = "") -> list[Record]:
        index = self._index(kind)
        records: list[Record] = []
        page = _PAGE.query(Q("prefix", key=prefix) if prefix else Q("match_all"))
        with translate_errors():
            try:
                self._client.indices.refresh(index=index)
                while items := _read_page(self._client, index, page.to_dict()):
                    records += [record_of(item) for item in items]
                    page = page.extra(search_after=items[-1]["sort"])
            except NotFoundError as error:
                if MISSING_INDEX not in response_error_types(error):
                    raise
                return []
        return records

    def check_writable(self) -> None:
        check_blocks(self._client, self._connection.records)
        with translate_errors():
            self._ensure_index(_PROBE)
        write_once(self._client, self._index(_PROBE))

    def close(self) -> None:
        self._client.close()

    def _index(self, kind: str) -> str:
        return f"{self._connection.records}-{kind}"

    def _ensure_index(self, kind: str) -> None:
        if kind in self._ensured_kinds:
            return
        indices = self._client.indices
        if not self._ensured_kinds:
            indices.put_index_template(name=self._connection.records, body=records_template(self._connection))
        try:
            indices.create(index=self._index(kind), body=records_index_body(self._connection))
        except RequestError as error:
            if not already_exists(error):
                raise
        self._ensured_kinds.add(kind)


def _read_page(client: OpenSearch, index: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    params = {"allow_partial_search_results": "false"}
    response = read_with_retry(partial(client.search, index=index, body=body, params=params))
    raise_if_partial(response)
    items: list[dict[str, Any]] = response["hits"]["hits"]
    return items
