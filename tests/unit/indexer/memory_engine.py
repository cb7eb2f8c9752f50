"""Records and a writer in memory: for races that a real engine cannot be made to lose at a given moment."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from indexer.bootstrap import REMAP
from indexer.cursors import Cursors
from indexer.engines.audit_port import AuditLog
from indexer.engines.port import Deleted, Deletion, Document, Engine, Reader, Target, Written
from indexer.engines.record_port import Change, Record
from indexer.errors import MissingIndex
from indexer.index.known_fields import KnownFields
from indexer.index.registry import Registry
from indexer.index.revisions import RevisionClock
from indexer.library import Library
from indexer.open_views import OpenViews
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import DocumentId, PhysicalName

LOCAL = IndexDefinition("local", 1)
ARCHIVE = IndexDefinition("archive", 1)
Hook = Callable[[Target], None]


class MemoryRecords:
    """Compare-and-set over a dict."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], Record] = {}
        self.reads = 0
        self._revision = 0

    def get(self, kind: str, key: str) -> Record | None:
        self.reads += 1
        return self.kept.get((kind, key))

    def get_many(self, kind: str, keys: Sequence[str]) -> list[Record | None]:
        self.reads += 1
        return [self.kept.get((kind, key)) for key in keys]

    def put_if(self, kind: str, key: str, value: Mapping[str, Any], revision: str | None) -> Record | None:
        present = self.kept.get((kind, key))
        if (present.revision if present else None) != revision:
            return None
        self._revision += 1
        record = Record(key, dict(value), str(self._revision))
        self.kept[(kind, key)] = record
        return record

    def put_many(self, kind: str, changes: Sequence[Change]) -> list[Record | None]:
        return [self.put_if(kind, change.key, change.value, change.revision) for change in changes]

    def delete_if(self, kind: str, key: str, revision: str) -> bool:
        present = self.kept.get((kind, key))
        if present is None or present.revision != revision:
            return False
        del self.kept[(kind, key)]
        return True

    def delete_many(self, kind: str, records: Sequence[Record]) -> int:
        return sum(self.delete_if(kind, record.key, record.revision) for record in records)

    def list(self, kind: str, prefix: str = "") -> list[Record]:
        return [record for (of, key), record in sorted(self.kept.items()) if of == kind and key.startswith(prefix)]

    def check_writable(self) -> None: ...

    def close(self) -> None:
        self.kept.clear()


class MemoryWriter:
    """Physical indices as dicts; `before` and `after` let a test step in between at a write."""

    def __init__(self) -> None:
        self.indices: dict[PhysicalName, dict[DocumentId, Document]] = {}
        self.aliases: dict[str, PhysicalName] = {}
        self.refreshed: list[PhysicalName] = []
        self.before: Hook = lambda _target: None
        self.after: Hook = lambda _target: None

    def create(self, target: Target, alias: str) -> None:
        self.indices.setdefault(target.physical, {})
        self.aliases.setdefault(alias, target.physical)

    def drop(self, physical: PhysicalName) -> None:
        self.indices.pop(physical, None)
        self.aliases = {alias: name for alias, name in self.aliases.items() if name != physical}

    def publish(self, alias: str, physical: PhysicalName) -> None:
        self.aliases[alias] = physical

    def physical_names(self, prefix: str) -> list[PhysicalName]:
        return [name for name in self.indices if name.startswith(prefix)]

    def write(self, target: Target, documents: Sequence[Document]) -> list[Written]:
        self.before(target)
        index = self._index(target)
        outcomes = [self._write_one(index, document) for document in documents]
        self.after(target)
        return outcomes

    def _write_one(self, index: dict[DocumentId, Document], document: Document) -> Written:
        present = index.get(document.id)
        if present is not None and present.revision >= document.revision:
            return Written(document.id, "superseded")
        index[document.id] = document
        return Written(document.id, "updated" if present else "created")

    def delete(self, target: Target, deletions: Sequence[Deletion]) -> list[Deleted]:
        self.before(target)
        index = self._index(target)
        outcomes = []
        for deletion in deletions:
            present = index.get(deletion.id)
            if present is None:
                outcomes.append(Deleted(deletion.id, "absent"))
            elif present.revision > deletion.revision:
                outcomes.append(Deleted(deletion.id, "superseded"))
            else:
                del index[deletion.id]
                outcomes.append(Deleted(deletion.id, "deleted"))
        self.after(target)
        return outcomes

    def refresh(self, target: Target) -> None:
        self._index(target)
        self.refreshed.append(target.physical)

    def get_many(self, target: Target, ids: Sequence[DocumentId], *, text: bool) -> list[Document | None]:
        del text
        index = self._index(target)
        return [index.get(id_) for id_ in ids]

    def revisions(self, target: Target, ids: Sequence[DocumentId]) -> dict[DocumentId, int]:
        index = self._index(target)
        return {id_: index[id_].revision for id_ in ids if id_ in index}

    def count(self, target: Target) -> int:
        return len(self._index(target))

    def scan(self, target: Target, *, text: bool) -> Iterator[list[Document]]:
        del text
        yield list(self._index(target).values())

    def health(self) -> None:
        """Always well."""

    def close(self) -> None:
        self.indices.clear()

    def _index(self, target: Target) -> dict[DocumentId, Document]:
        if target.physical not in self.indices:
            raise MissingIndex
        return self.indices[target.physical]


def memory_library(*, max_indices: int = 200) -> tuple[Library, MemoryWriter, MemoryRecords]:
    """Open a library that can write; it has no reader."""
    writer, records = MemoryWriter(), MemoryRecords()
    reader = cast("Reader", None)
    library = Library(
        engine=Engine("tantivy", reader, writer, records, cast("AuditLog", None)),
        registry=Registry(records, {"local": LOCAL, "archive": ARCHIVE}, max_indices=max_indices),
        clock=RevisionClock(),
        remap=REMAP,
        cursors=Cursors(b"key"),
        known_fields=KnownFields(reader),
        open_views=OpenViews(reader),
        search_timeout=10,
        rebuild_grace=60,
    )
    return library, writer, records


def document(id_: str, revision: int, text: str = "boat") -> Document:
    return Document(DocumentId(id_), revision, text, b"{}")
