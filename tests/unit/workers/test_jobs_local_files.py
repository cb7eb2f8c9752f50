import io
import json
import os
import tarfile
from pathlib import Path

import pytest

from app.cli.ingestion import Options, Task, tasks_of
from app.http.byte_stream import ByteStream
from indexer.archives.ids import file_id
from indexer.errors import Invalid, NotFound
from tests.unit.workers.jobs_workplace import TEAM
from workers.local_files import TAR, LocalFiles, files_of_folder, single_files
from workers.sources.files import FileSource
from workers.sources.interface import Entry, FailedFile
from workers.sources.settings import SourceSettings
from workers.sources.skipped import NO_READER, SkippedFile, SkippedFiles
from workers.sources.uploads.packing import PackingNote, read_note
from workers.sources.uploads.staging import UploadStaging

LIMIT = 1_000


def write(folder: Path, *names: str, text: str = "# A note\n") -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def sent(sending: LocalFiles) -> dict[str, tuple[bytes, float]]:
    stream = io.BytesIO(b"".join(sending.tar(lambda _: None)))
    with tarfile.open(fileobj=stream) as archive:
        return {
            member.name: (archive.extractfile(member).read(), member.mtime)
            for member in archive
            if read_note(member.pax_headers) is None
        }


def arrived(sending: LocalFiles, tmp_path: Path) -> FileSource:
    """Return the upload as the service opens it."""
    staging = UploadStaging(tmp_path / "uploads")
    stream = ByteStream(sending.tar(lambda _: None))
    staged = staging.stage(TEAM, [(TAR, stream)], sending.source.root_name, SourceSettings())
    return staging.open_upload(TEAM, staged, SourceSettings())


def folder(path: Path, *, include: tuple[str, ...] = (), exclude: tuple[str, ...] = ()) -> LocalFiles:
    return files_of_folder(path, include=include, exclude=exclude, ignore=True, mirror=False, limit=LIMIT)


def options(**given: object) -> Options:
    defaults = {"include": (), "exclude": (), "ignore": True, "mirror": False, "roots": (), "max_file_bytes": LIMIT}
    return Options(**{**defaults, **given})


