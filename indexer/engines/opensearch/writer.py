"""Writing to the cluster and scanning it, blocking."""

from collections.abc import Iterator, Sequence

import orjson
from opensearchpy import OpenSearch
from opensearchpy.exceptions import RequestError

from indexer.engines.opensearch.bulk import Change, Outcome, send, write_alias
from indexer.engines.opensearch.connection import Connection
from indexer.engines.opensearch.documents import asked_for, documents_of, source_of
from indexer.engines.opensearch.failures import error_types, raise_if_partial, translated, types_of
from indexer.engines.opensearch.mappings import index_body, template
from indexer.engines.opensearch.reader import HEALTH_SECONDS
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
    """`port.Writer` over one client, which threads may share."""

    def __init__(self, client: OpenSearch, connection: Connection) -> None:
        self._client = client
        self._connection = connection
        self._template_is_there = False

    def create(self, target: Target, alias: str) -> None:
        indices = self._client.indices
        with translated():
            if not self._template_is_there:
                indices.put_index_template(name="trawl", body=template(self._connection))
                self._template_is_there = True
            vacant = not indices.exists_alias(name=alias)
            body = index_body(target.definition, self._connection)
            body["aliases"] = {write_alias(target.physical): {}, **({alias: {}} if vacant else {})}
            try:
                indices.create(index=target.physical, body=body)
            except RequestError as error:
                if not already_there(error):
                    raise
                if vacant:
                    indices.put_alias(index=target.physical, name=alias)

    def drop(self, physical: PhysicalName) -> None:
        with translated():
            self._client.indices.delete(index=physical, params={"ignore": [404]})

    def publish(self, alias: str, physical: PhysicalName) -> None:
        with translated():
            behind = self._client.indices.get_alias(name=alias, params={"ignore": [404]})
            old = [name for name in behind if name not in {physical, "error", "status"}]
            actions = [{"remove": {"index": name, "alias": alias}} for name in old]
            actions.append({"add": {"index": physical, "alias": alias}})
            self._client.indices.update_aliases(body={"actions": actions})

    def physical_names(self, prefix: str) -> list[PhysicalName]:
        with translated():
            names = self._client.indices.get_alias()
        return sorted(PhysicalName(name) for name in names if name.startswith(prefix))

    def write(self, target: Target, documents: Sequence[Document]) -> list[Written]:
        definition = target.definition
        changes = [
            Change(document.id, document.revision, orjson.dumps(source_of(document, definition)))
            for document in documents
        ]
        outcomes = list(send(self._client, target.physical, changes))
        ours = self._revisions(target, [outcome for outcome in outcomes if outcome.repeated and outcome.conflict])
        return [_written(outcome, ours) for outcome in outcomes]

    def delete(self, target: Target, deletions: Sequence[Deletion]) -> list[Deleted]:
        changes = [Change(deletion.id, deletion.revision, None) for deletion in deletions]
        outcomes = list(send(self._client, target.physical, changes))
        ours = self._revisions(target, [outcome for outcome in outcomes if outcome.repeated and outcome.conflict])
        return [_deleted(outcome, ours) for outcome in outcomes]

    def refresh(self, target: Target) -> None:
        with translated():
            self._client.indices.refresh(index=target.physical)

    def get_many(self, target: Target, ids: Sequence[DocumentId], *, text: bool) -> list[Document | None]:
        if not ids:
            return []
        with translated():
            answer = self._client.mget(
                index=target.physical, body={"ids": list(ids)}, params={"_source": asked_for(text=text)}
            )
        return documents_of(answer, target.definition)

    def count(self, target: Target) -> int:
        with translated():
            answer = self._client.count(index=target.physical)
        raise_if_partial(answer)
        return int(answer["count"])

    def scan(self, target: Target, *, text: bool) -> Iterator[list[Document]]:
        return scan(self._client, target, text=text)

    def health(self) -> None:
        with translated():
            self._client.info(params={"request_timeout": HEALTH_SECONDS})

    def close(self) -> None:
        self._client.close()

    def _revisions(self, target: Target, unclear: list[Outcome]) -> dict[DocumentId, int | None]:
        """Ask what is there now, where a repeated change met itself or a newer one."""
        ids = [outcome.change.id for outcome in unclear]
        found = self.get_many(target, ids, text=False)
        return {at: document.revision if document else None for at, document in zip(ids, found, strict=True)}


def already_there(error: RequestError) -> bool:
    """Tell whether an index could not be made because it exists."""
    return "resource_already_exists_exception" in types_of(error)


def _written(outcome: Outcome, ours: dict[DocumentId, int | None]) -> Written:
    identity, item = outcome.change.id, outcome.item
    if outcome.conflict:
        mine = ours.get(identity) == outcome.change.revision
        return Written(identity, "updated" if mine else "superseded")
    if "error" in item:
        return Written(identity, "failed", f"The engine refused it: {', '.join(sorted(error_types(item['error'])))}")
    status: WriteStatus = "created" if item["result"] == "created" else "updated"
    return Written(identity, status)


def _deleted(outcome: Outcome, ours: dict[DocumentId, int | None]) -> Deleted:
    identity = outcome.change.id
    status: DeleteStatus = "deleted" if outcome.item.get("result") == "deleted" else "absent"
    if outcome.conflict:
        status = "deleted" if identity in ours and ours[identity] is None else "superseded"
    return Deleted(identity, status)
