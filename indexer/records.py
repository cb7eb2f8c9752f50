"""Typed records: frozen dataclasses that are read and changed by compare-and-set."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import TypeAdapter

from indexer.engines.port import Record, Records

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Stored(Generic[Value]):
    """A value as it was read, and the revision to name when changing it."""

    key: str
    value: Value
    revision: str


class Store(Generic[Value]):
    """All records of one kind. Blocking."""

    def __init__(self, records: Records, kind: str, of: type[Value]) -> None:
        self._records = records
        self._kind = kind
        self._adapter = TypeAdapter(of)

    def get(self, key: str) -> Stored[Value] | None:
        record = self._records.get(self._kind, key)
        return None if record is None else self._stored(record)

    def list(self, prefix: str = "") -> list[Stored[Value]]:
        """Return all whose key starts so, by key; may lag, so decide by `get`."""
        return [self._stored(record) for record in self._records.list(self._kind, prefix)]

    def create(self, key: str, value: Value) -> bool:
        """Record something new; False if it was there already."""
        return self._put(key, value, None) is not None

    def replace(self, known: Stored[Value], value: Value) -> Stored[Value] | None:
        """Replace just what was read; None if somebody else was faster."""
        return self._put(known.key, value, known.revision)

    def change(self, key: str, changed: Callable[[Value], Value | None]) -> Stored[Value] | None:
        """Change a record, again from the start if somebody else was faster; None if it is gone, or to be left."""
        while (known := self.get(key)) is not None:
            wanted = changed(known.value)
            if wanted is None:
                return None
            saved = self.replace(known, wanted)
            if saved is not None:
                return saved
        return None

    def remove(self, known: Stored[Value]) -> bool:
        """Remove just what was read; False if it has changed or is gone."""
        return self._records.delete_if(self._kind, known.key, known.revision)

    def drop(self, key: str) -> None:
        """Remove a record whatever it holds."""
        while (known := self._records.get(self._kind, key)) is not None:
            if self._records.delete_if(self._kind, key, known.revision):
                return

    def _put(self, key: str, value: Value, revision: str | None) -> Stored[Value] | None:
        record = self._records.put_if(self._kind, key, self._adapter.dump_python(value, mode="json"), revision)
        return None if record is None else Stored(key, value, record.revision)

    def _stored(self, record: Record) -> Stored[Value]:
        return Stored(record.key, self._adapter.validate_python(record.value), record.revision)
