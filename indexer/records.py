"""Typed records: dataclasses in the engine's record store, changed by compare-and-set."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import TypeAdapter

from indexer.engines.record_port import Record, Records

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
        self._adapter = TypeAdapter(type_)

    def get(self, key: str) -> Stored[Value] | None:
        record = self._records.get(self._kind, key)
        return None if record is None else self._stored(record)

    def list(self, prefix: str = "") -> list[Stored[Value]]:
        """Return all records with this prefix, by key. The list may lag: use `get` before a decision."""
        return [self._stored(record) for record in self._records.list(self._kind, prefix)]

    def create(self, key: str, value: Value) -> bool:
        """Create a record; False if it exists already."""
        return self._put(key, value, None) is not None

    def put(self, key: str, value: Value) -> Stored[Value]:
        """Create a record, or replace it at any revision."""
        stored = self._put(key, value, None)
        while stored is None:
            found = self._records.get(self._kind, key)
            stored = self._put(key, value, None if found is None else found.revision)
        return stored

    def replace(self, stored: Stored[Value], value: Value) -> Stored[Value] | None:
        """Replace the value if the record is unchanged since it was read; None if it changed."""
        return self._put(stored.key, value, stored.revision)

    def change(self, key: str, update: Callable[[Value], Value | None]) -> Stored[Value] | None:
        """Update a record, and retry on a conflict; None if the record does not exist or `update` returns None."""
        while (stored := self.get(key)) is not None:
            updated = update(stored.value)
            if updated is None:
                return None
            saved = self.replace(stored, updated)
            if saved is not None:
                return saved
        return None

    def remove(self, stored: Stored[Value]) -> bool:
        """Remove a record if it is unchanged since it was read; False if it changed or is gone."""
        return self._records.delete_if(self._kind, stored.key, stored.revision)

    def drop(self, key: str) -> None:
        """Remove a record at any revision."""
        while (stored := self._records.get(self._kind, key)) is not None:
            if self._records.delete_if(self._kind, key, stored.revision):
                return

    def _put(self, key: str, value: Value, revision: str | None) -> Stored[Value] | None:
        record = self._records.put_if(self._kind, key, self._adapter.dump_python(value, mode="json"), revision)
        return None if record is None else Stored(key, value, record.revision)

    def _stored(self, record: Record) -> Stored[Value]:
        return Stored(record.key, self._adapter.validate_python(record.value), record.revision)
