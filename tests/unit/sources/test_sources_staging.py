import io
import json
import os
import time
from pathlib import Path

import pytest

from indexer.archives.ids import file_id
from indexer.errors import Invalid, NotFound, Unavailable
from indexer.tenancy import TeamId
from workers.sources.interface import Entry, FailedFile, Item
from workers.sources.settings import SourceSettings
from workers.sources.skipped import NO_READER, SkippedFile, SkippedFiles
from workers.sources.uploads.staging import UploadStaging

TEAM = TeamId("main")
SETTINGS = SourceSettings(max_file_mb=0.001, max_upload_mb=0.003)
Listed = dict[str, str | bytes]


@pytest.fixture
def staging(tmp_path: Path) -> UploadStaging:
    return UploadStaging(tmp_path / "data" / "uploads")


def stage(staging: UploadStaging, files: dict[str, bytes], root: str = "upload") -> str:
    return staging.stage(TEAM, ((name, io.BytesIO(data)) for name, data in files.items()), root, SETTINGS)


def contents(staging: UploadStaging, staged: str) -> Listed:
    source = staging.open_upload(TEAM, staged, SETTINGS)
    found: Listed = {}
    for entry in source.list():
        if isinstance(entry, FailedFile):
            found[entry.path] = entry.reason
        elif isinstance(entry, Entry):
            item = source.read(entry)
            assert isinstance(item, Item)
            found[entry.path] = item.data
    return found


def test_sent_files_are_read_back_under_the_roots_name(staging: UploadStaging) -> None:
    staged = stage(staging, {"a.md": b"# A", "deep/er/b.txt": b"B", "cafe\u0301.md": b"C", "back\\slash.md": b"D"})
    assert contents(staging, staged) == {
        "upload/a.md": b"# A",
        "upload/back\\slash.md": b"D",
        "upload/caf\u00e9.md": b"C",
        "upload/deep/er/b.txt": b"B",
    }


def test_a_sent_file_has_the_id_of_one_read_by_path(staging: UploadStaging) -> None:
    staged = stage(staging, {"2025-05-20/a.md": b"# A"}, root="research")
    source = staging.open_upload(TEAM, staged, SETTINGS)
    item = source.read(Entry("research/2025-05-20/a.md", "2025-05-20/a.md", 3))
    assert isinstance(item, Item)
    assert (item.id, item.origin, item.fallback_date) == (
        file_id("research/2025-05-20/a.md"),
        "upload:research",
        "2025-05-20",
    )


def test_uploads_of_one_root_are_told_apart_by_their_origins(staging: UploadStaging) -> None:
    def origin(root: str, given: str | None) -> str:
        staged = staging.stage(TEAM, [("a.md", io.BytesIO(b"# A"))], root, SETTINGS, given)
        return staging.open_upload(TEAM, staged, SETTINGS).origin

    assert origin("docs", None) == origin("docs", None) != origin("notes", None)
    assert origin("docs", "one") == origin("docs", "one") != origin("docs", "two")
    assert origin("docs", "one") != origin("docs", None)


def test_bad_names_are_named_and_spoil_nothing(staging: UploadStaging) -> None:
    sent = {
        "../../out.md": b"x",
        "/abs.md": b"x",
        "a\nb.md": b"x",
        "good.md": b"good",
        ".hidden.md": b"x",
        "a.png": b"x",
    }
    staged = stage(staging, sent)
    assert contents(staging, staged) == {
        "upload/../../out.md": "has a path that leads out of the upload",
        "upload//abs.md": "has a path that leads out of the upload",
        "upload/a\ufffdb.md": "has a name with control characters",
        "upload/good.md": b"good",
    }
    left_out = (SkippedFile("upload/.hidden.md", "hidden"), SkippedFile("upload/a.png", NO_READER, ".png"))
    assert staging.open_upload(TEAM, staged, SETTINGS).skipped == SkippedFiles(2, left_out, {".png": 1})


def test_two_files_of_one_name_are_not_mixed(staging: UploadStaging) -> None:
    files = [("a.md", io.BytesIO(b"first")), ("./a.md", io.BytesIO(b"second")), ("a.md/b.md", io.BytesIO(b"third"))]
    found = contents(staging, staging.stage(TEAM, files, "upload", SETTINGS))
    assert found.pop("upload/a.md") == b"first"
    assert found == dict.fromkeys(["upload/./a.md", "upload/a.md/b.md"], "has the name of another file in the upload")


