from pathlib import Path

import pytest

from app.cli.known_folders import find_original, remember_folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def notes(parent: Path, *files: str) -> Path:
    folder = parent / "notes"
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


def test_a_file_of_a_folder_that_was_read_is_found(data: Path, tmp_path: Path) -> None:
    folder = notes(tmp_path, "2025/a b.md")
    assert find_original(data, "notes/2025/a b.md") is None
    remember_folder(data, folder)
    assert find_original(data, "notes/2025/a b.md") == folder / "2025" / "a b.md"
    assert find_original(data, "notes/absent.md") is None
    assert find_original(data, "other/2025/a b.md") is None
    assert find_original(data, "notes") is None


def test_of_folders_with_the_same_name_the_last_one_counts(data: Path, tmp_path: Path) -> None:
    one, two = notes(tmp_path / "one", "a.md", "b.md"), notes(tmp_path / "two", "a.md")
    for folder in (one, two):
        remember_folder(data, folder)
    assert find_original(data, "notes/a.md") == two / "a.md"
    assert find_original(data, "notes/b.md") == one / "b.md"
    remember_folder(data, one)
    assert find_original(data, "notes/a.md") == one / "a.md"


def test_a_folder_that_is_read_again_is_noted_once(data: Path, tmp_path: Path) -> None:
    folder = notes(tmp_path, "a.md")
    for _ in range(3):
        remember_folder(data, folder)
        remember_folder(data, tmp_path / "other")
    assert len((data / "folders.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize("path", ["notes/../secret.txt", "notes//etc/passwd", "notes/link.md"])
def test_a_path_never_leads_out_of_its_folder(data: Path, tmp_path: Path, path: str) -> None:
    folder = notes(tmp_path, "a.md")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.md").symlink_to(tmp_path / "secret.txt")
    remember_folder(data, folder)
    assert find_original(data, path) is None
