"""What a team may read of S3 and of the host: everything without authentication, else what the connections give."""

from pathlib import Path

import pytest

from indexer.connections.connections import Connections
from indexer.errors import Authorization, NotConfigured
from indexer.tenancy import Principal, TeamId
from workers.sources.arguments import FolderSource, S3Source
from workers.sources.folder import open_folder
from workers.sources.interface import Entry, FailedFile
from workers.sources.open import check_source
from workers.sources.rights import SECTIONS, S3Settings, SourceRights, TeamRights
from workers.sources.settings import SourceSettings

GEO, BIO = TeamId("geo"), TeamId("bio")
SETTINGS = SourceSettings(ingest_roots=(Path("/srv/all"),))
FILE = """
[teams.geo.s3]
buckets = ["reports", "shared/geo"]
[teams.geo.folders]
roots = ["/srv/geo"]
"""


def rights(folder: Path, *, needs_tokens: bool) -> TeamRights:
    (folder / "connections.toml").write_text(FILE)
    connections = Connections(folder / "connections.toml", SECTIONS)
    return TeamRights(SETTINGS, connections, folder, needs_tokens=needs_tokens)


def bucket(name: str, prefix: str = "") -> S3Source:
    return S3Source(type="s3", bucket=name, prefix=prefix)


def folder(path: str | Path) -> FolderSource:
    return FolderSource(type="folder", path=str(path))


@pytest.mark.parametrize("source", [bucket("reports"), folder("/srv/geo/2025"), folder("/srv/all")])
def test_a_team_without_sections_may_read_nothing_where_tokens_are_needed(
    tmp_path: Path, source: S3Source | FolderSource
) -> None:
    with pytest.raises(Authorization) as caught:
        check_source(source, rights(tmp_path, needs_tokens=True).of_caller(Principal(BIO, "me")))
    assert "TRAWL_CONNECTIONS" in caught.value.action


def test_a_team_reads_what_its_sections_name_and_not_the_roots_of_the_process(tmp_path: Path) -> None:
    geo = rights(tmp_path, needs_tokens=True).of_caller(Principal(GEO, "me", credential="t_1"))
    for allowed in (bucket("reports"), bucket("shared", "geo/2025"), folder("/srv/geo/2025")):
        check_source(allowed, geo)
    for denied in (bucket("other"), folder("/srv/all"), folder("/srv/geology"), folder("/srv/geo/../all")):
        with pytest.raises(Authorization):
            check_source(denied, geo)


@pytest.mark.parametrize("prefix", ["", "geo", "geology/", "bio/", "/geo/", "Geo/"])
def test_a_folder_of_a_bucket_ends_at_its_slash(tmp_path: Path, prefix: str) -> None:
    geo = rights(tmp_path, needs_tokens=True).of(GEO, restricted=True)
    with pytest.raises(Authorization) as caught:
        check_source(bucket("shared", prefix), geo)
    assert caught.value.details == {"buckets": ["reports", "shared/geo"]}


def test_without_authentication_all_stays_as_it_was(tmp_path: Path) -> None:
    anonymous = rights(tmp_path, needs_tokens=False).of_caller(Principal(BIO, "anonymous"))
    check_source(bucket("any-bucket"), anonymous)
    check_source(folder("/srv/all/2025"), anonymous)
    assert anonymous.private is None
    with pytest.raises(NotConfigured):
        check_source(folder("/srv"), SourceRights(BIO, (), s3=None, is_restricted=False))


def test_who_comes_by_a_token_is_restricted_though_others_need_none(tmp_path: Path) -> None:
    by_token = rights(tmp_path, needs_tokens=False).of_caller(Principal(BIO, "me", credential="t_1"))
    with pytest.raises(Authorization):
        check_source(bucket("any-bucket"), by_token)


def test_a_command_on_the_host_is_restricted_where_tokens_are_needed(tmp_path: Path) -> None:
    local = Principal(BIO, "local", credential="local")
    assert rights(tmp_path, needs_tokens=True).of_caller(local).is_restricted
    assert not rights(tmp_path, needs_tokens=False).of_caller(local).is_restricted


def test_the_data_of_the_service_is_no_folder_of_a_team(tmp_path: Path) -> None:
    data = tmp_path / "root" / "data"
    (data / "uploads").mkdir(parents=True)
    (data / "uploads" / "theirs.md").write_text("of another team")
    (tmp_path / "root" / "mine.md").write_text("mine")
    (tmp_path / "root" / "link.md").symlink_to(data / "uploads" / "theirs.md")
    allowed = SourceRights(GEO, (tmp_path / "root",), s3=None, is_restricted=True, private=data)
    source = open_folder(folder(tmp_path / "root"), SETTINGS, allowed)
    entries = [each for each in source.list() if isinstance(each, Entry)]
    assert [entry.path for entry in entries] == ["root/mine.md"]
    for locator in ("data/uploads/theirs.md", "link.md"):
        assert isinstance(source.read(Entry("root/x.md", locator, 1)), FailedFile)
    for inside in (data, data / "uploads"):
        with pytest.raises(Authorization):
            open_folder(folder(inside), SETTINGS, allowed)


def test_an_empty_section_allows_nothing() -> None:
    assert not S3Settings().allows("reports", "")
