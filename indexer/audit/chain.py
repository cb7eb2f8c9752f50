"""The chain that this process writes. Not safe for threads: the writer of the trail alone uses it."""

import os
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Final

from indexer.audit.entry import first_hash, month_of, seal
from indexer.audit.heads import Head, Heads
from indexer.audit.record import AuditRecord
from indexer.engines.audit_port import AuditLog, LogEntry
from indexer.records import Stored

_ID_BYTES: Final = 8
_SALT_BYTES: Final = 16


class Chain:
    """Seals records into entries, stores them, and signs how far it has come."""

    def __init__(self, log: AuditLog, heads: Heads, key: bytes, now: Callable[[], float] = time.time) -> None:
        self.id = secrets.token_hex(_ID_BYTES)
        self._log = log
        self._heads = heads
        self._key = key
        self._now = now
        self._month = ""
        self._number = 0
        self._hash = first_hash(self.id)
        self._unstored: list[LogEntry] = []
        self._head: Stored[Head] | None = None

    @property
    def unstored(self) -> int:
        """How many entries are sealed and not yet stored."""
        return len(self._unstored)

    @property
    def is_signed(self) -> bool:
        """Whether the stored head covers all stored entries."""
        signed = 0 if self._head is None else self._head.value.number
        return signed == self._number - len(self._unstored)

    def add(self, records: Sequence[AuditRecord]) -> None:
        """Seal records. From then on their order is fixed, since a failed attempt to store them may have succeeded."""
        # A clock that is set back must not bring an earlier month into the chain.
        self._month = max(self._month, month_of(self._now()))
        salts = os.urandom(_SALT_BYTES * len(records)).hex()
        for at, record in enumerate(records):
            self._number += 1
            salt = salts[2 * _SALT_BYTES * at : 2 * _SALT_BYTES * (at + 1)]
            entry = seal(
                record,
                chain=self.id,
                number=self._number,
                month=self._month,
                previous=self._hash,
                key=self._key,
                salt=salt,
            )
            self._hash = entry.body["hash"]
            self._unstored.append(entry)

    def store(self) -> int:
        """Store what is sealed, and return how many entries that were; after a failure they are stored next time."""
        if not self._unstored:
            return 0
        if self._head is None:
            self._head = self._heads.begin(self.id, self._month)
        self._log.append(self._unstored)
        stored, self._unstored = len(self._unstored), []
        return stored

    def sign(self) -> None:
        """Store a signed head over all stored entries."""
        if self._head is not None and not self.is_signed and not self._unstored:
            self._head = self._heads.advance(self._head, self._number, self._hash, self._month)
