"""The ledger of callers: what counts as lost, wrong or undead, and what is excused by a call without an answer."""

import pytest

from tests.faults.ledger import Differences, Ledger


@pytest.fixture
def ledger() -> Ledger:
    ledger = Ledger()
    with ledger.changing({"kept": 1, "deleted": 2}):
        pass
    with ledger.changing({"deleted": None}):
        pass
    return ledger


def unanswered(ledger: Ledger, value: int | None) -> None:
    with pytest.raises(ConnectionError), ledger.changing({"kept": value}):
        raise ConnectionError


def counts(differences: Differences) -> tuple[int, int, int]:
    return len(differences.lost), len(differences.wrong), len(differences.undead)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ({"kept": 1}, (0, 0, 0)),
        ({}, (1, 0, 0)),
        ({"kept": 7}, (0, 1, 0)),
        ({"kept": 1, "deleted": 2}, (0, 0, 1)),
        ({"kept": 1, "never written": 3}, (0, 1, 0)),
    ],
)
def test_what_differs_from_the_last_acknowledgement_is_told_by_its_kind(
    ledger: Ledger, found: dict[str, int], expected: tuple[int, int, int]
) -> None:
    assert counts(ledger.compare(found)) == expected


def test_a_change_without_an_answer_may_have_been_carried_out_or_not(ledger: Ledger) -> None:
    unanswered(ledger, 5)
    assert [counts(ledger.compare({"kept": value})) for value in (1, 5, 6)] == [(0, 0, 0), (0, 0, 0), (0, 1, 0)]
    unanswered(ledger, None)
    assert counts(ledger.compare({})) == (0, 0, 0)


def test_the_next_acknowledgement_settles_what_was_uncertain(ledger: Ledger) -> None:
    unanswered(ledger, 5)
    with ledger.changing({"kept": 6}):
        pass
    assert [counts(ledger.compare({"kept": value})) for value in (1, 5, 6)] == [(0, 1, 0), (0, 1, 0), (0, 0, 0)]


def test_the_history_of_what_is_lost_is_told(ledger: Ledger) -> None:
    [told] = ledger.compare({}).lost
    assert told.startswith("kept: None, not {1}; 1 sent at ")
    assert "1 acknowledged at" in told