def test_a_folder_is_sent_as_a_tar_with_the_ways_below_it_and_the_times_of_its_files(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    write(notes, "a.md", "2025-05-20/Zoë 海.md", f"{'deep/' * 30}{'x' * 90}.md")
    os.utime(notes / "a.md", (1_600_000_000, 1_600_000_000))
    sending = folder(notes)
    members = sent(sending)
    assert set(members) == {"a.md", "2025-05-20/Zoë 海.md", f"{'deep/' * 30}{'x' * 90}.md"}
    assert members["a.md"] == (b"# A note\n", 1_600_000_000)
    assert sending.source.root_name == "notes"
    assert {file_id(entry.path) for entry in sending.entries} == {file_id(f"notes/{name}") for name in members}


def test_filters_hidden_files_and_unreadable_kinds_are_those_of_the_service(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b.txt", "drafts/c.md", ".git/d.md", "picture.png")
    assert set(sent(folder(tmp_path))) == {"a.md", "b.txt", "drafts/c.md"}
    assert set(sent(folder(tmp_path, include=("*.md",), exclude=("drafts/",)))) == {"a.md"}


def test_what_cannot_be_sent_or_is_left_out_is_told_with_its_reason(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    write(notes, "big.md", text="x" * (LIMIT + 1))
    write(notes, "small.md", "gone.md", "a.dwg", "b.DWG", "plan", "node_modules/x.md", ".hidden.md")
    write(notes, ".gitignore", text="private/\n")
    write(notes, "private/a.md", "private/b.md")
    sending = folder(notes)
    (notes / "gone.md").unlink()
    assert set(sent(sending)) == {"small.md"}
    source = arrived(sending, tmp_path)
    assert [each for each in source.list() if not isinstance(each, SkippedFiles)] == [
        FailedFile("notes/big.md", "is larger than 0.001 MB"),
        FailedFile("notes/gone.md", "is gone"),
        Entry("notes/small.md", "small.md", 9),
    ]
    assert {file.path: file.reason for file in source.skipped.first} == {
        "notes/.gitignore": "hidden",
        "notes/.hidden.md": "hidden",
        "notes/a.dwg": NO_READER,
        "notes/b.DWG": NO_READER,
        "notes/node_modules/": "left out by default: node_modules/",
        "notes/plan": NO_READER,
        "notes/private/": "left out by .gitignore: private/",
    }
    assert source.skipped.count == 7
    assert source.skipped.kinds == {".dwg": 2, "no extension": 1}


def test_a_mirror_keeps_what_could_not_be_sent_and_not_what_was_left_out(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    write(notes, "big.md", text="x" * (LIMIT + 1))
    write(notes, "a.md", "node_modules/x.md", "drafts/b.md")
    source = arrived(folder(notes, exclude=("drafts/",)), tmp_path)
    assert source.still_there("notes/a.md")
    assert source.still_there("notes/big.md")
    assert not source.still_there("notes/node_modules/x.md")
    assert not source.still_there("notes/drafts/b.md")


def test_any_number_of_files_that_are_left_out_takes_little_room(tmp_path: Path) -> None:
    write(tmp_path / "many", *(f"{number}.png" for number in range(1_500)), *(f"a.k{number}" for number in range(150)))
    sending = folder(tmp_path / "many")
    assert len(b"".join(sending.tar(lambda _: None))) < 50_000
    skipped = arrived(sending, tmp_path).skipped
    assert (skipped.count, len(skipped.first), sum(skipped.kinds.values())) == (1_650, 100, 1_650)
    assert len(skipped.kinds) == 101
    assert skipped.kinds["other"] > 0


@pytest.mark.parametrize(
    "record",
    [
        "no json",
        '{"count": 1, "first": [], "kinds": {".a": 2}}',
        '{"count": 1, "first": [], "kinds": {".a": -1}}',
        '{"count": 0, "first": [{"path": "a", "reason": "b"}], "kinds": {}}',
        '{"count": 2000000000, "first": [], "kinds": {}}',
    ],
)
def test_a_note_of_skipped_files_that_cannot_be_true_is_no_note(record: str) -> None:
    assert read_note({"TRAWL.skipped": record}) is None


def test_a_note_is_cleaned_before_it_is_kept() -> None:
    record = {"count": 3, "first": [{"path": "a\n" + "x" * 5_000, "reason": "\x1b" * 500}], "kinds": {"\x1b[2J": 2}}
    note = read_note({"TRAWL.skipped": json.dumps(record)})
    assert note is not None
    assert note.skipped is not None
    [file] = note.skipped.first
    assert (len(file.path), len(file.reason), note.skipped.kinds) == (1_000, 200, {"other": 2})
    assert not {"\n", "\x1b"} & set(file.path + file.reason)
    assert read_note({"TRAWL.failed": "x" * 500}) == PackingNote(failed="x" * 200)


def test_an_empty_folder_is_an_upload_without_files(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    source = arrived(folder(tmp_path / "empty"), tmp_path)
    assert source.complete
    assert list(source.list()) == []


def test_the_bytes_of_each_file_are_told_as_it_goes_out(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b.md")
    told: list[int] = []
    sending = folder(tmp_path)
    for _ in sending.tar(told.append):
        pass
    assert told == [9, 9]
    assert sending.size == 18


def test_a_single_file_has_the_id_that_it_has_in_its_folder(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    write(notes, "a.md", "b.md", "c.png")
    sending = single_files(notes, ["a.md", "c.png"], limit=LIMIT)
    assert [entry.path for entry in sending.entries] == ["notes/a.md"]
    assert sending.skipped == SkippedFiles.of([SkippedFile("notes/c.png", NO_READER, ".png")])
    assert set(sent(sending)) == {"a.md"}


def test_a_single_file_is_read_whatever_the_ignore_rules_of_its_folder(tmp_path: Path) -> None:
    write(tmp_path / "node_modules", "a.md")
    write(tmp_path / "node_modules", ".gitignore", text="*\n")
    assert set(sent(single_files(tmp_path / "node_modules", ["a.md"], limit=LIMIT))) == {"a.md"}


def test_single_files_that_are_large_or_gone_are_failures(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    write(notes, "big.md", text="x" * (LIMIT + 1))
    assert single_files(notes, ["big.md", "gone.md"], limit=LIMIT).failed == (
        FailedFile("notes/big.md", "is larger than 0.001 MB"),
        FailedFile("notes/gone.md", "is gone"),
    )


def test_what_is_named_is_sorted_into_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "notes", "a.md", "b.md")
    write(tmp_path / "more", "c.md")
    monkeypatch.chdir(tmp_path)
    given = ["https://a.example/x", "notes", "HTTP://b.example", "notes/a.md", "notes/b.md", "more/c.md", "notes/"]
    assert tasks_of(given, options()) == [
        Task(urls=("https://a.example/x", "HTTP://b.example")),
        Task(folder=tmp_path / "notes"),
        Task(folder=tmp_path / "notes", files=("a.md", "b.md")),
        Task(folder=tmp_path / "more", files=("c.md",)),
    ]


def test_a_linked_folder_keeps_the_name_that_was_given(tmp_path: Path) -> None:
    write(tmp_path / "real", "a.md")
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    (task,) = tasks_of([str(tmp_path / "linked")], options())
    assert task.folder is not None
    assert folder(task.folder).entries[0].path == "linked/a.md"


def test_what_does_not_exist_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no file or folder"):
        tasks_of([str(tmp_path / "absent")], options())


@pytest.mark.parametrize("what", ["https://a.example", "a.md"])
def test_only_folders_can_be_mirrored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    write(tmp_path, "a.md")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Invalid, match="--mirror works with folders only"):
        tasks_of([what], options(mirror=True))


def test_pieces_are_read_like_a_file() -> None:
    stream = ByteStream(iter([b"abc", b"", b"d"]))
    assert [stream.read(2), stream.read(2), stream.read(9), stream.read(9)] == [b"ab", b"c", b"d", b""]
