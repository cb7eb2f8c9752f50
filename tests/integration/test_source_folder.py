import os
import socket
import unicodedata
from pathlib import Path

import pytest

from indexer.archives.ids import file_id
from indexer.errors import NotFound
from indexer.tenancy import TeamId
from workers.sources.arguments import FolderSource
from workers.sources.files import FileSource
from workers.sources.folder import folder_origin, open_folder
from workers.sources.interface import Entry, FailedFile, Item
from workers.sources.rights import SourceRights
from workers.sources.settings import SourceSettings
from workers.sources.skipped import SkippedFile


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "root" / "papers"
    folder.mkdir(parents=True)
    return folder


def opened(folder: Path, include: list[str] | None = None, exclude: list[str] | None = None) -> FileSource:
    asked = FolderSource(type="folder", path=str(folder), include=include, exclude=exclude)
    rights = SourceRights(TeamId("main"), (folder.parent,), s3=None, is_restricted=False)
    return open_folder(asked, SourceSettings(max_file_mb=0.001), rights)


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)


def entries(source: FileSource) -> list[str]:
    return [entry.path for entry in source.list() if isinstance(entry, Entry)]


def failed(source: FileSource) -> dict[str, str]:
    return {entry.path: entry.reason for entry in source.list() if isinstance(entry, FailedFile)}


def skipped(source: FileSource) -> dict[str, str]:
    return {entry.path: entry.reason for entry in source.list() if isinstance(entry, SkippedFile)}


def test_readable_files_are_listed_in_order_and_all_else_is_skipped_with_a_reason(papers: Path) -> None:
    write(papers, "b.md", "a/z.txt", "a/y.PDF", "c.png", "Makefile", ".git/x.md", ".hidden.md", "a/.x/y.md")
    source = opened(papers)
    assert entries(source) == ["papers/a/y.PDF", "papers/a/z.txt", "papers/b.md"]
    assert failed(source) == {}
    assert skipped(source) == {
        "papers/.git/": "hidden",
        "papers/.hidden.md": "hidden",
        "papers/Makefile": "no reader for this kind",
        "papers/a/.x/": "hidden",
        "papers/c.png": "no reader for this kind",
    }
    kinds = {each.path: each.kind for each in source.list() if isinstance(each, SkippedFile) and each.kind}
    assert kinds == {"papers/Makefile": "no extension", "papers/c.png": ".png"}


def test_a_file_is_read_with_all_that_its_place_says(papers: Path) -> None:
    write(papers, "2025-05-20/a.md", "b.md")
    os.utime(papers / "b.md", (86_400, 86_400))
    source = opened(papers)
    first, second = [source.read(entry) for entry in source.list() if isinstance(entry, Entry)]
    path = "papers/2025-05-20/a.md"
    assert first == Item(
        b"2025-05-20/a.md", "a.md", file_id(path), "research", folder_origin(str(papers)), None, "2025-05-20"
    )
    assert isinstance(second, Item)
    assert second.fallback_date == "1970-01-02"


def test_patterns_choose_files(papers: Path) -> None:
    write(papers, "a.md", "b.txt", "drafts/c.md", "deep/drafts/d.md")
    source = opened(papers, ["**/*.md"], ["drafts/**"])
    assert entries(source) == ["papers/a.md", "papers/deep/drafts/d.md"]
    assert skipped(source) == {
        "papers/b.txt": "left out by include: no pattern matches",
        "papers/drafts/c.md": "left out by exclude: drafts/**",
    }
    assert skipped(opened(papers, exclude=["drafts/"])) == dict.fromkeys(
        ["papers/drafts/", "papers/deep/drafts/"], "left out by exclude: drafts/"
    )


def test_special_files_are_refused_unopened(papers: Path) -> None:
    os.mkfifo(papers / "pipe.md")
    with socket.socket(socket.AF_UNIX) as door:
        here = Path.cwd()
        os.chdir(papers)
        try:
            door.bind("door.md")
        finally:
            os.chdir(here)
    source = opened(papers)
    assert failed(source) == {
        "papers/door.md": "is not a regular file",
        "papers/pipe.md": "is not a regular file",
    }
    assert source.read(Entry("papers/pipe.md", "pipe.md", 0)) == FailedFile("papers/pipe.md", "is not a regular file")


