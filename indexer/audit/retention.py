"""Removes old months of the trail. They are verified first, and a signed start says from where on a chain is kept."""

import logging
from datetime import UTC, datetime, timedelta

from indexer.audit.entry import month_of
from indexer.audit.heads import Head, Heads, Start
from indexer.audit.signing import audit_keys
from indexer.audit.verify import walk_chain
from indexer.engines.audit_port import AuditLog
from indexer.engines.record_port import Records

_log = logging.getLogger(__name__)


def expire_audit(log: AuditLog, records: Records, keys: tuple[bytes, ...], days: float) -> None:
    """Remove the months that ended more than so many days ago; `keys` are the service's secret keys. Blocking."""
    kept = datetime.now(UTC) - timedelta(days=days)
    month = month_of(kept.timestamp())
    if not any(each < month for each in log.months()):
        return
    derived = audit_keys(keys)
    heads = Heads(records, derived)
    known = heads.all()
    starts = {chain: _new_start(log, heads, head, derived, month) for chain, head in known.items()}
    if None in starts.values():
        _log.error("The audit trail is damaged, so no old part of it is removed: run `trawl audit verify`")
        return
    for start in starts.values():
        if start is not None and start.number > 1:
            heads.put_start(start)
    log.remove_before(month)
    _forget_removed(heads, known, starts, month)


def _new_start(log: AuditLog, heads: Heads, head: Head, keys: tuple[bytes, ...], month: str) -> Start | None:
    """Return from where on a chain is kept; None if what would be removed is damaged, since it is the evidence."""
    walk = walk_chain(log, head, heads.start_of(head.chain), keys, before_month=month)
    is_cut_short = head.month < month and walk.number < head.number
    return None if walk.damage is not None or is_cut_short else Start(head.chain, walk.number + 1, walk.hash)


def _forget_removed(heads: Heads, known: dict[str, Head], starts: dict[str, Start | None], month: str) -> None:
    """Forget chains of which nothing is left, once nothing is left either of the chain that names them."""
    removed = {
        chain
        for chain, head in known.items()
        if head.month < month and (start := starts[chain]) is not None and start.number > head.number
    }
    named = {head.earlier_chain for chain, head in known.items() if chain not in removed}
    newest = heads.newest()
    for chain in removed - named - {None if newest is None else newest.chain}:
        heads.forget(chain)
