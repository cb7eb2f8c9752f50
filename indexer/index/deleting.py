"""Deletes documents: writes the deletion log first, then deletes by revision in every generation."""

from collections.abc import Sequence

from indexer.engines.port import Deleted, Deletion
from indexer.index.deletion_log import log_deletions
from indexer.index.record import IndexRecord
from indexer.index.store import IndexStore
from indexer.index.writing import MAX_ATTEMPTS, delete_everywhere, newest_revisions
from indexer.tenancy import DocumentId, IndexName, TeamId


def delete_documents(store: IndexStore, team: TeamId, index: IndexName, ids: Sequence[DocumentId]) -> list[Deleted]:
    """Delete documents as the newest change; return one outcome each, in the order given.

    On a revision conflict, retry with a higher revision.
    """
    record = store.registry.get(team, index)
    if record.serving is None:
        return [Deleted(id_, "absent") for id_ in ids]
    outcomes = _log_and_delete(store, record, [Deletion(id_, store.clock.next()) for id_ in ids])
    for _ in range(MAX_ATTEMPTS):
        superseded = [position for position, outcome in enumerate(outcomes) if outcome.status == "superseded"]
        if not superseded:
            break
        record = store.registry.get(team, index)
        newest = newest_revisions(store, record, [ids[position] for position in superseded])
        retries = [Deletion(ids[position], store.clock.next(above=newest[ids[position]])) for position in superseded]
        for position, outcome in zip(superseded, _log_and_delete(store, record, retries), strict=True):
            outcomes[position] = outcome
    return outcomes


def _log_and_delete(store: IndexStore, record: IndexRecord, deletions: Sequence[Deletion]) -> list[Deleted]:
    log_deletions(store.engine.records, record.team, record.index, deletions)
    return delete_everywhere(store, record, deletions)
