"""The log of deletions: keeps an old write, retried late, from bringing a deleted document back.

Each deleted document has a record. Each index has a mark with the newest revision among them, so that a writer whose
documents are all newer needs to ask only once. Entries are there before the mark, and both before the deletion.
"""

import hashlib
import time
from collections.abc import Sequence
from typing import Final

from indexer.engines.port import Deletion, Document, Records
from indexer.tenancy import DocumentId, IndexName, TeamId

_KIND: Final = "deletions"


def log_deletions(records: Records, team: TeamId, index: IndexName, deletions: Sequence[Deletion]) -> None:
    """Note deletions before they are done; of each document the highest revision stays."""
    for deletion in deletions:
        _advance_revision(records, _key(team, index, deletion.id), deletion.revision, {"id": deletion.id})
    if deletions:
        _advance_revision(records, _mark(team, index), max(deletion.revision for deletion in deletions), {})


def logged_revision(records: Records, team: TeamId, index: IndexName, id_: DocumentId) -> int:
    """Return the revision of a document's last deletion, 0 if there was none."""
    return _revision(records, _key(team, index, id_))


def newer_deletions(
    records: Records, team: TeamId, index: IndexName, documents: Sequence[Document]
) -> dict[DocumentId, Deletion]:
    """Return the deletions that are newer than these documents; to be asked after they were written."""
    newest = _revision(records, _mark(team, index))
    older = {document.id: document.revision for document in documents if document.revision < newest}
    found = {id_: Deletion(id_, logged_revision(records, team, index, id_)) for id_ in older}
    return {id_: deletion for id_, deletion in found.items() if deletion.revision > older[id_]}


def logged_deletions(records: Records, team: TeamId, index: IndexName) -> list[Deletion]:
    """Return all that is noted for an index; a re-index replays it onto the shadow."""
    return [
        Deletion(DocumentId(record.value["id"]), int(record.value["revision"]))
        for record in records.list(_KIND, f"{_mark(team, index)}/")
    ]


def expire_deletions(records: Records, older_than: float) -> int:
    """Forget deletions noted more than these seconds ago; return how many records that were."""
    before = time.time() - older_than
    expired = [record for record in records.list(_KIND) if record.value["at"] < before]
    return sum(records.delete_if(_KIND, record.key, record.revision) for record in expired)


def _advance_revision(records: Records, key: str, revision: int, more: dict[str, str]) -> None:
    value = {"revision": revision, "at": time.time(), **more}
    while True:
        record = records.get(_KIND, key)
        if record is not None and record.value["revision"] >= revision:
            return
        if records.put_if(_KIND, key, value, record.revision if record else None) is not None:
            return


def _revision(records: Records, key: str) -> int:
    record = records.get(_KIND, key)
    return int(record.value["revision"]) if record else 0


def _mark(team: TeamId, index: IndexName) -> str:
    return f"{team}/{index}"


def _key(team: TeamId, index: IndexName, id_: DocumentId) -> str:
    # An id may be as long as an engine's own limit for keys, hence its digest.
    return f"{_mark(team, index)}/{hashlib.sha256(id_.encode()).hexdigest()}"
