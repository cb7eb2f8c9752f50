"""Old months are removed, and what is left verifies from a signed start on."""

import logging
import time

import pytest

from indexer.audit.chain import Chain
from indexer.audit.heads import Heads
from indexer.audit.retention import expire_audit
from indexer.audit.signing import audit_keys
from tests.contract.audit.trails import KEY, Kept, write

DAY = 86_400.0


class Clock:
    """The time of a process, by the days before now."""

    def __init__(self, days_ago: float) -> None:
        self.days_ago = days_ago

    def __call__(self) -> float:
        return time.time() - self.days_ago * DAY


def chain_over(kept: Kept, *days_ago: int) -> Chain:
    """Write three records on each of these days, with one process."""
    clock = Clock(days_ago[0])
    chain = kept.chain(now=clock)
    for each in days_ago:
        clock.days_ago = each
        write(chain, 3)
        chain.sign()
    return chain


def expire(kept: Kept, days: float = 365) -> None:
    expire_audit(kept.log, kept.records, (KEY,), days)


def test_what_is_older_is_removed_and_the_rest_verifies(kept: Kept) -> None:
    over = chain_over(kept, 500, 450, 20)
    new = chain_over(kept, 10)
    expire(kept)
    assert [entry.number for entry in kept.entries(over)] == [7, 8, 9]
    found = kept.verify()
    assert (found.chains, found.entries, found.damage) == (2, 6, ())
    write(over, 2)
    over.sign()
    expire(kept, 15)
    expire(kept, 15)
    assert kept.damage() == []
    assert kept.verify().chains == 2
    assert len(kept.entries(new)) == 3


def test_chains_of_which_nothing_is_left_are_forgotten_but_for_the_last(kept: Kept) -> None:
    for days_ago in (800, 700, 600):
        chain_over(kept, days_ago)
    expire(kept)
    found = kept.verify()
    assert (found.chains, found.entries, found.damage) == (1, 0, ())
    chain_over(kept, 10)
    found = kept.verify()
    assert (found.chains, found.entries, found.damage) == (2, 3, ())


def test_a_removed_part_is_still_found_after_older_months_were_removed(kept: Kept) -> None:
    over = chain_over(kept, 500, 100, 20)
    expire(kept)
    kept.remove(kept.entries(over)[0])
    assert kept.damage() == [f"{over.id} 4 removed: the next entry has the number 5"]


def test_a_start_that_somebody_made_is_found(kept: Kept) -> None:
    over = chain_over(kept, 500, 100, 20)
    expire(kept)
    later = kept.entries(over)[2]
    forged = {"chain": over.id, "number": 7, "hash": later.body["hash"], "signature": "00"}
    kept.remove(*kept.entries(over)[:3])
    kept.put_record("audit-starts", over.id, forged)
    (problem,) = kept.damage()
    assert problem.startswith(f"{over.id} 0 its start has a wrong signature")


@pytest.mark.parametrize("which", [0, 2])
def test_damaged_months_are_kept_as_evidence(kept: Kept, which: int, caplog: pytest.LogCaptureFixture) -> None:
    over = chain_over(kept, 500)
    kept.remove(kept.entries(over)[which])
    with caplog.at_level(logging.ERROR):
        expire(kept)
    assert "trawl audit verify" in caplog.text
    assert len(kept.entries(over)) == 2
    assert len(kept.damage()) == 1


def test_an_end_that_was_removed_from_an_old_month_is_found_after_the_month_is_gone(kept: Kept) -> None:
    over = chain_over(kept, 500, 20)
    kept.remove(kept.entries(over)[2])
    expire(kept)
    assert kept.damage() == [f"{over.id} 3 removed: the next entry has the number 4"]


def test_the_clock_set_back_keeps_the_months_of_a_chain_in_order(kept: Kept) -> None:
    over = chain_over(kept, 100, 400, 20)
    expire(kept)
    assert len(kept.entries(over)) == 9
    assert kept.damage() == []


def test_nothing_is_written_while_nothing_is_old(kept: Kept) -> None:
    expire(kept)
    chain_over(kept, 20)
    expire(kept)
    assert Heads(kept.records, audit_keys([KEY])).starts() == {}