def test_a_file_that_is_too_large_is_refused_by_name(staging: UploadStaging) -> None:
    found = contents(staging, stage(staging, {"big.md": b"x" * 1_001, "good.md": b"x" * 1_000}))
    assert found == {"upload/big.md": "is larger than 0.001 MB", "upload/good.md": b"x" * 1_000}


def test_an_upload_that_is_too_large_leaves_nothing_behind(staging: UploadStaging, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="more than"):
        stage(staging, {f"{number}.md": b"x" * 900 for number in range(4)})
    assert staging.staged() == []
    assert list((tmp_path / "data" / "uploads").iterdir()) == []


@pytest.mark.parametrize("root", ["", "..", "a/b", "a\nb"])
def test_a_root_that_is_no_name_is_refused(staging: UploadStaging, root: str) -> None:
    with pytest.raises(Invalid):
        stage(staging, {"a.md": b"x"}, root=root)


def test_uploads_are_listed_with_their_time_until_discarded(staging: UploadStaging) -> None:
    before = time.time() - 5
    staged = stage(staging, {"a.md": b"x"})
    [(listed, completed)] = staging.staged()
    assert listed == staged
    assert before < completed < time.time() + 5
    staging.discard(staged)
    staging.discard(staged)
    assert staging.staged() == []
    with pytest.raises(NotFound):
        staging.open_upload(TEAM, staged, SETTINGS)


@pytest.mark.parametrize("staged", ["..", "../uploads", "u_" + "0" * 24, "/etc", ""])
def test_an_upload_that_is_not_there_is_gone(staging: UploadStaging, staged: str) -> None:
    kept = stage(staging, {"a.md": b"x"})
    with pytest.raises(NotFound):
        staging.open_upload(TEAM, staged, SETTINGS)
    staging.discard(staged)
    assert [id_ for id_, _ in staging.staged()] == [kept]


def test_nothing_staged_is_an_empty_list(staging: UploadStaging) -> None:
    assert staging.staged() == []


def test_what_a_killed_process_left_is_removed_after_a_day(staging: UploadStaging, tmp_path: Path) -> None:
    left, fresh = (tmp_path / "data" / "uploads" / f"u_{number}.part" for number in "12")
    for part in (left, fresh):
        part.mkdir(parents=True)
    os.utime(left, (0, 0))
    stage(staging, {"a.md": b"x"})
    assert not left.exists()
    assert fresh.exists()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(Unavailable, match="could not be stored"):
        stage(UploadStaging(tmp_path / "data" / "uploads"), {"a.md": b"x"})


def test_nobody_else_may_read_an_upload(staging: UploadStaging, tmp_path: Path) -> None:
    staged = stage(staging, {"a.md": b"x"})
    files = tmp_path / "data" / "uploads" / staged / "files"
    assert files.stat().st_mode & 0o077 == 0
    assert (files / "a.md").stat().st_mode & 0o077 == 0


def test_an_upload_that_an_earlier_version_staged_is_read(staging: UploadStaging, tmp_path: Path) -> None:
    staged = stage(staging, {"a.md": b"x"})
    manifest = {"root": "upload", "origin": "upload:upload", "refused": {"upload/b.md": "is empty"}, "whole": True}
    (tmp_path / "data" / "uploads" / staged / "upload.json").write_text(json.dumps(manifest))
    assert contents(staging, staged) == {"upload/a.md": b"x", "upload/b.md": "is empty"}


def test_files_of_one_bad_name_are_each_accounted_for(staging: UploadStaging) -> None:
    files = [(name, io.BytesIO(b"x")) for name in ("/a.md", "/a.md", "a.png", "a.png")]
    source = staging.open_upload(TEAM, staging.stage(TEAM, files, "upload", SETTINGS), SETTINGS)
    assert len(source.failed) == 2
    assert source.skipped.count == 2


def test_what_was_sent_or_refused_is_still_there_for_a_mirror(staging: UploadStaging) -> None:
    source = staging.open_upload(TEAM, stage(staging, {"a.md": b"x", "big.md": b"x" * 2_000}), SETTINGS)
    assert source.still_there("upload/a.md")
    assert source.still_there("upload/big.md")
    assert not source.still_there("upload/gone.md")