def test_no_link_leads_out(papers: Path, tmp_path: Path) -> None:
    write(tmp_path, "secret.md", "secrets/a.md", "root/papers-other/a.md")
    (papers / "out.md").symlink_to(tmp_path / "secret.md")
    (papers / "folder").symlink_to(tmp_path / "secrets")
    (papers / "beside").symlink_to("../papers-other")
    (papers / "nowhere.md").symlink_to("missing.md")
    (papers / "loop.md").symlink_to("loop.md")
    source = opened(papers)
    assert entries(source) == []
    out, nowhere = "is a link that leads out of the folder", "is a link that leads nowhere"
    assert failed(source) == {"papers/loop.md": nowhere, "papers/nowhere.md": nowhere, "papers/out.md": out}
    assert skipped(source) == {"papers/beside": out, "papers/folder": out}
    for locator in ("out.md", "folder/a.md", "beside/a.md", "../papers-other/a.md", "/etc/passwd", "a/../../x", ""):
        assert isinstance(source.read(Entry("papers/x.md", locator, 0)), FailedFile)


def test_links_inside_the_folder_are_read_and_make_no_circles(papers: Path) -> None:
    write(papers, "2025/a.md", ".store/b.md")
    (papers / "latest.md").symlink_to("2025/a.md")
    (papers / "stored.md").symlink_to(papers / ".store" / "b.md")
    (papers / "2025" / "up").symlink_to("..")
    source = opened(papers)
    assert entries(source) == ["papers/2025/a.md", "papers/latest.md", "papers/stored.md"]
    assert failed(source) == {}
    assert skipped(source) == {"papers/.store/": "hidden", "papers/2025/up": "is a link to a folder"}
    item = source.read(Entry("papers/latest.md", "latest.md", 0))
    assert isinstance(item, Item)
    assert (item.data, item.id) == (b"2025/a.md", file_id("papers/latest.md"))


def test_a_file_swapped_for_a_link_after_the_listing_is_not_followed(papers: Path, tmp_path: Path) -> None:
    write(papers, "a.md", "deep/b.md")
    write(tmp_path, "secret.md", "secrets/b.md")
    source = opened(papers)
    listed = [entry for entry in source.list() if isinstance(entry, Entry)]
    (papers / "a.md").unlink()
    (papers / "a.md").symlink_to(tmp_path / "secret.md")
    (papers / "deep").rename(papers / "moved")
    (papers / "deep").symlink_to(tmp_path / "secrets")
    assert all(isinstance(source.read(entry), FailedFile) for entry in listed)


def test_odd_names_are_refused_by_a_name_that_can_be_shown(papers: Path) -> None:
    for name in (b"\xff\xfe.md", b"a\nb.md"):
        (papers / os.fsdecode(name)).write_text("x")
    write(papers, "good.md")
    (papers / os.fsdecode(b"\xe9")).mkdir()
    source = opened(papers)
    assert entries(source) == ["papers/good.md"]
    assert failed(source) == {
        "papers/a\ufffdb.md": "has a name with control characters",
        "papers/\ufffd\ufffd.md": "has a name that is not valid UTF-8",
        "papers/\ufffd": "has a name that is not valid UTF-8",
    }


def test_decomposed_names_are_shown_composed_and_found_again(papers: Path) -> None:
    name = unicodedata.normalize("NFD", "caf\u00e9/r\u00e9sum\u00e9.md")
    write(papers, name)
    source = opened(papers, ["caf\u00e9/*.md"])
    [entry] = source.list()
    assert isinstance(entry, Entry)
    assert entry.path == "papers/caf\u00e9/r\u00e9sum\u00e9.md"
    assert isinstance(source.read(entry), Item)
    assert source.still_there(entry.path)


