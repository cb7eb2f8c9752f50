"""The audit log of the port: appending, finding, replacing and removing entries, the same on both engines."""

from collections.abc import Sequence
from itertools import count

import pytest

from indexer.engines.audit_port import AuditLog, LogEntry, LogFilter
from indexer.engines.port import Engine
from indexer.tenancy import TeamId

POSITIONS = count(1)


@pytest.fixture
def log(engine: Engine) -> AuditLog:
    return engine.audit


def entry(team: str, number: int, **fields: object) -> LogEntry:
    """Return an entry of the chain that is named like its team, at the next position."""
    usual = LogEntry(team, number, "2001.02", f"{next(POSITIONS):013d}.{team}", team, "ada", "search", "ok", {"a": "é"})
    return usual._replace(**fields)  # type: ignore[arg-type] # the fields of an entry


def found(log: AuditLog, wanted: LogFilter, after: str | None = None, *, newest_first: bool = True) -> list[int]:
    return [each.number for each in log.find(wanted, after=after, limit=100, newest_first=newest_first)]


def numbers(entries: Sequence[LogEntry]) -> list[int]:
    return [each.number for each in entries]


def test_entries_are_found_by_team_in_the_order_of_their_positions(log: AuditLog, team: TeamId) -> None:
    entries = [entry(team, number) for number in range(1, 6)]
    log.append([entries[2], entries[0]])
    log.append([entries[1], *entries[3:], entry(f"{team}x", 9)])
    wanted = LogFilter(team=team)
    assert log.find(wanted, after=None, limit=2, newest_first=False) == entries[:2]
    assert found(log, wanted) == [5, 4, 3, 2, 1]
    assert found(log, wanted, entries[2].position) == [2, 1]
    assert found(log, wanted, entries[2].position, newest_first=False) == [4, 5]
    assert found(log, LogFilter(team=f"{team}y")) == []


def test_entries_are_found_by_their_fields_and_a_range_of_positions(log: AuditLog, team: TeamId) -> None:
    entries = [
        entry(team, 1, subject="ada"),
        entry(team, 2, subject="bob"),
        entry(team, 3, operation="fetch"),
        entry(team, 4, outcome="not_found"),
    ]
    log.append(entries)
    wanted = LogFilter(team=team)
    assert found(log, wanted._replace(subject="bob")) == [2]
    assert found(log, wanted._replace(operation="fetch")) == [3]
    assert found(log, wanted._replace(outcome="not_found", subject="ada")) == [4]
    assert found(log, wanted._replace(first=entries[1].position, end=entries[3].position)) == [3, 2]
    assert found(log, wanted._replace(subject="ada' OR '1'='1")) == []
    assert set(found(log, LogFilter(first=entries[0].position))) >= {1, 2, 3, 4}


def test_an_entry_that_exists_stays_as_it_is(log: AuditLog, team: TeamId) -> None:
    first = entry(team, 1)
    log.append([first])
    log.append([first._replace(outcome="not_found", body={}), entry(team, 2)])
    assert log.read_chain(team, first=1, limit=10)[0] == first
    assert numbers(log.read_chain(team, first=1, limit=10)) == [1, 2]


def test_a_chain_is_read_by_its_numbers_across_months(log: AuditLog, team: TeamId) -> None:
    log.append([entry(team, number, month="2001.03" if number > 10 else "2001.02") for number in range(20, 0, -1)])
    log.append([entry(f"{team}x", 3)])
    assert numbers(log.read_chain(team, first=3, limit=10)) == list(range(3, 13))
    assert numbers(log.read_chain(team, first=18, limit=10)) == [18, 19, 20]
    assert {team, f"{team}x"} <= set(log.chains())


def test_subject_and_body_of_an_entry_are_replaced_and_a_missing_one_is_not_made(log: AuditLog, team: TeamId) -> None:
    first = entry(team, 1)
    log.append([first])
    changed = first._replace(subject="erased:1", body={"a": ""})
    log.replace([changed, entry(team, 2, subject="erased:1")])
    assert log.find(LogFilter(team=team), after=None, limit=10, newest_first=True) == [changed]
    assert found(log, LogFilter(team=team, subject="ada")) == []


def test_old_months_are_removed_and_later_ones_stay(log: AuditLog, team: TeamId) -> None:
    log.append([entry(team, 1, month="1999.11"), entry(team, 2, month="1999.12"), entry(team, 3, month="2001.02")])
    assert set(log.months()) >= {"1999.11", "1999.12", "2001.02"}
    log.remove_before("1999.12")
    assert numbers(log.read_chain(team, first=1, limit=10)) == [2, 3]
    assert "1999.11" not in log.months()
    log.remove_before("1999.12")
    log.append([entry(team, 4, month="1999.11")])
    assert numbers(log.read_chain(team, first=1, limit=10)) == [2, 3, 4]
    log.remove_before("2001.02")
