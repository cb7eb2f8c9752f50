"""A subject is erased from the trail without breaking it."""

from indexer.audit.erasure import erase_from_audit, new_pseudonym
from indexer.engines.audit_port import LogFilter
from tests.contract.audit.trails import KEY, Kept, record


def test_an_erased_subject_leaves_a_pseudonym_and_a_trail_that_verifies(kept: Kept) -> None:
    chain = kept.chain()
    chain.add([record(), record(subject="bob"), record(), record(team="blue")])
    chain.store()
    chain.sign()
    pseudonym = new_pseudonym()
    assert erase_from_audit(kept.log, (KEY,), "ada", pseudonym, "red") == 2
    shown = kept.shown(LogFilter(subject=pseudonym))
    assert [(each["team"], each["client"], each["address"]) for each in shown] == [("red", "", "")] * 2
    assert [each["subject"] for each in kept.shown(LogFilter(team="blue"))] == ["ada"]
    found = kept.verify()
    assert (found.entries, found.erased, found.damage) == (4, 2, ())
    assert "curl" not in str([entry for entry in kept.entries(chain) if entry.subject == pseudonym])


def test_what_stays_of_an_erased_subject_cannot_be_guessed(kept: Kept) -> None:
    chain = kept.chain()
    chain.add([record(), record()])
    chain.store()
    erase_from_audit(kept.log, (KEY,), "ada", new_pseudonym(), None)
    one, other = kept.entries(chain)
    # Both hashes are of the same names; without the salt, which is gone, nobody can tell.
    assert one.body["identity"] != other.body["identity"]
    assert (one.body["salt"], other.body["salt"]) == ("", "")


def test_a_subject_is_erased_from_all_teams_if_none_is_named(kept: Kept) -> None:
    chain = kept.chain()
    chain.add([record(team="red"), record(team="blue"), record(team="")])
    chain.store()
    chain.sign()
    assert erase_from_audit(kept.log, (KEY,), "ada", "erased:1", None) == 3
    assert erase_from_audit(kept.log, (KEY,), "ada", "erased:2", None) == 0
    assert kept.damage() == []
    # A key that came later verifies the erasure, as long as it is known.
    chain.add([record(subject="bob")])
    chain.store()
    assert erase_from_audit(kept.log, (b"new", KEY), "bob", "erased:3", None) == 1
    assert kept.verify(b"new", KEY).damage == ()
