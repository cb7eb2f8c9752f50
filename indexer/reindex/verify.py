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
from indexer.reindex.session import Build
from indexer.tenancy import DocumentId

_BUCKETS: Final = 4_096
_DIGEST_BYTES: Final = 16
_LOOKED_AT: Final = 20
"""Documents that are read whole at a time; each may have megabytes."""
_ROUNDS: Final = 3

Pulse = Callable[[], None]
"""Called now and then; raises when the work is to stop."""


def verify(build: Build, pulse: Pulse) -> int:
    """Return how many documents the shadow has; raise if it differs from the old index in a way nothing explains."""
    suspects = differing(build, pulse)
    for _ in range(_ROUNDS):
        suspects = [
            id_
            for start in range(0, len(suspects), _LOOKED_AT)
            for id_ in _unexplained(build, suspects[start : start + _LOOKED_AT], pulse)
        ]
    if suspects:
        raise _differs(build, len(suspects))
    build.store.engine.writer.refresh(build.shadow)
    return build.store.engine.writer.count(build.shadow)


def differing(build: Build, pulse: Pulse) -> list[DocumentId]:
    """Return the documents that frozen views of both indices do not hold in the same revision."""
    writer = build.store.engine.writer
    writer.refresh(build.old)
    writer.refresh(build.shadow)
    olds, news = _digests(build, build.old, pulse), _digests(build, build.shadow, pulse)
    buckets = {bucket for bucket in range(_BUCKETS) if olds[bucket] != news[bucket]}
    if not buckets:
        return []
    old, new = _within(build, build.old, buckets, pulse), _within(build, build.shadow, buckets, pulse)
    twice = sum(len(revisions) > 1 for revisions in new.values())
    if twice:  # no change can explain this, and reading by id would not show it
        raise _differs(build, twice)
    return sorted(id_ for id_ in {*old, *new} if old.get(id_) != new.get(id_))


def _digests(build: Build, target: Target, pulse: Pulse) -> list[int]:
    """Return one number for the ids and revisions in each bucket; a document that is there twice counts twice."""
    sums = [0] * _BUCKETS
    for document in _scanned(build, target, pulse):
        said = f"{document.revision} {document.id}".encode()
        sums[_bucket(document.id)] += int.from_bytes(hashlib.blake2b(said, digest_size=_DIGEST_BYTES).digest())
    return sums


def _within(build: Build, target: Target, buckets: set[int], pulse: Pulse) -> dict[DocumentId, list[int]]:
    found: dict[DocumentId, list[int]] = {}
    for document in _scanned(build, target, pulse):
        if _bucket(document.id) in buckets:
            found.setdefault(document.id, []).append(document.revision)
    return found


def _scanned(build: Build, target: Target, pulse: Pulse) -> Iterator[Document]:
    for batch in build.store.engine.writer.scan(target, text=False):
        pulse()
        yield from batch


def _bucket(id_: DocumentId) -> int:
    return int.from_bytes(hashlib.blake2b(id_.encode(), digest_size=4).digest()) % _BUCKETS


def _unexplained(build: Build, ids: Sequence[DocumentId], pulse: Pulse) -> list[DocumentId]:
    """Look at documents as they are now; finish what was left half done, and return those that must not be."""
    pulse()
    writer, records = build.store.engine.writer, build.store.engine.records
    # In this order: what is seen in the shadow must be seen in the old index, or as deleted, afterwards.
    shadowed = _revisions(writer.get_many(build.shadow, ids, text=False))
    old = {document.id: document for document in writer.get_many(build.old, ids, text=True) if document is not None}
    deleted = {id_: logged_revision(records, build.team, build.index, id_) for id_ in ids}
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
    return wrong + _finished(build, behind, gone)


def _finished(build: Build, behind: Sequence[Document], gone: Sequence[Deletion]) -> list[DocumentId]:
    """Bring the shadow up to the old index in these; return those that it has not taken."""
    writer, records = build.store.engine.writer, build.store.engine.records
    if behind:
        write_to_shadow(build, behind)
    # As every writer does: a deletion that came meanwhile wins.
    since = newer_deletions(records, build.team, build.index, behind)
    deletions = [*gone, *since.values()]
    if deletions:
        writer.delete(build.shadow, deletions)
    taken = _revisions(writer.get_many(build.shadow, [document.id for document in behind], text=False))
    return [document.id for document in behind if not _taken(build, document, taken)]


def _taken(build: Build, document: Document, taken: Mapping[DocumentId, int]) -> bool:
    if taken.get(document.id, 0) >= document.revision:
        return True
    return logged_revision(build.store.engine.records, build.team, build.index, document.id) >= document.revision


def _revisions(documents: Sequence[Document | None]) -> dict[DocumentId, int]:
    return {document.id: document.revision for document in documents if document is not None}


def _differs(build: Build, documents: int) -> Unavailable:
    return Unavailable(
        f"The rebuilt {build.index} differs from the index that serves, in {documents} documents",
        action="Look at the engine's health and start the rebuild again; the index serves as before",
        details={"documents": documents},
    )
