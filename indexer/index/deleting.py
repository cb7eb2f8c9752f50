"""Deleting documents: noted first, then a versioned delete in every generation."""

from collections.abc import Sequence

from indexer.engines.port import Deleted, Deletion
from indexer.index.deletion_log import log_deletions
from indexer.index.store import IndexStore
from indexer.index.writing import MOST_ATTEMPTS, delete_everywhere, newest_revisions
from indexer.tenancy import DocumentId, IndexName, TeamId


def delete_documents(store: IndexStore, team: TeamId, index: IndexName, ids: Sequence[DocumentId]) -> list[Deleted]:
    """Delete as the newest change, whatever is there; one outcome each, in the order given."""
    if store.registry.get(team, index).serving is None:
        return [Deleted(id_, "absent") for id_ in ids]
    outcomes = _delete(store, team, index, [Deletion(id_, store.clock.next()) for id_ in ids])
    for _ in range(MOST_ATTEMPTS):
        lost = [place for place, outcome in enumerate(outcomes) if outcome.status == "superseded"]
        if not lost:
            break
        highest = newest_revisions(store, team, index, [ids[place] for place in lost])
        again = [Deletion(ids[place], store.clock.next(above=highest[ids[place]])) for place in lost]
        for place, outcome in zip(lost, _delete(store, team, index, again), strict=True):
            outcomes[place] = outcome
    return outcomes


def _delete(store: IndexStore, team: TeamId, index: IndexName, deletions: Sequence[Deletion]) -> list[Deleted]:
    log_deletions(store.engine.records, team, index, deletions)
    return delete_everywhere(store, team, index, deletions)
