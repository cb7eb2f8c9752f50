"""Verifies the trail: finds entries that were changed, removed, added, reordered or moved between chains.

What nobody can find with the store alone: that the newest entries were removed together with the newest heads, by
someone who had kept older signed heads. Copies of the heads on another machine show that.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from indexer.audit.entry import first_hash, is_intact
from indexer.audit.heads import Head, Heads, Start
from indexer.audit.signing import audit_keys
from indexer.engines.audit_port import AuditLog, LogEntry
from indexer.engines.record_port import Records

_PAGE: Final = 1_000
_WRONG_SIGNATURE: Final = (
    "has a wrong signature: it was changed, or made with a key that is not in TRAWL_SECRET_KEY or TRAWL_SECRET_KEY_OLD"
)


@dataclass(frozen=True, slots=True)
class Damage:
    """The first thing that is wrong with a chain."""

    chain: str
    number: int
    """The number of the entry concerned; 0 for the chain as a whole."""
    problem: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found: nothing is wrong if there is no damage."""

    chains: int
    entries: int
    erased: int
    """Entries whose names were erased, with a valid signature."""
    damage: tuple[Damage, ...]


@dataclass(slots=True)
class ChainWalk:
    """How far a chain is intact."""

    number: int
    """The number of the last intact entry."""
    hash: str
    entries: int = 0
    erased: int = 0
    damage: Damage | None = field(default=None)


def verify(log: AuditLog, records: Records, secret_keys: tuple[bytes, ...]) -> Verification:
    """Check all chains, which may grow meanwhile. Takes the service's secret keys, old ones too. Blocking."""
    keys = audit_keys(secret_keys)
    heads = Heads(records, keys)
    # The heads are read before the entries that they cover.
    newest, known, starts = heads.newest(), heads.all(), heads.starts()
    damage = _unknown_chains(log, heads, known)
    if newest is not None and not newest.is_signed(keys):
        damage.append(Damage(newest.chain, 0, f"the record of the newest chain {_WRONG_SIGNATURE}"))
    elif newest is not None and newest.chain not in known:
        damage.append(Damage(newest.chain, 0, "the chain and its head were removed"))
    entries = erased = 0
    for head in known.values():
        walk = _verify_chain(log, heads, head, starts.get(head.chain), keys)
        entries += walk.entries
        erased += walk.erased
        found = walk.damage or (None if head.chain in starts else _missing_earlier(head, known))
        if found is not None:
            damage.append(found)
    return Verification(len(known), entries, erased, tuple(damage))


def walk_chain(
    log: AuditLog, head: Head, start: Start | None, keys: tuple[bytes, ...], *, before_month: str | None = None
) -> ChainWalk:
    """Follow a chain from its start to its end, or to the first entry of a month, or to the first damage."""
    chain = head.chain
    walk = ChainWalk(0, first_hash(chain)) if start is None else ChainWalk(start.number - 1, start.hash)
    key = head.key_among(keys)
    if key is None:
        walk.damage = Damage(chain, 0, f"its head {_WRONG_SIGNATURE}")
        return walk
    if start is not None and not start.is_signed(keys):
        walk.damage = Damage(chain, 0, f"its start {_WRONG_SIGNATURE}")
        return walk
    month = ""
    for entry in _entries(log, chain, walk.number + 1):
        if before_month is not None and entry.month >= before_month:
            return walk
        if entry.number > walk.number + 1 > head.number:
            # A cluster that fails while it takes a batch may keep parts of it; no head covers them yet.
            return walk
        problem = _problem(entry, walk, month, key, keys)
        if problem is None and entry.number == head.number and entry.body["hash"] != head.hash:
            problem = "it is not the entry that the signed head names"
        if problem is not None:
            walk.damage = Damage(chain, walk.number + 1, problem)
            return walk
        month = entry.month
        walk.number, walk.hash = entry.number, entry.body["hash"]
        walk.entries += 1
        walk.erased += bool(entry.body["erased"])
    if walk.number < head.number and before_month is None:
        walk.damage = Damage(
            chain, walk.number + 1, f"the end was removed: the signed head says that there are {head.number} entries"
        )
    return walk


def _verify_chain(log: AuditLog, heads: Heads, head: Head, start: Start | None, keys: tuple[bytes, ...]) -> ChainWalk:
    while True:
        walk = walk_chain(log, head, start, keys)
        # The retention may have removed the beginning of the chain meanwhile.
        if walk.damage is None or (latest := heads.start_of(head.chain)) == start:
            return walk
        start = latest


def _entries(log: AuditLog, chain: str, first: int) -> Iterator[LogEntry]:
    while page := log.read_chain(chain, first=first, limit=_PAGE):
        yield from page
        first = page[-1].number + 1


def _problem(entry: LogEntry, walk: ChainWalk, month: str, key: bytes, keys: tuple[bytes, ...]) -> str | None:
    if entry.number != walk.number + 1:
        return f"removed: the next entry has the number {entry.number}"
    if entry.body.get("previous") != walk.hash or entry.month < month or not is_intact(entry, key, keys):
        return "changed, or moved from elsewhere"
    return None


def _unknown_chains(log: AuditLog, heads: Heads, known: dict[str, Head]) -> list[Damage]:
    # A chain that began meanwhile has a head by now.
    unknown = [chain for chain in log.chains() if chain not in known and heads.get(chain) is None]
    return [Damage(chain, 0, "it has no head: that was removed, or its entries were added") for chain in unknown]


def _missing_earlier(head: Head, known: dict[str, Head]) -> Damage | None:
    """Check the chain that a head names. The retention keeps its head as long as the chain that names it is whole."""
    earlier = head.earlier_chain
    if earlier is None:
        return None
    if earlier not in known:
        return Damage(earlier, 0, "the chain and its head were removed")
    if known[earlier].number < head.earlier_number:
        return Damage(earlier, known[earlier].number + 1, "the end was removed, and an older head put in place")
    return None
