"""The deletion log: it keeps a late retry of an old write from bringing a deleted document back.

Each deleted document has a record with the revision of its deletion. Each index has a high-water mark: the newest of
these revisions. A writer whose documents are all newer than the mark needs only one lookup. The order is always:
document records, then the mark, then the deletion itself.
"""

import hashlib
import time
from collections.abc import Sequence
from typing import Final

from indexer.engines.port import Deletion, Document
from indexer.engines.record_port import Records
from indexer.tenancy import DocumentId, IndexName, TeamId

_KIND: Final = "deletions"


def log_deletions(records: Records, team: TeamId, index: IndexName, deletions: Sequence[Deletion]) -> None:
    """Log deletions before they are applied; the log keeps the highest revision of each document."""
    for deletion in deletions:
        _advance_revision(records, _document_key(team, index, deletion.id), deletion.revision, {"id": deletion.id})
    if deletions:
        _advance_revision(records, _mark_key(team, index), max(deletion.revision for deletion in deletions), {})


def logged_revision(records: Records, team: TeamId, index: IndexName, id_: DocumentId) -> int:
    """Return the revision of a document's last deletion, 0 if there was none."""
    return _read_revision(records, _document_key(team, index, id_))


def newer_deletions(
    records: Records, team: TeamId, index: IndexName, documents: Sequence[Document]
) -> dict[DocumentId, Deletion]:
    """Return the deletions that are newer than these documents. Call it after the documents were written."""
    mark = _read_revision(records, _mark_key(team, index))
    below_mark = {document.id: document.revision for document in documents if document.revision < mark}
    logged = {id_: Deletion(id_, logged_revision(records, team, index, id_)) for id_ in below_mark}
    return {id_: deletion for id_, deletion in logged.items() if deletion.revision > below_mark[id_]}


def logged_deletions(records: Records, team: TeamId, index: IndexName) -> list[Deletion]:
    """Return all logged deletions of an index; a re-index replays them onto the shadow."""
    return [
        Deletion(DocumentId(record.value["id"]), int(record.value["revision"]))
        for record in records.list(_KIND, f"{_mark_key(team, index)}/")
    ]


def expire_deletions(records: Records, older_than: float) -> int:
    """Remove records that are older than this many seconds; return how many were removed."""
    oldest = time.time() - older_than
    expired = [record for record in records.list(_KIND) if record.value["at"] < oldest]
    return sum(records.delete_if(_KIND, record.key, record.revision) for record in expired)


def forget_deletions(records: Records, team: TeamId) -> int:
    """Remove the whole log of a team, whose indices are gone; return how many deletions it held."""
    found = records.list(_KIND, f"{team}/")
    for record in found:
        records.delete_if(_KIND, record.key, record.revision)
    return sum("id" in record.value for record in found)


def _advance_revision(records: Records, key: str, revision: int, extra: dict[str, str]) -> None:
    """Raise a record to this revision by compare-and-set; a higher revision stays."""
    value = {"revision": revision, "at": time.time(), **extra}
    while True:
        record = records.get(_KIND, key)
        if record is not None and record.value["revision"] >= revision:
            return
        if records.put_if(_KIND, key, value, record.revision if record else None) is not None:
            return


def _read_revision(records: Records, key: str) -> int:
    record = records.get(_KIND, key)
    return int(record.value["revision"]) if record else 0


def _mark_key(team: TeamId, index: IndexName) -> str:
    return f"{team}/{index}"


def _document_key(team: TeamId, index: IndexName, id_: DocumentId) -> str:
    # The ID is hashed because it may be as long as an engine's limit for keys.
    return f"{_mark_key(team, index)}/{hashlib.sha256(id_.encode()).hexdigest()}"
