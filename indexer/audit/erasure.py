"""Erases a subject from the trail: a pseudonym takes its place, and its clients and addresses are removed."""

import secrets
from typing import Final

from indexer.audit.entry import erased
from indexer.audit.signing import audit_keys
from indexer.engines.audit_port import AuditLog, LogFilter

_PAGE: Final = 1_000
_PSEUDONYM_BYTES: Final = 6


def new_pseudonym() -> str:
    """Return a random name: it keeps what one subject did together, and leads to nobody."""
    return f"erased:{secrets.token_hex(_PSEUDONYM_BYTES)}"


def erase_from_audit(log: AuditLog, keys: tuple[bytes, ...], subject: str, pseudonym: str, team: str | None) -> int:
    """Erase a subject, of one team or of all; `keys` are the service's secret keys. Returns the number of entries."""
    key = audit_keys(keys)[0]
    wanted = LogFilter(team=team, subject=subject)
    count = 0
    while page := log.find(wanted, after=None, limit=_PAGE, newest_first=False):
        log.replace([erased(entry, pseudonym, key) for entry in page])
        count += len(page)
    return count
