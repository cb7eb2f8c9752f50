from pathlib import Path

import pytest

from indexer.errors import Invalid, NotConfigured, NotFound
from indexer.tenancy import TeamId
from workers.sources.arguments import FolderSource, IngestSource, S3Source, UploadSource, UrlsSource
from workers.sources.files import FileSource
from workers.sources.interface import Source
from workers.sources.open import check_source, open_source, open_staging
from workers.sources.rights import SourceRights
from workers.sources.settings import SourceSettings


def folder(path: Path | str) -> FolderSource:
    return FolderSource(type="folder", path=str(path))


def allowing(*roots: Path) -> SourceRights:
    return SourceRights(TeamId("main"), roots, s3=None, is_restricted=False)


def opened(source: IngestSource, rights: SourceRights, data_dir: Path) -> Source:
    return open_source(source, SourceSettings(_env_file=None), rights, open_staging(data_dir), lambda _: None)


def test_without_roots_every_folder_is_refused_with_what_to_do() -> None:
    with pytest.raises(NotConfigured) as caught:
        check_source(folder("/srv/papers"), allowing())
    assert "TRAWL_INGEST_ROOTS" in caught.value.action
    assert "trawl ingest" in caught.value.action


def test_a_folder_is_checked_without_being_seen() -> None:
    check_source(folder("/srv/papers/2025"), allowing(Path("/srv/papers")))
    check_source(folder("/srv/papers"), allowing(Path("/srv/papers")))


@pytest.mark.parametrize(
    "path", ["/etc", "/srv/papers/../secrets", "/srv/papers2", "/srv", "/", "papers", "", "~/papers", "/srv/papers/\0"]
)
def test_a_folder_outside_the_roots_is_refused(path: str) -> None:
    with pytest.raises(Invalid):
        check_source(FolderSource.model_construct(type="folder", path=path), allowing(Path("/srv/papers")))


def test_a_link_out_of_the_roots_is_refused_where_it_is_opened(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / "link").symlink_to(outside)
    check_source(folder(root / "link"), allowing(root))
    with pytest.raises(Invalid):
        opened(folder(root / "link"), allowing(root), tmp_path)


def test_a_root_may_itself_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real" / "papers").mkdir(parents=True)
    (tmp_path / "root").symlink_to(tmp_path / "real")
    source = opened(folder(tmp_path / "root" / "papers"), allowing(tmp_path / "root"), tmp_path)
    assert isinstance(source, FileSource)
    assert source.root_name == "papers"


def test_a_link_inside_the_roots_keeps_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "papers-2025").mkdir()
    (tmp_path / "papers").symlink_to(tmp_path / "papers-2025")
    source = opened(folder(f"{tmp_path}/papers/"), allowing(tmp_path), tmp_path)
    assert isinstance(source, FileSource)
    assert source.root_name == "papers"


def test_folders_of_one_name_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name / "docs").mkdir(parents=True)

    def opened_at(path: str) -> FileSource:
        source = opened(folder(path), allowing(tmp_path), tmp_path)
        assert isinstance(source, FileSource)
        return source

    one, same, other = (opened_at(f"{tmp_path}/{path}") for path in ("a/docs", "b/../a/docs/", "b/docs"))
    assert one.root_name == same.root_name == other.root_name == "docs"
    assert one.origin == same.origin != other.origin
    assert str(tmp_path) not in one.origin
    assert not one.still_there("docs/gone.md")
    assert one.still_there("https://docs/gone.md")


@pytest.mark.parametrize("name", ["missing", "file.md"])
def test_a_folder_that_is_none_is_not_found(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.md").write_text("x")
    with pytest.raises(NotFound):
        opened(folder(tmp_path / name), allowing(tmp_path), tmp_path)


def test_addresses_that_may_not_even_be_kept_are_refused_by_position() -> None:
    urls = [
        "https://a.example/",
        "ftp://b.example/",
        "http://user:secret@c.example/",
        "file:///etc/passwd",
        "http://[::1",
    ]
    with pytest.raises(Invalid) as caught:
        check_source(UrlsSource(type="urls", urls=urls), allowing())
    assert caught.value.details == {"positions": [2, 3, 4, 5]}
    assert "secret" not in str(caught.value.failure())


@pytest.mark.parametrize("bucket", ["s3://papers", "pa", "a/b", "papers?x", "-papers", "arn:aws:s3:::papers"])
def test_what_is_no_bucket_is_refused(bucket: str) -> None:
    check_source(S3Source(type="s3", bucket="papers.example-1"), allowing())
    with pytest.raises(Invalid):
        check_source(S3Source.model_construct(type="s3", bucket=bucket), allowing())


def test_an_upload_that_was_never_sent_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        opened(UploadSource(type="upload", staged="u_" + "0" * 24), allowing(), tmp_path)
