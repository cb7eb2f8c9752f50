"""`AuditLog` on OpenSearch: a plain index per month. An entry's id is its chain and number, so a retry adds nothing."""

from collections.abc import Sequence
from typing import Any, Final

import orjson
from elasticsearch_dsl import A, Q, Search
from opensearchpy import OpenSearch
from opensearchpy.exceptions import NotFoundError, RequestError, TransportError

from indexer.engines.audit_port import LogEntry, LogFilter
from indexer.engines.opensearch.connection import SHARD_TIMEOUT, Connection
from indexer.engines.opensearch.failures import failure_of_response, raise_if_partial, translate_errors
from indexer.engines.opensearch.mappings import audit_template
from indexer.engines.opensearch.retries import RETRYABLE_STATUSES, attempts, is_retryable
from indexer.engines.opensearch.writer import already_exists

_PARAMS: Final = {**SHARD_TIMEOUT, "filter_path": "errors,items.*.status,items.*.error.type"}
_CONFLICT: Final = 409
_NOT_FOUND: Final = 404
_CHAINS_PAGE: Final = 1_000


class OpenSearchAuditLog:
    """`AuditLog`. An erased value leaves the disk when OpenSearch merges the segment."""

    def __init__(self, client: OpenSearch, connection: Connection) -> None:
        self._client = client
        self._connection = connection
        self._pattern = f"{connection.audit}-*"
        self._ensured_months: set[str] = set()

    def append(self, entries: Sequence[LogEntry]) -> None:
        with translate_errors():
            for month in {entry.month for entry in entries}:
                self._ensure_index(month)
            changes = (self._encode("create", entry, entry._asdict()) for entry in entries)
            # An entry that exists already is from an earlier attempt, whose response was lost.
            self._send(b"".join(changes), harmless=_CONFLICT)

    def replace(self, entries: Sequence[LogEntry]) -> None:
        with translate_errors():
            new = ((entry, {"doc": {"subject": entry.subject, "body": entry.body}}) for entry in entries)
            self._send(b"".join(self._encode("update", *each) for each in new), harmless=_NOT_FOUND)

    def find(self, wanted: LogFilter, *, after: str | None, limit: int, newest_first: bool) -> list[LogEntry]:
        terms = {
            "team": wanted.team,
            "subject": wanted.subject,
            "operation": wanted.operation,
            "outcome": wanted.outcome,
        }
        filters = [Q("term", **{name: value}) for name, value in terms.items() if value is not None]
        bounds = {"gte": wanted.first, "lt": wanted.end}
        filters.append(Q("range", position={name: value for name, value in bounds.items() if value is not None}))
        search = Search().query("bool", filter=filters).sort({"position": "desc" if newest_first else "asc"})
        return self._read(search.extra(size=limit, **({} if after is None else {"search_after": [after]})))

    def read_chain(self, chain: str, *, first: int, limit: int) -> list[LogEntry]:
        filters = [Q("term", chain=chain), Q("range", number={"gte": first})]
        return self._read(Search().query("bool", filter=filters).sort("number").extra(size=limit))

    def chains(self) -> list[str]:
        found: list[str] = []
        after: dict[str, Any] = {}
        while True:
            search = Search().extra(size=0)
            pages = A("composite", sources=[{"chain": A("terms", field="chain")}], size=_CHAINS_PAGE, **after)
            search.aggs.bucket("chains", pages)
            page = self._search(search)
            if "aggregations" not in page or not page["aggregations"]["chains"]["buckets"]:
                return found
            found += [bucket["key"]["chain"] for bucket in page["aggregations"]["chains"]["buckets"]]
            after = {"after": page["aggregations"]["chains"]["after_key"]}

    def months(self) -> list[str]:
        with translate_errors():
            names = self._client.indices.get_alias(index=self._pattern)
        return sorted(name.removeprefix(f"{self._connection.audit}-") for name in names)

    def remove_before(self, month: str) -> None:
        old = [each for each in self.months() if each < month]
        with translate_errors():
            for each in old:
                try:
                    self._client.indices.delete(index=self._index(each))
                except NotFoundError:
                    continue  # another worker removed it

    def close(self) -> None:
        self._client.close()

    def _read(self, search: Search) -> list[LogEntry]:
        hits = self._search(search)["hits"]["hits"]
        return [LogEntry(**hit["_source"]) for hit in hits]

    def _search(self, search: Search) -> Any:
        with translate_errors():
            self._client.indices.refresh(index=self._pattern)
            response = self._client.search(
                index=self._pattern,
                body=search.extra(track_total_hits=False).to_dict(),
                params={"allow_partial_search_results": "false"},
            )
        raise_if_partial(response)
        return response

    def _send(self, body: bytes, *, harmless: int) -> None:
        """Send all changes, and send them all again if one of them may succeed then."""
        for last in attempts():
            try:
                response = self._client.bulk(body=body, params=_PARAMS)
            except TransportError as error:
                if last or not is_retryable(error):
                    raise
                continue
            items = [next(iter(item.values())) for item in response["items"]] if response["errors"] else []
            failed = [item for item in items if item["status"] >= 400 and item["status"] != harmless]
            if not failed:
                return
            if last or any(item["status"] not in RETRYABLE_STATUSES for item in failed):
                self._ensured_months.clear()  # its index may have been deleted
                raise failure_of_response(failed[0]["status"], failed[0])

    def _encode(self, action: str, entry: LogEntry, source: dict[str, Any]) -> bytes:
        target = {"_index": self._index(entry.month), "_id": f"{entry.chain}.{entry.number}"}
        return orjson.dumps({action: target}) + b"\n" + orjson.dumps(source) + b"\n"

    def _index(self, month: str) -> str:
        return f"{self._connection.audit}-{month}"

    def _ensure_index(self, month: str) -> None:
        if month in self._ensured_months:
            return
        template = audit_template(self._connection)
        self._client.indices.put_index_template(name=self._connection.audit, body=template)
        try:
            self._client.indices.create(index=self._index(month), body=template["template"])
        except RequestError as error:
            if not already_exists(error):
                raise
        self._ensured_months.add(month)
