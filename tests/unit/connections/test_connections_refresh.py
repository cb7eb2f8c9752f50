"""The connections while a process runs: changes are read, and a broken change is not."""

import logging
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.connections.connections import Connections
from indexer.connections.parse import WrongConnections
from indexer.connections.section import Section
from indexer.tenancy import TeamId
from mcp_server.features.osdu.settings import OsduSettings
from tests.service import wait_until

GEO, BIO = TeamId("geo"), TeamId("bio")
OSDU = Section("osdu", OsduSettings)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "connections.toml"
    path.write_text("[teams.geo.osdu]\npartition = 'geo'\n[default.osdu]\npartition = 'all'\ntoken = 'file:token'")
    (tmp_path / "token").write_text("first")
    return path


@pytest.fixture
def connections(file: Path) -> Iterator[Connections]:
    opened = Connections(file, [OSDU])
    yield opened
    opened.close()


def partition(connections: Connections, team: TeamId) -> str | None:
    found = connections.of(team, OSDU)
    return None if found is None else found.settings.partition


def token(connections: Connections) -> str:
    found = connections.of(BIO, OSDU)
    assert found is not None
    assert found.settings.token is not None
    return found.settings.token.get_secret_value()


def test_a_team_has_its_own_settings_or_those_of_all(connections: Connections) -> None:
    geo, bio = connections.of(GEO, OSDU), connections.of(BIO, OSDU)
    assert geo is not None
    assert bio is not None
    assert (geo.owner, geo.settings.partition, geo.settings.token) == (GEO, "geo", None)
    assert (bio.owner, bio.settings.partition) == (None, "all")
    assert [each.owner for each in connections.all_of(OSDU)] == [None, GEO]


def test_without_a_file_there_are_none() -> None:
    connections = Connections(None, [OSDU])
    connections.watch()
    connections.refresh()
    assert not connections.is_given
    assert connections.of(GEO, OSDU) is None


def test_a_changed_file_is_read_again(connections: Connections, file: Path) -> None:
    before = connections.version
    connections.refresh()
    assert connections.version == before
    file.write_text("[teams.bio.osdu]\npartition = 'bio'")
    connections.refresh()
    assert (partition(connections, GEO), partition(connections, BIO)) == (None, "bio")
    assert connections.version == before + 1


def test_a_replaced_file_of_the_same_time_and_size_is_read_again(connections: Connections, file: Path) -> None:
    new = file.with_suffix(".new")
    new.write_text(file.read_text().replace("'geo'", "'oeg'"))
    old = file.stat()
    os.utime(new, ns=(old.st_atime_ns, old.st_mtime_ns))
    new.rename(file)
    connections.refresh()
    assert partition(connections, GEO) == "oeg"


def test_a_changed_secret_is_read_again(connections: Connections, file: Path) -> None:
    assert token(connections) == "first"
    (file.parent / "token").write_text("the second")
    connections.refresh()
    assert token(connections) == "the second"


def test_a_broken_file_leaves_the_one_before_in_force_and_is_logged_without_content(
    connections: Connections, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file.write_text("[teams.geo.osdu]\npartition = 'new'\ntoken = 'a-plain-secret'")
    with caplog.at_level(logging.WARNING):
        connections.refresh()
        connections.refresh()
    assert partition(connections, GEO) == "geo"
    assert connections.problem is not None
    assert "teams.geo.osdu.token" in connections.problem
    assert len(caplog.records) == 1
    assert "a-plain-secret" not in caplog.text
    file.write_text("[teams.geo.osdu]\npartition = 'newer'")
    connections.refresh()
    assert partition(connections, GEO) == "newer"
    assert connections.problem is None


def test_a_secret_that_comes_back_mends_the_file(connections: Connections, file: Path) -> None:
    (file.parent / "token").unlink()
    connections.refresh()
    assert connections.problem is not None
    assert token(connections) == "first"
    (file.parent / "token").write_text("again")
    connections.refresh()
    assert connections.problem is None
    assert token(connections) == "again"


def test_a_removed_file_leaves_the_one_before_in_force(connections: Connections, file: Path) -> None:
    file.unlink()
    connections.refresh()
    assert partition(connections, GEO) == "geo"
    assert connections.problem is not None


@pytest.mark.parametrize("content", [None, "[default.osdu]\nurl = 3", "\xff"])
def test_a_process_does_not_start_with_a_broken_file(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "connections.toml"
    if content is not None:
        file.write_text(content, encoding="latin-1")
    with pytest.raises(WrongConnections):
        Connections(file, [OSDU])


def test_a_watched_change_is_in_force_within_two_seconds(connections: Connections, file: Path) -> None:
    connections.watch()
    file.write_text("[teams.geo.osdu]\npartition = 'watched'")
    started = time.monotonic()
    wait_until(lambda: partition(connections, GEO) == "watched", "the change is in force", 10)
    assert time.monotonic() - started < 2
