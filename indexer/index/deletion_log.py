"""The deletion log: it keeps a late retry of an old write from bringing a deleted document back.

Each deleted document has a record with the revision of its deletion. Each index has a high-water mark: the newest of
these revisions. A writer whose documents are all newer than the mark needs only one lookup. The order is always:
document records, then the mark, then the deletion itself.
"""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from indexer.engines.port import Deletion, Document
from indexer.engines.record_port import Records
from indexer.records import Store
from indexer.tenancy import DocumentId, IndexName, TeamId

_KIND: Final = "deletions"


@dataclass(frozen=True, slots=True)
class _Logged:
    """The last deletion of a document, or the mark of an index, which has no document ID."""

    revision: int
    at: float
    """Seconds since 1970."""
    id: DocumentId | None = None


def log_deletions(records: Records, team: TeamId, index: IndexName, deletions: Sequence[Deletion]) -> None:
    """Log deletions before they are applied; the log keeps the highest revision of each document."""
    if not deletions:
        return
    now, newest = time.time(), _newest(deletions)
    logged = {_document_key(team, index, id_): _Logged(revision, now, id_) for id_, revision in newest.items()}
    _advance_revisions(records, logged)
    _advance_revisions(records, {_mark_key(team, index): _Logged(max(newest.values()), now)})


def logged_revisions(
    records: Records, team: TeamId, index: IndexName, ids: Sequence[DocumentId]
) -> dict[DocumentId, int]:
    """Return the revision of each document's last deletion, 0 if there was none."""
    distinct = list(dict.fromkeys(ids))
    found = _log(records).get_many([_document_key(team, index, id_) for id_ in distinct]) if distinct else []
    return {id_: stored.value.revision if stored else 0 for id_, stored in zip(distinct, found, strict=True)}


def newer_deletions(
    records: Records, team: TeamId, index: IndexName, documents: Sequence[Document]
) -> dict[DocumentId, Deletion]:
    """Return the deletions that are newer than these documents. Call it after the documents were written."""
    stored = _log(records).get(_mark_key(team, index))
    mark = stored.value.revision if stored else 0
    below_mark = {document.id: document.revision for document in documents if document.revision < mark}
    logged = logged_revisions(records, team, index, list(below_mark))
    return {id_: Deletion(id_, revision) for id_, revision in logged.items() if revision > below_mark[id_]}


def logged_deletions(records: Records, team: TeamId, index: IndexName) -> list[Deletion]:
    """Return all logged deletions of an index; a re-index replays them onto the shadow."""
    logged = [stored.value for stored in _log(records).list(f"{_mark_key(team, index)}/")]
    return [Deletion(each.id, each.revision) for each in logged if each.id is not None]


def expire_deletions(records: Records, older_than: float) -> int:
    """Remove records that are older than this many seconds; return how many were removed."""
    log, oldest = _log(records), time.time() - older_than
    return log.remove_many([stored for stored in log.list() if stored.value.at < oldest])


def forget_deletions(records: Records, team: TeamId) -> int:
    """Remove the whole log of a team, whose indices are gone; return how many deletions it held."""
    log = _log(records)
    found = log.list(f"{team}/")
    log.remove_many(found)
    return sum(stored.value.id is not None for stored in found)


def _log(records: Records) -> Store[_Logged]:
    return Store(records, _KIND, _Logged)


def _advance_revisions(records: Records, logged: dict[str, _Logged]) -> None:
    """Raise records to these revisions; a higher revision stays."""

    def advance(key: str, stored: _Logged | None) -> _Logged | None:
        return logged[key] if stored is None or stored.revision < logged[key].revision else None

    _log(records).put_many(logged, advance)


def _newest(deletions: Sequence[Deletion]) -> dict[DocumentId, int]:
    newest: dict[DocumentId, int] = {}
    for deletion in deletions:
        newest[deletion.id] = max(deletion.revision, newest.get(deletion.id, 0))
    return newest


def _mark_key(team: TeamId, index: IndexName) -> str:
    return f"{team}/{index}"


def _document_key(team: TeamId, index: IndexName, id_: DocumentId) -> str:
    # The ID is hashed because it may be as long as an engine's limit for keys.
    return f"{_mark_key(team, index)}/{hashlib.sha256(id_.encode()).hexdigest()}"
