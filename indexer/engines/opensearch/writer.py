"""`port.Writer` on OpenSearch: manages indices, writes and scans documents; blocking."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson
from opensearchpy import OpenSearch
from opensearchpy.exceptions import RequestError

from indexer.engines.opensearch.bulk import Change, Outcome, send, write_alias
from indexer.engines.opensearch.connection import Connection
from indexer.engines.opensearch.documents import documents_of, source_fields, source_of
from indexer.engines.opensearch.failures import error_types, raise_if_partial, response_error_types, translate_errors
from indexer.engines.opensearch.mappings import index_body, index_template
from indexer.engines.opensearch.reader import HEALTH_TIMEOUT_SECONDS
from indexer.engines.opensearch.scan import scan
from indexer.engines.port import (
    Deleted,
    DeleteStatus,
    Deletion,
    Document,
    Target,
    WriteStatus,
    Written,
)
from indexer.tenancy import DocumentId, PhysicalName


class OpenSearchWriter:
    """`port.Writer` over one client; thread-safe."""

    def __init__(self, client: OpenSearch, connection: Connection) -> None:
        self._client = client
        self._connection = connection
        self._has_template = False

    def create(self, target: Target, alias: str) -> None:
        indices = self._client.indices
        with translate_errors():
            if not self._has_template:
                indices.put_index_template(name="trawl", body=index_template(self._connection))
                self._has_template = True
            alias_is_free = not indices.exists_alias(name=alias)
            aliases = (write_alias(target.physical), *([alias] if alias_is_free else []))
            try:
                indices.create(index=target.physical, body=index_body(target.definition, self._connection, aliases))
            except RequestError as error:
                if not already_exists(error):
                    raise
                if alias_is_free:
                    indices.put_alias(index=target.physical, name=alias)

    def drop(self, physical: PhysicalName) -> None:
        with translate_errors():
            self._client.indices.delete(index=physical, params={"ignore": [404]})

    def publish(self, alias: str, physical: PhysicalName) -> None:
        with translate_errors():
            aliased = self._client.indices.get_alias(name=alias, params={"ignore": [404]})
            old = [name for name in aliased if name not in {physical, "error", "status"}]
            actions = [{"remove": {"index": name, "alias": alias}} for name in old]
            actions.append({"add": {"index": physical, "alias": alias}})
            self._client.indices.update_aliases(body={"actions": actions})

    def physical_names(self, prefix: str) -> list[PhysicalName]:
        with translate_errors():
            names = self._client.indices.get_alias()
        return sorted(PhysicalName(name) for name in names if name.startswith(prefix))

    def write(self, target: Target, documents: Sequence[Document]) -> list[Written]:
        definition = target.definition
        changes = [
            Change(document.id, document.revision, orjson.dumps(source_of(document, definition)))
            for document in documents
        ]
        outcomes = list(send(self._client, target.physical, changes))
        ambiguous = [one for one in outcomes if one.response.retried and one.response.conflict]
        # The stored revisions decide whether a retried change conflicted with itself or with a newer one.
        stored = self.revisions(target, [outcome.change.id for outcome in ambiguous])
        return [_written(outcome, stored) for outcome in outcomes]

    def delete(self, target: Target, deletions: Sequence[Deletion]) -> list[Deleted]:
        changes = [Change(deletion.id, deletion.revision, None) for deletion in deletions]
        return [_deleted(outcome) for outcome in send(self._client, target.physical, changes)]

    def refresh(self, target: Target) -> None:
        with translate_errors():
            self._client.indices.refresh(index=target.physical)

    def get_many(self, target: Target, ids: Sequence[DocumentId], *, text: bool) -> list[Document | None]:
        return documents_of(self._multi_get(target, ids, source_fields(text=text)), target.definition)

    def revisions(self, target: Target, ids: Sequence[DocumentId]) -> dict[DocumentId, int]:
        documents = documents_of(self._multi_get(target, ids, "false"), target.definition)
        return {document.id: document.revision for document in documents if document is not None}

    def count(self, target: Target) -> int:
        with translate_errors():
            response = self._client.count(index=target.physical)
        raise_if_partial(response)
        return int(response["count"])

    def scan(self, target: Target, *, text: bool) -> Iterator[list[Document]]:
        return scan(self._client, target, text=text)

    def health(self) -> None:
        with translate_errors():
            self._client.info(params={"request_timeout": HEALTH_TIMEOUT_SECONDS})

    def close(self) -> None:
        self._client.close()

    def _multi_get(self, target: Target, ids: Sequence[DocumentId], source: str) -> Mapping[str, Any]:
        if not ids:
            return {"docs": []}
        with translate_errors():
            response: Mapping[str, Any] = self._client.mget(
                index=target.physical, body={"ids": list(ids)}, params={"_source": source}
            )
        return response


def already_exists(error: RequestError) -> bool:
    """Return whether creating an index failed because it exists."""
    return "resource_already_exists_exception" in response_error_types(error)


def _written(outcome: Outcome, stored: Mapping[DocumentId, int]) -> Written:
    identity, item = outcome.change.id, outcome.response.item
    if outcome.response.conflict:
        is_own_write = stored.get(identity) == outcome.change.revision
        return Written(identity, "updated" if is_own_write else "superseded")
    if "error" in item:
        return Written(identity, "failed", f"The engine refused it: {', '.join(sorted(error_types(item['error'])))}")
    status: WriteStatus = "created" if item["result"] == "created" else "updated"
    return Written(identity, status)


def _deleted(outcome: Outcome) -> Deleted:
    response = outcome.response
    result = response.item.get("result")
    # A retry finds nothing if an earlier attempt deleted the document and only its response was lost.
    is_deleted = result == "deleted" or (result == "not_found" and response.retried)
    status: DeleteStatus = "superseded" if response.conflict else "deleted" if is_deleted else "absent"
    return Deleted(outcome.change.id, status)
