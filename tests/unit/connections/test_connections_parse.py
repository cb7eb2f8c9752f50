"""The connections file: what it says for each team, and that every message names keys and never values."""

from pathlib import Path

import pytest

from indexer.connections.parse import Parsed, WrongConnections, parse
from indexer.connections.secrets import Secrets
from indexer.connections.section import Section
from indexer.tenancy import TeamId
from mcp_server.feature import upstreams_of
from mcp_server.features.all import FEATURES
from mcp_server.features.osdu.settings import OsduSettings
from mcp_server.features.web.settings import WebSettings
from workers.sources.rights import SECTIONS, FolderSettings, S3Settings

ALL = (*(Section(each.name, each.settings) for each in upstreams_of(FEATURES)), *SECTIONS)
CANARY = "plain-secret-canary"


def parsed(text: str, folder: Path = Path("/nowhere"), *, ignore_others: bool = False) -> Parsed:
    sections = SECTIONS if ignore_others else ALL
    return parse(text, sections, Secrets(folder), ignore_others=ignore_others)


def problems(text: str, folder: Path = Path("/nowhere")) -> str:
    with pytest.raises(WrongConnections) as caught:
        parsed(text, folder)
    return caught.value.message


def test_each_team_has_its_own_sections_with_secrets_from_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEO_OSDU_TOKEN", "the token of geo")
    (tmp_path / "key").write_text("sk-of-all\n")
    (tmp_path / "s3").write_text("a secret of S3")
    found = parsed(
        """
        [teams.geo.osdu]
        url = "https://osdu.example.com/"
        partition = "opendes"
        token = "env:GEO_OSDU_TOKEN"
        calls_per_minute = 60
        [teams.geo.s3]
        access_key_id = "AKIA"
        secret_access_key = "file:s3"
        region = "eu-west-1"
        buckets = ["reports", "field-data/geo/"]
        [teams.geo.folders]
        roots = ["/srv/geo"]
        [default.web]
        api_key = "file:key"
        model = "gpt-5-mini"
        guard_market = ["odds"]
        """,
        tmp_path,
    )
    geo = found.teams[TeamId("geo")]
    osdu, s3, web = geo["osdu"], geo["s3"], found.default["web"]
    assert isinstance(osdu, OsduSettings)
    assert osdu.token is not None
    assert (osdu.url, osdu.calls_per_minute) == ("https://osdu.example.com", 60)
    assert osdu.token.get_secret_value() == "the token of geo"
    assert isinstance(s3, S3Settings)
    assert s3.buckets == ("reports", "field-data/geo")
    assert geo["folders"] == FolderSettings(roots=(Path("/srv/geo"),))
    assert isinstance(web, WebSettings)
    assert web.api_key is not None
    assert (web.api_key.get_secret_value(), web.model, web.guard_market) == ("sk-of-all", "gpt-5-mini", ("odds",))


def test_nothing_of_the_environment_completes_a_section(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAWL_OSDU_TOKEN", "the token of another address")
    monkeypatch.setenv("TRAWL_OSDU_TIMEOUT", "7")
    found = parsed('[teams.geo.osdu]\nurl = "https://osdu.example.com"\npartition = "p"').teams[TeamId("geo")]["osdu"]
    assert isinstance(found, OsduSettings)
    assert found.token is None
    assert found.timeout == 30
    assert found.missing == ["TRAWL_OSDU_TOKEN"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (f'[teams.geo.osdu]\ntoken = "{CANARY}"', "teams.geo.osdu.token"),
        (f'[default.web]\napi_key = "{CANARY}"', "default.web.api_key"),
        (f'[default.s3]\nsecret_access_key = "{CANARY}"', "default.s3.secret_access_key"),
        (f'[default.osdu]\nurl = "https://user:{CANARY}@osdu.example.com"', "default.osdu.url"),
    ],
)
def test_a_plain_secret_is_refused_by_its_key_and_never_repeated(text: str, key: str) -> None:
    message = problems(text)
    assert f"{key}: give a secret as " in message
    assert CANARY not in message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[team.geo.osdu]", "team: this is not known: did you mean teams?"),
        ("[teams.geo.odsu]", "teams.geo.odsu: this is not known: did you mean osdu?"),
        ("[default.quilt]\ncatalogurl = 'https://x'", "default.quilt.catalogurl: this is not known: did you mean ca"),
        ("[default.xyzzy]", "default.xyzzy: this is not known: there are osdu, quilt, web, s3, folders"),
        ("[teams.Geo.osdu]", "teams.Geo: invalid team name"),
        ("teams = 3", "teams: this must be a table"),
        ("[teams]\ngeo = 3", "teams.geo: this must be a table"),
        ("[default.folders]\nroots = ['relative']", "default.folders.roots: give absolute folders"),
        ("[default.s3]\nbuckets = ['s3://x']", "default.s3.buckets: give names of buckets"),
        ("[default.s3]\naccess_key_id = 'A'", "default.s3: give both access_key_id and secret_access_key"),
        ("[default.osdu]\ntimeout = 'soon'", "default.osdu.timeout: Input should be a valid number"),
        (
            "[default.web]\napi_key = 'env:SURELY_NOT_SET'",
            "web.api_key: the environment has no variable SURELY_NOT_SET",
        ),
        ("[default.web]\napi_key = 'file:none'", "default.web.api_key: the file /nowhere/none cannot be read as text"),
        ("[default.web]\napi_key = 3", "default.web.api_key: give a secret as"),
        ("[default\n", "this is not TOML, at line 1, column 9"),
    ],
)
def test_what_is_wrong_is_named_with_what_is_right(text: str, message: str) -> None:
    assert message in problems(text)


def test_all_problems_are_told_at_once() -> None:
    message = problems("[default.osdu]\nurl = 'osdu'\n[default.webb]\n[teams.geo.s3]\nbukets = []")
    assert all(key in message for key in ("default.osdu.url", "default.webb", "teams.geo.s3.bukets"))


def test_a_broken_line_is_not_repeated() -> None:
    assert CANARY not in problems(f'[default.web]\napi_key = "{CANARY}')


def test_a_worker_reads_its_own_sections_alone() -> None:
    text = "[teams.geo.osdu]\ntoken = 'env:NOT_IN_THE_WORKER'\n[teams.geo.folders]\nroots = ['/srv/geo']"
    assert parsed(text, ignore_others=True).teams[TeamId("geo")].keys() == {"folders"}


def test_an_empty_secret_is_none(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("\n")
    assert "is empty" in problems("[default.web]\napi_key = 'file:key'", tmp_path)
