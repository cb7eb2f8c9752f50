"""Opens the embedded engine."""

from pathlib import Path

from indexer.data_folder import AUDIT_FILE, RECORDS_FILE
from indexer.engines.port import Engine
from indexer.engines.tantivy.audit_log import SqliteAuditLog
from indexer.engines.tantivy.folder import Folder
from indexer.engines.tantivy.memory import limit_malloc_arenas
from indexer.engines.tantivy.reader import TantivyReader
from indexer.engines.tantivy.records import SqliteRecords
from indexer.engines.tantivy.writer import TantivyWriter
from indexer.file_lock import REQUEST_PATIENCE


def open_engine(folder: Path, *, search_timeout: float, patience: float = REQUEST_PATIENCE) -> Engine:
    """Return the engine on this data folder. Nothing is read or created there before the first use.

    `patience`: how many seconds a write waits for others.
    """
    limit_malloc_arenas()
    indices = Folder(folder, patience=patience)
    return Engine(
        name="tantivy",
        reader=TantivyReader(indices, search_timeout=search_timeout),
        writer=TantivyWriter(indices),
        records=SqliteRecords(folder / RECORDS_FILE, patience=patience),
        audit=SqliteAuditLog(folder / AUDIT_FILE, patience=patience),
    )
