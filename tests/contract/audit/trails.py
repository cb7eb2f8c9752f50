"""Writes audit trails as processes do, tampers with them as somebody with the store would, and verifies them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from indexer.audit.chain import Chain
from indexer.audit.heads import Heads
from indexer.audit.reading import AuditEntry, read_all
from indexer.audit.record import AuditRecord
from indexer.audit.signing import audit_keys
from indexer.audit.verify import Verification, verify
from indexer.engines.audit_port import AuditLog, LogEntry, LogFilter
from indexer.engines.record_port import Records

KEY = b"the key of the service"
EVERYTHING = LogFilter()
CALLS = count(1)


def record(**fields: Any) -> AuditRecord:
    """Return a record of a call by ada."""
    usual = AuditRecord(
        next(CALLS), 1_000_000_000.0, "red", "ada", "curl/8", "192.0.2.7", "search_index", "notes/1", "ok", 0.0121, 3
    )
    return replace(usual, **fields)


@dataclass(frozen=True, slots=True)
class Kept:
    """What is stored: the entries, and apart from them the signed heads."""

    log: AuditLog
    records: Records

    def chain(self, *, key: bytes = KEY, now: Callable[[], float] | None = None) -> Chain:
        """Return the chain of a new process."""
        keys = audit_keys([key])
        return Chain(self.log, Heads(self.records, keys), keys[0], **({} if now is None else {"now": now}))

    def written(self, number: int, **options: Any) -> Chain:
        """Write so many records, sign them, and end as a process does that is stopped."""
        chain = self.chain(**options)
        write(chain, number)
        chain.sign()
        return chain

    def verify(self, *keys: bytes) -> Verification:
        return verify(self.log, self.records, keys or (KEY,))

    def damage(self) -> list[str]:
        """Return what is wrong, each as the chain, the number and the problem."""
        return [f"{each.chain} {each.number} {each.problem}" for each in self.verify().damage]

    def entries(self, chain: Chain) -> list[LogEntry]:
        return self.log.read_chain(chain.id, first=1, limit=1_000)

    def shown(self, wanted: LogFilter = EVERYTHING) -> list[AuditEntry]:
        return list(read_all(self.log, wanted))

    def overwrite(self, *entries: LogEntry) -> None:
        """Put entries in place of others, with all fields, as somebody with the store can."""
        self.remove(*entries)
        self.log.append(entries)

    def remove(self, *entries: LogEntry) -> None:
        """Remove entries, as somebody with the store can."""
        where = [(entry.chain, entry.number) for entry in entries]
        if hasattr(self.log, "_transaction"):
            with self.log._transaction() as connection:
                connection.executemany("DELETE FROM entries WHERE chain = ? AND number = ?", where)
            return
        client: Any = self.log._client  # type: ignore[attr-defined] # the client of OpenSearch
        client.indices.refresh(index=self.log._pattern)  # type: ignore[attr-defined] # its own indices
        should = [{"term": {"_id": f"{chain}.{number}"}} for chain, number in where]
        client.delete_by_query(index=self.log._pattern, body={"query": {"bool": {"should": should}}}, refresh=True)  # type: ignore[attr-defined] # as above

    def put_record(self, kind: str, key: str, value: dict[str, Any] | None) -> None:
        """Overwrite or remove a record of the store, like a head."""
        present = self.records.get(kind, key)
        assert present is not None
        if value is None:
            assert self.records.delete_if(kind, key, present.revision)
        else:
            assert self.records.put_if(kind, key, value, present.revision)


def write(chain: Chain, number: int) -> None:
    """Store so many records; the head is not signed anew."""
    chain.add([record(object=f"notes/{each}") for each in range(number)])
    chain.store()
