"""Signed heads of chains, in the record store, apart from the entries.

A head says how far its chain reached, so that a removed end is found. It also names the chain that was the newest when
its own began, so that a chain which was removed as a whole is found. A start says from where on a chain is kept, after
the retention removed what was before.
"""

from dataclasses import dataclass, replace
from typing import Final

from indexer.audit.entry import first_hash
from indexer.audit.signing import sign, signing_key
from indexer.engines.record_port import Records
from indexer.records import Store, Stored

_NEWEST: Final = "newest"


@dataclass(frozen=True, slots=True)
class Head:
    """How far a chain reached: the number and the hash of its last entry; 0 if it has none."""

    chain: str
    number: int
    hash: str
    month: str
    earlier_chain: str | None
    """The chain that was the newest when this one began."""
    earlier_number: int
    """How far that one had reached."""
    signature: str = ""

    def signed(self, key: bytes) -> "Head":
        return replace(self, signature=sign(key, *self._values))

    def key_among(self, keys: tuple[bytes, ...]) -> bytes | None:
        """Return the key that signed it, which is also that of its chain's entries."""
        return signing_key(keys, self.signature, *self._values)

    @property
    def _values(self) -> tuple[str | int | None, ...]:
        return ("head", self.chain, self.number, self.hash, self.month, self.earlier_chain, self.earlier_number)


@dataclass(frozen=True, slots=True)
class Start:
    """From where on a chain is kept: the number of the first entry, and the hash of the one before it."""

    chain: str
    number: int
    hash: str
    signature: str = ""

    def signed(self, key: bytes) -> "Start":
        return replace(self, signature=sign(key, *self._values))

    def is_signed(self, keys: tuple[bytes, ...]) -> bool:
        return signing_key(keys, self.signature, *self._values) is not None

    @property
    def _values(self) -> tuple[str | int, ...]:
        return ("start", self.chain, self.number, self.hash)


@dataclass(frozen=True, slots=True)
class Newest:
    """The chain that began last."""

    chain: str
    signature: str

    def is_signed(self, keys: tuple[bytes, ...]) -> bool:
        return signing_key(keys, self.signature, "newest", self.chain) is not None


class Heads:
    """All heads and starts. Blocking."""

    def __init__(self, records: Records, keys: tuple[bytes, ...]) -> None:
        self._keys = keys
        self._heads = Store(records, "audit-heads", Head)
        self._starts = Store(records, "audit-starts", Start)
        self._newest = Store(records, "audit-newest", Newest)

    def begin(self, chain: str, month: str) -> Stored[Head]:
        """Begin a chain, before its first entry is stored."""
        while True:
            newest = self._newest.get(_NEWEST)
            earlier = None if newest is None else self._heads.get(newest.value.chain)
            head = Head(
                chain,
                0,
                first_hash(chain),
                month,
                None if newest is None else newest.value.chain,
                0 if earlier is None else earlier.value.number,
            )
            # The head comes first: a process that is killed here leaves an empty chain, which harms nobody.
            stored = self._heads.put(chain, head.signed(self._keys[0]))
            if self._replace_newest(newest, chain):
                return stored

    def advance(self, stored: Stored[Head], number: int, hash_: str, month: str) -> Stored[Head]:
        """Say that a chain has reached this entry."""
        head = replace(stored.value, number=number, hash=hash_, month=month).signed(self._keys[0])
        return self._heads.replace(stored, head) or self._heads.put(head.chain, head)

    def newest(self) -> Newest | None:
        stored = self._newest.get(_NEWEST)
        return None if stored is None else stored.value

    def all(self) -> dict[str, Head]:
        """Return the heads by chain."""
        return {stored.key: stored.value for stored in self._heads.list()}

    def get(self, chain: str) -> Head | None:
        stored = self._heads.get(chain)
        return None if stored is None else stored.value

    def starts(self) -> dict[str, Start]:
        """Return the starts by chain, of those chains whose beginning was removed."""
        return {stored.key: stored.value for stored in self._starts.list()}

    def start_of(self, chain: str) -> Start | None:
        stored = self._starts.get(chain)
        return None if stored is None else stored.value

    def put_start(self, start: Start) -> None:
        """Say from where on a chain is kept, before what is earlier is removed."""
        self._starts.put(start.chain, start.signed(self._keys[0]))

    def forget(self, chain: str) -> None:
        """Remove all that is known of a chain."""
        self._heads.drop(chain)
        self._starts.drop(chain)

    def _replace_newest(self, old: Stored[Newest] | None, chain: str) -> bool:
        new = Newest(chain, sign(self._keys[0], "newest", chain))
        if old is None:
            return self._newest.create(_NEWEST, new)
        return self._newest.replace(old, new) is not None
