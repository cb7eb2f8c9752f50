"""Entries of a chain: each holds the hash of the entry before it, and a keyed hash of that and of its own content.

Subject, client and address are hashed apart, with random salt. So they can be erased without breaking the chain, and
what stays of them is not even a guess. An erasure is signed, since anybody could hide a name behind a false one.
"""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import orjson

from indexer.audit.record import AuditRecord
from indexer.audit.signing import sign, signing_key
from indexer.engines.audit_port import LogEntry
from indexer.errors import printable

_BEGUN: Final = "0"
_ENDED: Final = "1"
_MAX_OBJECT: Final = 600
_MAX_NAME: Final = 255


def first_hash(chain: str) -> str:
    """Return what the first entry of a chain holds as the hash of the one before it."""
    return hashlib.sha256(f"trawl audit chain {chain}".encode()).hexdigest()


def month_of(seconds: float) -> str:
    """Return the month of a time, like `2026.07`."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y.%m}"


def seal(record: AuditRecord, *, chain: str, number: int, month: str, previous: str, key: bytes, salt: str) -> LogEntry:
    """Make the next entry of a chain."""
    stage = _ENDED if record.has_ended else _BEGUN
    identity = (_clean(record.subject), _clean(record.client), _clean(record.address))
    body = {
        "previous": previous,
        "hash": "",
        "object": _clean(record.object, _MAX_OBJECT),
        "duration_ms": round(record.seconds * 1_000),
        "bytes": record.bytes,
        "identity": _identity_hash(salt, *identity),
        "salt": salt,
        "client": identity[1],
        "address": identity[2],
        "erased": "",
    }
    position = f"{position_at(int(record.at * 1_000))}.{chain}.{record.call:010d}.{stage}"
    team, operation = record.team, record.operation
    entry = LogEntry(chain, number, month, position, team, identity[0], operation, record.outcome, body)
    body["hash"] = _entry_hash(entry, key)
    return entry


def is_intact(entry: LogEntry, key: bytes, keys: Sequence[bytes]) -> bool:
    """Say whether an entry is as its process wrote it, but for names that were erased with one of the keys."""
    body = entry.body
    try:
        return hmac.compare_digest(_entry_hash(entry, key), body["hash"]) and _is_identity_intact(entry, keys)
    except (KeyError, TypeError):
        return False


def erased(entry: LogEntry, pseudonym: str, key: bytes) -> LogEntry:
    """Return an entry without the names that lead to a person."""
    proof = sign(key, "erased", entry.chain, entry.number, entry.body["hash"], pseudonym)
    body = {**entry.body, "salt": "", "client": "", "address": "", "erased": proof}
    return entry._replace(subject=pseudonym, body=body)


def position_at(milliseconds: int) -> str:
    """Return the beginning of the positions of entries at this time, by which they are ordered."""
    return f"{milliseconds:013d}"


def time_of(entry: LogEntry) -> datetime:
    """Return when the call began."""
    return datetime.fromtimestamp(int(entry.position.partition(".")[0]) / 1_000, UTC)


def call_of(position: str) -> str:
    """Return what the entries of one call have in common: its beginning, if it has one, and its end."""
    return position.rpartition(".")[0]


def _is_identity_intact(entry: LogEntry, keys: Sequence[bytes]) -> bool:
    body: Mapping[str, Any] = entry.body
    if body["erased"]:
        signed = ("erased", entry.chain, entry.number, body["hash"], entry.subject)
        return not body["client"] + body["address"] and signing_key(keys, body["erased"], *signed) is not None
    identity = _identity_hash(body["salt"], entry.subject, body["client"], body["address"])
    return hmac.compare_digest(identity, body["identity"])


def _identity_hash(*values: str) -> str:
    return hashlib.sha256(orjson.dumps(values)).hexdigest()


def _entry_hash(entry: LogEntry, key: bytes) -> str:
    body = entry.body
    return sign(
        key,
        body["previous"],
        entry.chain,
        entry.number,
        entry.month,
        entry.position,
        entry.team,
        entry.operation,
        entry.outcome,
        body["object"],
        body["duration_ms"],
        body["bytes"],
        body["identity"],
    )


def _clean(text: str, limit: int = _MAX_NAME) -> str:
    return text if len(text) <= limit and text.isprintable() else printable(text, limit)