def test_two_spellings_of_one_name_are_one_document_and_a_refusal(papers: Path) -> None:
    for form in ("NFC", "NFD"):
        (papers / unicodedata.normalize(form, "caf\u00e9.md")).write_text(form)
    if len(list(papers.iterdir())) == 1:
        pytest.skip("this disk knows only one spelling")
    source = opened(papers)
    [entry] = [entry for entry in source.list() if isinstance(entry, Entry)]
    assert isinstance(item := source.read(entry), Item)
    assert item.data == b"NFC"
    assert failed(source) == {"papers/caf\u00e9.md": "has the same name as another file, but for its Unicode form"}


def test_a_file_that_is_too_large_is_refused_also_if_it_grew(papers: Path) -> None:
    (papers / "big.md").write_bytes(b"x" * 1_001)
    write(papers, "grows.md")
    source = opened(papers)
    [entry] = [entry for entry in source.list() if isinstance(entry, Entry)]
    assert failed(source) == {"papers/big.md": "is larger than 0.001 MB"}
    (papers / "grows.md").write_bytes(b"x" * 1_001)
    assert source.read(entry) == FailedFile("papers/grows.md", "is larger than 0.001 MB")


def test_a_file_that_vanishes_is_refused_as_gone(papers: Path) -> None:
    write(papers, "a.md", "deep/b.md")
    source = opened(papers)
    listed = [entry for entry in source.list() if isinstance(entry, Entry)]
    (papers / "a.md").unlink()
    (papers / "deep" / "b.md").unlink()
    (papers / "deep").rmdir()
    assert [source.read(entry) for entry in listed] == [FailedFile(entry.path, "is gone") for entry in listed]


def test_what_may_not_be_read_is_failed(papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(papers, "a.md", "shut/b.md")
    source = opened(papers)
    real = os.open

    def denied(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        # The superuser, who may run these tests, is never denied anything.
        if path in {"a.md", "shut"}:
            raise PermissionError(13, "denied")
        return real(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", denied)
    assert failed(source) == {"papers/shut": "is a folder that cannot be opened"}
    reason = "may not be read by this service"
    assert source.read(Entry("papers/a.md", "a.md", 4)) == FailedFile("papers/a.md", reason)


def test_a_deep_tree_is_walked_to_its_limit_and_no_further(papers: Path) -> None:
    here = Path.cwd()
    os.chdir(papers)
    try:
        for _ in range(45):
            Path("x" * 100).mkdir()
            os.chdir("x" * 100)
            Path("a.md").write_text("x")
    finally:
        os.chdir(here)
    source = opened(papers)
    assert len(entries(source)) == 40
    assert list(failed(source).values()) == ["is a folder in too many others"]


def test_a_mirror_keeps_what_is_read_or_fails_and_nothing_else(papers: Path) -> None:
    write(papers, "a.md", "b.txt", "deep/c.md", "drafts/d.md", "build/e.md", "folder.md/f.md", "node_modules/g.md")
    (papers / ".gitignore").write_text("build/\n")
    (papers / "big.md").write_bytes(b"x" * 1_001)
    source = opened(papers, ["*.md"], ["drafts/"])
    assert source.still_there("papers/a.md")
    assert source.still_there("papers/deep/c.md")
    assert source.still_there("papers/big.md")
    assert source.still_there("papers/folder.md/f.md")
    assert not source.still_there("papers/b.txt")
    assert not source.still_there("papers/drafts/d.md")
    assert not source.still_there("papers/build/e.md")
    assert not source.still_there("papers/node_modules/g.md")
    assert not source.still_there("papers/folder.md")
    assert not source.still_there("papers/gone.md")
    assert not source.still_there("papers/caf\u00e9.md")
    assert not source.still_there("papers/gone\u00e9/c.md")
    assert not source.still_there("papers/a.md/c.md")


def test_a_folder_that_is_gone_is_a_failure_and_no_empty_folder(papers: Path) -> None:
    write(papers, "a.md")
    source = opened(papers)
    papers.rename(papers.parent / "elsewhere")
    with pytest.raises(NotFound):
        list(source.list())
    with pytest.raises(NotFound):
        source.still_there("papers/a.md")
