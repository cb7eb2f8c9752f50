"""Whether a shadow holds what the old index holds, while others write to both.

Frozen views of both are compared by digests of ids and revisions. A difference must be a change since, or one that a
dead writer left half done; the latter is finished here. Writers write to the old index before the shadow, and note a
deletion before both: so what the shadow has, the old index has too, or the log has its deletion.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from indexer.engines.port import Deletion, Document, Target
from indexer.errors import Unavailable
from indexer.index.deletion_log import logged_revision, newer_deletions
from indexer.reindex.backfill import write_to_shadow
from indexer.reindex.session import RebuildSession
from indexer.tenancy import DocumentId

_BUCKETS: Final = 4_096
_DIGEST_BYTES: Final = 16
_LOOKED_AT: Final = 20
"""Documents that are read whole at a time; each may have megabytes."""
_ROUNDS: Final = 3

Pulse = Callable[[], None]
"""Called now and then; raises when the work is to stop."""


def verify(session: RebuildSession, pulse: Pulse) -> int:
    """Return how many documents the shadow has; raise if it differs from the old index in a way nothing explains."""
    suspects = differing(session, pulse)
    for _ in range(_ROUNDS):
        suspects = [
            id_
            for start in range(0, len(suspects), _LOOKED_AT)
            for id_ in _unexplained(session, suspects[start : start + _LOOKED_AT], pulse)
        ]
    if suspects:
        raise _differs(session, len(suspects))
    session.store.engine.writer.refresh(session.shadow)
    return session.store.engine.writer.count(session.shadow)


def differing(session: RebuildSession, pulse: Pulse) -> list[DocumentId]:
    """Return the documents that frozen views of both indices do not hold in the same revision."""
    writer = session.store.engine.writer
    writer.refresh(session.old)
    writer.refresh(session.shadow)
    olds, news = _digests(session, session.old, pulse), _digests(session, session.shadow, pulse)
    buckets = {bucket for bucket in range(_BUCKETS) if olds[bucket] != news[bucket]}
    if not buckets:
        return []
    old, new = _within(session, session.old, buckets, pulse), _within(session, session.shadow, buckets, pulse)
    twice = sum(len(revisions) > 1 for revisions in new.values())
    if twice:  # no change can explain this, and reading by id would not show it
        raise _differs(session, twice)
    return sorted(id_ for id_ in {*old, *new} if old.get(id_) != new.get(id_))


def _digests(session: RebuildSession, target: Target, pulse: Pulse) -> list[int]:
    """Return one number for the ids and revisions in each bucket; a document that is there twice counts twice."""
    sums = [0] * _BUCKETS
    for document in _scanned(session, target, pulse):
        said = f"{document.revision} {document.id}".encode()
        sums[_bucket(document.id)] += int.from_bytes(hashlib.blake2b(said, digest_size=_DIGEST_BYTES).digest())
    return sums


def _within(session: RebuildSession, target: Target, buckets: set[int], pulse: Pulse) -> dict[DocumentId, list[int]]:
    found: dict[DocumentId, list[int]] = {}
    for document in _scanned(session, target, pulse):
        if _bucket(document.id) in buckets:
            found.setdefault(document.id, []).append(document.revision)
    return found


def _scanned(session: RebuildSession, target: Target, pulse: Pulse) -> Iterator[Document]:
    for batch in session.store.engine.writer.scan(target, text=False):
        pulse()
        yield from batch


def _bucket(id_: DocumentId) -> int:
    return int.from_bytes(hashlib.blake2b(id_.encode(), digest_size=4).digest()) % _BUCKETS


def _unexplained(session: RebuildSession, ids: Sequence[DocumentId], pulse: Pulse) -> list[DocumentId]:
    """Look at documents as they are now; finish what was left half done, and return those that must not be."""
    pulse()
    writer, records = session.store.engine.writer, session.store.engine.records
    # In this order: what is seen in the shadow must be seen in the old index, or as deleted, afterwards.
    shadowed = _revisions(writer.get_many(session.shadow, ids, text=False))
    old = {document.id: document for document in writer.get_many(session.old, ids, text=True) if document is not None}
    deleted = {id_: logged_revision(records, session.team, session.index, id_) for id_ in ids}
    wrong: list[DocumentId] = []
    behind: list[Document] = []
    gone: list[Deletion] = []
    for id_ in ids:
        new, stored = shadowed.get(id_, 0), old[id_].revision if id_ in old else 0
        if new > max(stored, deleted[id_]):
            wrong.append(id_)
        elif stored > max(new, deleted[id_]):
            behind.append(old[id_])
        elif new and deleted[id_] >= new:
            gone.append(Deletion(id_, deleted[id_]))
    return wrong + _finished(session, behind, gone)


def _finished(session: RebuildSession, behind: Sequence[Document], gone: Sequence[Deletion]) -> list[DocumentId]:
    """Bring the shadow up to the old index in these; return those that it has not taken."""
    writer, records = session.store.engine.writer, session.store.engine.records
    if behind:
        write_to_shadow(session, behind)
    # As every writer does: a deletion that came meanwhile wins.
    since = newer_deletions(records, session.team, session.index, behind)
    deletions = [*gone, *since.values()]
    if deletions:
        writer.delete(session.shadow, deletions)
    taken = _revisions(writer.get_many(session.shadow, [document.id for document in behind], text=False))
    return [document.id for document in behind if not _taken(session, document, taken)]


def _taken(session: RebuildSession, document: Document, taken: Mapping[DocumentId, int]) -> bool:
    if taken.get(document.id, 0) >= document.revision:
        return True
    return logged_revision(session.store.engine.records, session.team, session.index, document.id) >= document.revision


def _revisions(documents: Sequence[Document | None]) -> dict[DocumentId, int]:
    return {document.id: document.revision for document in documents if document is not None}


def _differs(session: RebuildSession, documents: int) -> Unavailable:
    return Unavailable(
        f"The rebuilt {session.index} differs from the index that serves, in {documents} documents",
        action="Look at the engine's health and start the rebuild again; the index serves as before",
        details={"documents": documents},
    )
