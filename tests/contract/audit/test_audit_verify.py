"""Verifying finds what somebody changed, removed, added or moved, with all rights on the store but without the key."""

from dataclasses import asdict

import pytest

from indexer.audit.chain import Chain
from indexer.audit.entry import erased, seal
from indexer.audit.heads import Head, Heads
from indexer.audit.signing import audit_keys
from indexer.engines.audit_port import LogEntry
from tests.contract.audit.trails import KEY, Kept, record, write


def test_what_processes_wrote_is_whole(kept: Kept) -> None:
    one, other = kept.chain(), kept.chain()
    for _ in range(3):
        write(one, 4)
        write(other, 5)
        one.sign()
        other.sign()
    found = kept.verify()
    assert (found.chains, found.entries, found.erased, found.damage) == (2, 27, 0, ())


def test_nothing_is_whole_too(kept: Kept) -> None:
    assert kept.verify().chains == 0
    assert kept.damage() == []


@pytest.mark.parametrize(
    "change",
    [
        {"team": "blue"},
        {"subject": "eve"},
        {"operation": "search_delete_index"},
        {"outcome": "not_found"},
        {"position": "0999999999999.x.0000000001.1"},
    ],
)
def test_a_changed_field_is_found(kept: Kept, change: dict[str, str]) -> None:
    chain = kept.written(5)
    kept.overwrite(kept.entries(chain)[2]._replace(**change))  # type: ignore[arg-type] # fields of an entry
    assert kept.damage() == [f"{chain.id} 3 changed, or moved from elsewhere"]


@pytest.mark.parametrize(
    "name", ["object", "duration_ms", "bytes", "client", "address", "identity", "previous", "salt", "hash"]
)
def test_a_changed_value_in_the_body_is_found(kept: Kept, name: str) -> None:
    chain = kept.written(3)
    entry = kept.entries(chain)[1]
    new = 7 if isinstance(entry.body[name], int) else "other"
    kept.overwrite(entry._replace(body={**entry.body, name: new}))
    assert kept.damage() == [f"{chain.id} 2 changed, or moved from elsewhere"]


def test_a_removed_entry_is_found(kept: Kept) -> None:
    chain = kept.written(5)
    kept.remove(kept.entries(chain)[1])
    assert kept.damage() == [f"{chain.id} 2 removed: the next entry has the number 3"]


def test_a_gap_after_the_signed_head_is_what_a_failing_cluster_may_leave(kept: Kept) -> None:
    chain = kept.written(3)
    write(chain, 3)
    kept.remove(kept.entries(chain)[4])
    found = kept.verify()
    assert (found.entries, found.damage) == (4, ())
    kept.remove(kept.entries(chain)[2])
    assert kept.damage() == [f"{chain.id} 3 removed: the next entry has the number 4"]


def test_a_removed_beginning_is_found(kept: Kept) -> None:
    chain = kept.written(5)
    kept.remove(*kept.entries(chain)[:2])
    assert kept.damage() == [f"{chain.id} 1 removed: the next entry has the number 3"]


@pytest.mark.parametrize("left", [0, 3])
def test_a_removed_end_is_found(kept: Kept, left: int) -> None:
    chain = kept.written(5)
    kept.remove(*kept.entries(chain)[left:])
    assert kept.damage() == [
        f"{chain.id} {left + 1} the end was removed: the signed head says that there are 5 entries"
    ]


def test_entries_in_another_order_are_found(kept: Kept) -> None:
    chain = kept.written(4)
    first, second = kept.entries(chain)[1:3]
    kept.overwrite(first._replace(number=3), second._replace(number=2))
    assert kept.damage() == [f"{chain.id} 2 changed, or moved from elsewhere"]


def test_swapped_chains_are_found(kept: Kept) -> None:
    one, other = kept.written(3), kept.written(3)
    ours, theirs = kept.entries(one), kept.entries(other)
    kept.overwrite(
        *(entry._replace(chain=other.id) for entry in ours), *(entry._replace(chain=one.id) for entry in theirs)
    )
    assert sorted(kept.damage()) == sorted(f"{chain.id} 1 changed, or moved from elsewhere" for chain in (one, other))


def forged(chain: Chain, last: LogEntry) -> LogEntry:
    """Return an entry that follows, made with a key of one's own."""
    return seal(
        record(subject="eve"),
        chain=chain.id,
        number=last.number + 1,
        month=last.month,
        previous=last.body["hash"],
        key=audit_keys([b"guessed"])[0],
        salt="00",
    )


def test_an_added_entry_is_found_also_after_the_signed_head(kept: Kept) -> None:
    chain = kept.written(2)
    kept.log.append([forged(chain, kept.entries(chain)[-1])])
    assert kept.damage() == [f"{chain.id} 3 changed, or moved from elsewhere"]


def test_an_added_chain_is_found(kept: Kept) -> None:
    chain = kept.written(2)
    added = [entry._replace(chain="0123456789abcdef") for entry in kept.entries(chain)]
    kept.log.append(added)
    assert kept.damage() == ["0123456789abcdef 0 it has no head: that was removed, or its entries were added"]


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_chain_that_was_removed_with_its_head_is_found(kept: Kept, which: int) -> None:
    chains = [kept.written(2) for _ in range(3)]
    kept.remove(*kept.entries(chains[which]))
    kept.put_record("audit-heads", chains[which].id, None)
    assert kept.damage() == [f"{chains[which].id} 0 the chain and its head were removed"]


def test_an_older_head_in_place_of_the_last_is_found_once_another_chain_began(kept: Kept) -> None:
    chain = kept.chain()
    write(chain, 2)
    chain.sign()
    older = kept.records.get("audit-heads", chain.id)
    assert older is not None
    write(chain, 3)
    chain.sign()
    kept.written(1)
    kept.remove(*kept.entries(chain)[2:])
    kept.put_record("audit-heads", chain.id, dict(older.value))
    assert kept.damage() == [f"{chain.id} 3 the end was removed, and an older head put in place"]


def test_a_changed_head_is_found(kept: Kept) -> None:
    chain = kept.written(3)
    head = Heads(kept.records, audit_keys([KEY])).get(chain.id)
    assert isinstance(head, Head)
    kept.put_record("audit-heads", chain.id, {**asdict(head), "number": 2, "hash": kept.entries(chain)[1].body["hash"]})
    (problem,) = kept.damage()
    assert problem.startswith(f"{chain.id} 0 its head has a wrong signature")


def test_a_name_that_somebody_hid_without_the_key_is_found(kept: Kept) -> None:
    chain = kept.written(2)
    kept.overwrite(erased(kept.entries(chain)[0], "erased:0", audit_keys([b"guessed"])[0]))
    assert kept.damage() == [f"{chain.id} 1 changed, or moved from elsewhere"]


def test_chains_of_an_older_key_verify_as_long_as_that_key_is_given(kept: Kept) -> None:
    old = kept.written(2, key=b"old")
    kept.written(3)
    found = kept.verify(KEY, b"old")
    assert (found.chains, found.entries, found.damage) == (2, 5, ())
    (damage,) = kept.verify(KEY).damage
    assert damage.chain == old.id
    assert "TRAWL_SECRET_KEY_OLD" in damage.problem
