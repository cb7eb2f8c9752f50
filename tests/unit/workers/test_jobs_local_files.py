import io
import os
import tarfile
from pathlib import Path

import pytest

from app.cli.ingestion import Options, Task, tasks_of
from app.http.byte_stream import ByteStream
from indexer.archives.ids import file_id
from indexer.errors import Invalid, NotFound
from workers.local_files import LocalFiles, files_of_folder, single_files

LIMIT = 1_000


def write(folder: Path, *names: str, text: str = "# A note\n") -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def sent(sending: LocalFiles) -> dict[str, tuple[bytes, float]]:
    stream = io.BytesIO(b"".join(sending.tar(lambda _: None)))
    with tarfile.open(fileobj=stream) as archive:
        return {member.name: (archive.extractfile(member).read(), member.mtime) for member in archive}


def folder(path: Path, *, include: tuple[str, ...] = (), exclude: tuple[str, ...] = ()) -> LocalFiles:
    return files_of_folder(path, include=include, exclude=exclude, mirror=False, limit=LIMIT)


def options(**given: object) -> Options:
    return Options(**{"include": (), "exclude": (), "mirror": False, "roots": (), "max_file_bytes": LIMIT, **given})


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


def test_what_cannot_be_sent_is_named_with_its_reason(tmp_path: Path) -> None:
    write(tmp_path, "big.md", text="x" * (LIMIT + 1))
    write(tmp_path, "small.md")
    sending = folder(tmp_path)
    assert set(sent(sending)) == {"small.md"}
    assert [(refused.path.rpartition("/")[2], "larger" in refused.reason) for refused in sending.refused] == [
        ("big.md", True)
    ]


def test_a_file_that_is_gone_by_then_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b.md")
    sending = folder(tmp_path)
    (tmp_path / "a.md").unlink()
    assert set(sent(sending)) == {"b.md"}


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
    assert [refused.path for refused in sending.refused] == ["notes/c.png"]
    assert set(sent(sending)) == {"a.md"}


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
