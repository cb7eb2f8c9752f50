"""Verifies that a shadow holds the same documents as the old generation, while writers write to both.

Snapshots of both are compared by digests of IDs and revisions. Documents that differ are read again, one by one. A
difference is allowed if a concurrent write or deletion explains it. A write that a dead process left half done is
finished here.

Writers write to the old generation before the shadow, and to the deletion log before both. So a revision in the shadow
that is newer than both the old generation's and the log's is an error.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from indexer.engines.port import Deletion, Document, Target
from indexer.errors import Unavailable
from indexer.index.deletion_log import logged_revisions, newer_deletions
from indexer.reindex.backfill import write_to_shadow
from indexer.reindex.session import RebuildSession
from indexer.tenancy import DocumentId

_BUCKETS: Final = 4_096
_DIGEST_BYTES: Final = 16
_BATCH_SIZE: Final = 20
"""Documents that are read with their text at a time; each may have megabytes."""
_ROUNDS: Final = 3

Checkpoint = Callable[[], None]
"""Called between batches; raises if the rebuild must stop."""


def verify(session: RebuildSession, checkpoint: Checkpoint) -> int:
    """Return how many documents the shadow has; raise if it differs from the old generation without explanation."""
    suspects = differing(session, checkpoint)
    for _ in range(_ROUNDS):
        suspects = [
            id_
            for start in range(0, len(suspects), _BATCH_SIZE)
            for id_ in _repair(session, suspects[start : start + _BATCH_SIZE], checkpoint)
        ]
    if suspects:
        raise _verification_failed(session, len(suspects))
    session.store.engine.writer.refresh(session.shadow)
    return session.store.engine.writer.count(session.shadow)


def differing(session: RebuildSession, checkpoint: Checkpoint) -> list[DocumentId]:
    """Return the documents whose revisions differ between snapshots of both generations."""
    writer = session.store.engine.writer
    writer.refresh(session.old)
    writer.refresh(session.shadow)
    old_digests = _bucket_digests(session, session.old, checkpoint)
    new_digests = _bucket_digests(session, session.shadow, checkpoint)
    buckets = {bucket for bucket in range(_BUCKETS) if old_digests[bucket] != new_digests[bucket]}
    if not buckets:
        return []
    old = _revisions_in_buckets(session, session.old, buckets, checkpoint)
    new = _revisions_in_buckets(session, session.shadow, buckets, checkpoint)
    duplicated = sum(len(revisions) > 1 for revisions in new.values())
    if duplicated:  # no concurrent change explains a document stored twice, and reading by ID would not show it
        raise _verification_failed(session, duplicated)
    return sorted(id_ for id_ in {*old, *new} if old.get(id_) != new.get(id_))


def _bucket_digests(session: RebuildSession, target: Target, checkpoint: Checkpoint) -> list[int]:
    """Return for each bucket the sum of its documents' digests; a document stored twice counts twice."""
    sums = [0] * _BUCKETS
    for document in _scan(session, target, checkpoint):
        content = f"{document.revision} {document.id}".encode()
        sums[_bucket(document.id)] += int.from_bytes(hashlib.blake2b(content, digest_size=_DIGEST_BYTES).digest())
    return sums


def _revisions_in_buckets(
    session: RebuildSession, target: Target, buckets: set[int], checkpoint: Checkpoint
) -> dict[DocumentId, list[int]]:
    revisions: dict[DocumentId, list[int]] = {}
    for document in _scan(session, target, checkpoint):
        if _bucket(document.id) in buckets:
            revisions.setdefault(document.id, []).append(document.revision)
    return revisions


def _scan(session: RebuildSession, target: Target, checkpoint: Checkpoint) -> Iterator[Document]:
    for batch in session.store.engine.writer.scan(target, text=False):
        checkpoint()
        yield from batch


def _bucket(id_: DocumentId) -> int:
    return int.from_bytes(hashlib.blake2b(id_.encode(), digest_size=4).digest()) % _BUCKETS


def _repair(session: RebuildSession, ids: Sequence[DocumentId], checkpoint: Checkpoint) -> list[DocumentId]:
    """Compare the current state of these documents and finish half-done writes; return those that still differ."""
    checkpoint()
    writer, records = session.store.engine.writer, session.store.engine.records
    # Read in the reverse order of writers: a change seen in the shadow is then seen in the old generation or the log.
    shadow_revisions = writer.revisions(session.shadow, ids)
    old = {document.id: document for document in writer.get_many(session.old, ids, text=True) if document is not None}
    deleted = logged_revisions(records, session.team, session.index, ids)
    unexplained: list[DocumentId] = []
    missing_writes: list[Document] = []
    missing_deletions: list[Deletion] = []
    for id_ in ids:
        new_revision, old_revision = shadow_revisions.get(id_, 0), old[id_].revision if id_ in old else 0
        if new_revision > max(old_revision, deleted[id_]):
            unexplained.append(id_)
        elif old_revision > max(new_revision, deleted[id_]):
            missing_writes.append(old[id_])
        elif new_revision and deleted[id_] >= new_revision:
            missing_deletions.append(Deletion(id_, deleted[id_]))
    return unexplained + _apply_missing(session, missing_writes, missing_deletions)


def _apply_missing(
    session: RebuildSession, writes: Sequence[Document], deletions: Sequence[Deletion]
) -> list[DocumentId]:
    """Apply to the shadow what it lacks; return the documents that it did not store."""
    writer, records = session.store.engine.writer, session.store.engine.records
    if writes:
        write_to_shadow(session, writes)
    # A newer deletion wins, as in every write.
    newer = newer_deletions(records, session.team, session.index, writes)
    all_deletions = [*deletions, *newer.values()]
    if all_deletions:
        writer.delete(session.shadow, all_deletions)
    stored = writer.revisions(session.shadow, [document.id for document in writes])
    lacking = {document.id: document.revision for document in writes if stored.get(document.id, 0) < document.revision}
    deleted = logged_revisions(records, session.team, session.index, list(lacking))
    return [id_ for id_, revision in lacking.items() if deleted[id_] < revision]


def _verification_failed(session: RebuildSession, documents: int) -> Unavailable:
    return Unavailable(
        f"The rebuilt {session.index} differs from the index that serves, in {documents} documents",
        action="Look at the engine's health and start the rebuild again; the index serves as before",
        details={"documents": documents},
    )
