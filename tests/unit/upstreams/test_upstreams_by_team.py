"""Connections by team: who has which, and when one is opened, kept and closed."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr
from pydantic_settings import SettingsConfigDict

from indexer.connections.connections import Connections
from indexer.environment import EnvironmentSettings
from indexer.errors import NotConfigured
from indexer.tenancy import TeamId
from mcp_server.upstream import upstreams as module
from mcp_server.upstream.telemetry import Telemetry
from mcp_server.upstream.upstream import Opening, Upstream
from mcp_server.upstream.upstreams import Upstreams, open_upstreams

GEO, BIO, ART = TeamId("geo"), TeamId("bio"), TeamId("art")


class SeaSettings(EnvironmentSettings):
    model_config = SettingsConfigDict(env_prefix="TRAWL_SEA_")

    url: str | None = None
    token: SecretStr | None = None


class SeaService:
    def __init__(self, settings: SeaSettings, opening: Opening) -> None:
        self.settings = settings
        self.owner = opening.owner
        self.telemetry = opening.telemetry or Telemetry("sea")
        self.is_closed = False

    @property
    def is_configured(self) -> bool:
        return self.settings.url is not None

    async def ask(self) -> str:
        assert not self.is_closed
        if self.settings.url is None:
            raise NotConfigured("The sea is not configured", action="Set it", details={"missing": ["TRAWL_SEA_URL"]})
        self.telemetry.call("ok", "name")
        return self.settings.url

    async def aclose(self) -> None:
        self.is_closed = True


SEA = Upstream("sea", SeaSettings, SeaService, required_settings=("TRAWL_SEA_URL",))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "connections.toml"
    path.write_text("[teams.geo.sea]\nurl = 'geo'\n[teams.bio.sea]\nurl = 'bio'\n[default.sea]\nurl = 'all'")
    return path


@pytest.fixture
def connections(file: Path) -> Iterator[Connections]:
    opened = Connections(file, [SEA.section])
    yield opened
    opened.close()


@pytest.fixture
def change(connections: Connections, file: Path) -> Callable[[str], None]:
    """Let the file be another one."""

    def change(text: str) -> None:
        file.write_text(text)
        connections.refresh()

    return change


@pytest.fixture
def upstreams(connections: Connections) -> Upstreams:
    environment = {"sea": SeaSettings(_env_file=None, url="environment")}  # type: ignore[call-arg]  # of pydantic-settings
    return open_upstreams([SEA], environment, keys=(b"k",), redis_url=None, connections=connections)


async def asked(upstreams: Upstreams, team: TeamId) -> str:
    async with upstreams.call(team, SEA) as sea:
        return await sea.ask()


async def test_a_team_has_its_own_connection_or_that_of_all_others(upstreams: Upstreams) -> None:
    assert [await asked(upstreams, team) for team in (GEO, BIO, ART)] == ["geo", "bio", "all"]
    assert upstreams.of(ART)[SEA] is upstreams.of(TeamId("any"))[SEA]
    assert upstreams.of(GEO)[SEA] is not upstreams.of(BIO)[SEA]
    assert (upstreams.of(GEO)[SEA].owner, upstreams.of(ART)[SEA].owner) == (GEO, None)


async def test_teams_with_equal_settings_of_their_own_share_nothing(
    upstreams: Upstreams, change: Callable[[str], None]
) -> None:
    change("[teams.geo.sea]\nurl = 'same'\n[teams.bio.sea]\nurl = 'same'\n[default.sea]\nurl = 'same'")
    assert len({id(upstreams.of(team)[SEA]) for team in (GEO, BIO, ART)}) == 3


async def test_without_a_file_the_environment_is_for_all_teams() -> None:
    environment = {"sea": SeaSettings(_env_file=None, url="environment")}  # type: ignore[call-arg]  # as above
    upstreams = open_upstreams([SEA], environment, keys=(b"k",), redis_url=None)
    assert [await asked(upstreams, team) for team in (GEO, ART)] == ["environment", "environment"]
    assert upstreams.remedy(SEA) == "set TRAWL_SEA_URL"


async def test_with_a_file_the_environment_is_for_nobody(upstreams: Upstreams, change: Callable[[str], None]) -> None:
    change("[teams.geo.sea]\nurl = 'geo'")
    assert (upstreams.configured(GEO), upstreams.configured(ART)) == ({"sea"}, frozenset())
    with pytest.raises(NotConfigured) as caught:
        await asked(upstreams, ART)
    assert caught.value.action == "Ask the operator to add the section sea to TRAWL_CONNECTIONS"
    assert caught.value.details["missing"] == ["teams.art.sea"]


async def test_a_change_serves_new_calls_and_the_old_connection_ends_with_its_last_call(
    upstreams: Upstreams, change: Callable[[str], None]
) -> None:
    other = upstreams.of(BIO)[SEA]
    async with upstreams.call(GEO, SEA) as old:
        change("[teams.geo.sea]\nurl = 'moved'\n[teams.bio.sea]\nurl = 'bio'\n[default.sea]\nurl = 'all'")
        assert await asked(upstreams, GEO) == "moved"
        assert await old.ask() == "geo"
        assert not old.is_closed
    assert old.is_closed
    assert upstreams.of(BIO)[SEA] is other
    assert not other.is_closed


async def test_a_removed_section_is_closed_and_its_team_falls_back(
    upstreams: Upstreams, change: Callable[[str], None]
) -> None:
    old = upstreams.of(GEO)[SEA]
    assert upstreams.configured(GEO) == {"sea"}
    change("[default.sea]")
    assert upstreams.configured(GEO) == frozenset()
    with pytest.raises(NotConfigured):
        await asked(upstreams, GEO)
    assert old.is_closed


async def test_an_idle_connection_too_many_is_closed_and_opened_again(
    upstreams: Upstreams, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MAX_OPEN", 2)
    first = upstreams.of(GEO)[SEA]
    async with upstreams.call(ART, SEA):
        await asked(upstreams, BIO)
    assert first.is_closed
    assert await asked(upstreams, GEO) == "geo"
    assert upstreams.of(GEO)[SEA] is not first


async def test_calls_of_all_connections_are_counted_together_also_those_of_closed_ones(
    upstreams: Upstreams, change: Callable[[str], None]
) -> None:
    await asked(upstreams, GEO)
    change("[default.sea]\nurl = 'all'")
    await asked(upstreams, GEO)
    [telemetry] = upstreams.telemetry
    assert telemetry.outcomes == {"ok": 2}


async def test_at_the_end_all_are_closed(upstreams: Upstreams) -> None:
    opened = [upstreams.of(team)[SEA] for team in (GEO, BIO, ART)]
    await upstreams.aclose()
    assert all(each.is_closed for each in opened)
