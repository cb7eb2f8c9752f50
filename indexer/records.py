"""Typed records: dataclasses in the engine's record store, changed by compare-and-set."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from pydantic import TypeAdapter

from indexer.engines.record_port import Change, Record, Records
from indexer.type_adapters import adapter_of

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Stored(Generic[Value]):
    """A value with its key and the revision at which it was read."""

    key: str
    value: Value
    revision: str


class Store(Generic[Value]):
    """All records of one kind. Blocking."""

    def __init__(self, records: Records, kind: str, type_: type[Value]) -> None:
        self._records = records
        self._kind = kind
        self._adapter: TypeAdapter[Value] = adapter_of(cast("Hashable", type_))

    def get(self, key: str) -> Stored[Value] | None:
        record = self._records.get(self._kind, key)
        return None if record is None else self._stored(record)

    def get_many(self, keys: Sequence[str]) -> Sequence[Stored[Value] | None]:
        """Return records in the order of the keys, in one round trip for many."""
        records = self._records.get_many(self._kind, keys)
        return [None if record is None else self._stored(record) for record in records]

    def list(self, prefix: str = "") -> list[Stored[Value]]:
        """Return all records with this prefix, by key. The list may lag: use `get` before a decision."""
        return [self._stored(record) for record in self._records.list(self._kind, prefix)]

    def create(self, key: str, value: Value) -> bool:
        """Create a record; False if it exists already."""
        return self._put(key, value, None) is not None

    def put(self, key: str, value: Value) -> Stored[Value]:
        """Create a record, or replace it at any revision."""
        return self.put_many([key], lambda _key, _stored: value)[key]

    def replace(self, stored: Stored[Value], value: Value) -> Stored[Value] | None:
        """Replace the value if the record is unchanged since it was read; None if it changed."""
        return self._put(stored.key, value, stored.revision)

    def change(self, key: str, update: Callable[[Value], Value | None]) -> Stored[Value] | None:
        """Update a record, and retry on a conflict; None if the record does not exist or `update` returns None."""
        return self.put_many([key], lambda _key, stored: None if stored is None else update(stored)).get(key)

    def put_many(
        self, keys: Iterable[str], update: Callable[[str, Value | None], Value | None]
    ) -> dict[str, Stored[Value]]:
        """Create or update several records, in two round trips for many; return those that were written.

        `update` takes a key and the stored value, None if there is none; it returns None to leave the record as it is.
        A record that somebody else changes meanwhile is read and updated again.
        """
        saved: dict[str, Stored[Value]] = {}
        pending = dict.fromkeys(keys)
        while pending:
            updates = [
                (key, stored, value)
                for key, stored in zip(pending, self.get_many([*pending]), strict=True)
                if (value := update(key, stored.value if stored else None)) is not None
            ]
            changes = [
                Change(key, self._dump(value), stored.revision if stored else None) for key, stored, value in updates
            ]
            records = self._records.put_many(self._kind, changes) if changes else []
            for (key, _, value), record in zip(updates, records, strict=True):
                if record is not None:
                    saved[key] = Stored(key, value, record.revision)
            pending = dict.fromkeys(key for key, _, _ in updates if key not in saved)
        return saved

    def remove(self, stored: Stored[Value]) -> bool:
        """Remove a record if it is unchanged since it was read; False if it changed or is gone."""
        return self._records.delete_if(self._kind, stored.key, stored.revision)

    def remove_many(self, stored: Sequence[Stored[Value]]) -> int:
        """Remove the records that are unchanged since they were read; return how many were removed."""
        return self._records.delete_many(self._kind, [Record(one.key, {}, one.revision) for one in stored])

    def drop(self, key: str) -> None:
        """Remove a record at any revision."""
        while (stored := self._records.get(self._kind, key)) is not None:
            if self._records.delete_if(self._kind, key, stored.revision):
                return

    def _put(self, key: str, value: Value, revision: str | None) -> Stored[Value] | None:
        record = self._records.put_if(self._kind, key, self._dump(value), revision)
        return None if record is None else Stored(key, value, record.revision)

    def _dump(self, value: Value) -> dict[str, Any]:
        dumped: dict[str, Any] = self._adapter.dump_python(value, mode="json")
        return dumped

    def _stored(self, record: Record) -> Stored[Value]:
        return Stored(record.key, self._adapter.validate_python(record.value), record.revision)
