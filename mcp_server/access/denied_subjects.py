"""Subjects of an issuer that are refused although their tokens are valid, until the last of these has expired."""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from indexer.engines.record_port import Records
from indexer.records import Store
from indexer.schema.dates import format_utc, utc_now

_KIND: Final = "denied_subjects"


@dataclass(frozen=True, slots=True)
class DeniedSubject:
    """A subject that is refused; an issuer's tokens cannot be revoked, so it lasts until they have expired."""

    issuer: str
    subject: str
    denied_at: str
    denied_by: str
    until: str

    def is_over(self, now: float) -> bool:
        return datetime.fromisoformat(self.until).timestamp() <= now


class DeniedSubjects:
    """The deny list of all issuers. Blocking."""

    def __init__(self, records: Records, now: Callable[[], float] = time.time) -> None:
        self._store = Store(records, _KIND, DeniedSubject)
        self._now = now

    def deny(self, issuer: str, subject: str, *, seconds: float, denied_by: str) -> DeniedSubject:
        """Refuse a subject from now on; `seconds` is at least as long as a token of this issuer lives."""
        until = format_utc(datetime.fromtimestamp(self._now() + seconds, UTC), "seconds")
        denied = DeniedSubject(issuer, subject, utc_now(), denied_by, until)
        self._store.put(subject_key(issuer, subject), denied)
        return denied

    def allow(self, issuer: str, subject: str) -> None:
        """Accept a subject's tokens again."""
        self._store.drop(subject_key(issuer, subject))

    def is_denied(self, key: str) -> bool:
        """Say whether the subject with this key is refused now."""
        stored = self._store.get(key)
        return stored is not None and not stored.value.is_over(self._now())

    def all(self) -> list[DeniedSubject]:
        """Return those that are refused now, by the time at which they were denied; removes those that are over."""
        now = self._now()
        listed = self._store.list()
        for stored in listed:
            if stored.value.is_over(now):
                self._store.remove(stored)
        in_force = [stored.value for stored in listed if not stored.value.is_over(now)]
        return sorted(in_force, key=lambda each: (each.denied_at, each.issuer, each.subject))


def subject_key(issuer: str, subject: str) -> str:
    """Return what identifies a subject among those of all issuers, and shows nothing of it."""
    return hashlib.sha256(f"{issuer}\n{subject}".encode()).hexdigest()
