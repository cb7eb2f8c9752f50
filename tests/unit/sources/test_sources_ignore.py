"""What ignore files and built-in rules leave out of a folder, and how that is told."""

import os
import time
from pathlib import Path

import pytest

from workers.sources.files import FileSource
from workers.sources.ignore import MAX_PATTERNS
from workers.sources.interface import Entry
from workers.sources.patterns import Selection
from workers.sources.skipped import SkippedFile
from workers.sources.tree import Tree

CACHE_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# made by a program\n"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def opened(folder: Path, *, ignore: bool = True, include: tuple[str, ...] = ()) -> FileSource:
    selection = Selection.read(include, None)
    return FileSource("notes", "notes", Tree(folder.resolve()), 1_000_000, selection, ignore)


def entries(source: FileSource) -> list[str]:
    found = [entry.locator for entry in source.list() if isinstance(entry, Entry)]
    assert all(source.still_there(f"notes/{path}") for path in found)
    return found


def reasons(source: FileSource) -> dict[str, str]:
    skipped = [each for each in source.list() if isinstance(each, SkippedFile) and each.reason != "hidden"]
    return {each.path.removeprefix("notes/"): each.reason for each in skipped}


def test_a_folder_counts_once_and_the_rule_is_named(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "build/\n*.log.md\n",
            "a.md": "",
            "x.log.md": "",
            "build/b.md": "",
            "build/deep/c.md": "",
            "docs/.gitignore": "/drafts\n",
            "docs/drafts/d.md": "",
            "docs/.trawlignore": "e.md\n",
            "docs/e.md": "",
            "docs/f.md": "",
        },
    )
    source = opened(tmp_path)
    assert entries(source) == ["a.md", "docs/f.md"]
    assert reasons(source) == {
        "build/": "left out by .gitignore: build/",
        "docs/drafts/": "left out by docs/.gitignore: /drafts",
        "docs/e.md": "left out by docs/.trawlignore: e.md",
        "x.log.md": "left out by .gitignore: *.log.md",
    }
    assert not source.still_there("notes/build/b.md")
    assert not source.still_there("notes/docs/e.md")
    assert len(entries(opened(tmp_path, ignore=False))) == 7


def test_trawlignore_and_deeper_files_revoke_what_was_said_before(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "*.md\nnode_modules\n",
            ".trawlignore": "!kept.md\n!node_modules/\n",
            "kept.md": "",
            "a.md": "",
            "node_modules/kept.md": "",
            "sub/.gitignore": "!a.md\nkept.md\n",
            "sub/a.md": "",
            "sub/kept.md": "",
        },
    )
    assert entries(opened(tmp_path)) == ["kept.md", "node_modules/kept.md", "sub/a.md"]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("node_modules/a.md", "node_modules/"),
        ("deep/__pycache__/a.md", "__pycache__/"),
        ("trawl.egg-info/SOURCES.txt", "*.egg-info/"),
        ("bower_components/a.md", "bower_components/"),
    ],
)
def test_folders_that_programs_fill_are_left_out(tmp_path: Path, path: str, reason: str) -> None:
    write(tmp_path, {path: "text", "a.md": "text"})
    source = opened(tmp_path)
    assert entries(source) == ["a.md"]
    assert reasons(source) == {f"{path.rpartition('/')[0]}/": f"left out by default: {reason}"}
    assert len(entries(opened(tmp_path, ignore=False))) == 2


def test_environments_and_caches_are_told_by_what_is_in_them(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "env/pyvenv.cfg": "home = /usr/bin",
            "env/lib/a.md": "",
            "target/CACHEDIR.TAG": CACHE_TAG,
            "target/b.md": "",
            "build/c.md": "",
            "dist/d.md": "",
            "venv/e.md": "",
            "talks/CACHEDIR.TAG": "is a file of this name, too",
            "talks/f.md": "",
        },
    )
    source = opened(tmp_path)
    assert entries(source) == ["build/c.md", "dist/d.md", "talks/f.md", "venv/e.md"]
    assert reasons(source) == {
        "env/": "left out by default: a virtual environment (pyvenv.cfg)",
        "target/": "left out by default: a cache (CACHEDIR.TAG)",
        "talks/CACHEDIR.TAG": "no reader for this kind",
    }
    assert not source.still_there("notes/env/lib/a.md")
    write(tmp_path, {".trawlignore": "!env/\n!target/\n"})
    assert {"env/lib/a.md", "target/b.md"} <= set(entries(opened(tmp_path)))


def test_the_folder_that_was_named_is_read_whatever_it_is(tmp_path: Path) -> None:
    write(tmp_path / "node_modules", {"pyvenv.cfg": "", "CACHEDIR.TAG": CACHE_TAG, "a.md": ""})
    write(tmp_path, {".gitignore": "*\n"})
    assert entries(opened(tmp_path / "node_modules")) == ["a.md"]


def test_an_included_pattern_that_spells_out_a_path_revokes_the_rules_there(tmp_path: Path) -> None:
    files = {".gitignore": "build/\nsecret.md\n", "build/a.md": "", "build/secret.md": "", "node_modules/b.md": ""}
    write(tmp_path, {**files, "secret.md": "", "c.md": ""})
    assert entries(opened(tmp_path, include=("**/*.md",))) == ["c.md"]
    assert entries(opened(tmp_path, include=("build/*.md",))) == ["build/a.md", "build/secret.md"]
    assert entries(opened(tmp_path, include=("/secret.md",))) == ["secret.md"]
    assert entries(opened(tmp_path, include=("node_modules/",))) == ["node_modules/b.md"]


def test_windows_line_ends_and_marks_at_the_start_are_no_part_of_patterns(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_bytes(b"\xef\xbb\xbfa.md\r\nb.md\r\n")
    write(tmp_path, {"a.md": "", "b.md": "", "c.md": ""})
    assert entries(opened(tmp_path)) == ["c.md"]


def test_a_link_is_no_ignore_file_and_that_is_told(tmp_path: Path) -> None:
    write(tmp_path, {"rules": "*.md", "a.md": ""})
    (tmp_path / ".gitignore").symlink_to("rules")
    source = opened(tmp_path)
    assert entries(source) == ["a.md"]
    assert reasons(source)[".gitignore"] == "an ignore file that cannot be read, so it does not apply"


def test_of_a_huge_ignore_file_only_the_beginning_counts_and_that_is_told(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "", "b.md": ""})
    with (tmp_path / ".gitignore").open("w") as file:
        file.write("a.md\n")
        file.writelines(f"*{number}*x*y*z\n" for number in range(500_000))
        file.write("b.md\n")
    started = time.monotonic()
    source = opened(tmp_path)
    assert entries(source) == ["b.md"]
    assert reasons(source)[".gitignore"] == "a long ignore file, of which only the first patterns apply"
    assert time.monotonic() - started < 20


def test_a_long_ignore_file_counts_to_its_end(tmp_path: Path) -> None:
    names = [f"n{number}.md" for number in range(MAX_PATTERNS - 1)]
    write(tmp_path, {".gitignore": "\n".join([*names, "last.md"]), "last.md": "", "n7.md": "", "a.md": ""})
    source = opened(tmp_path)
    assert entries(source) == ["a.md"]
    assert ".gitignore" not in reasons(source)


def test_ignore_files_in_folders_within_folders_are_bounded_together(tmp_path: Path) -> None:
    here = Path.cwd()
    os.chdir(tmp_path)
    try:
        for depth in range(60):
            Path(".gitignore").write_text("\n".join(f"{depth}-{number}*[a-z]?" for number in range(1_000)))
            Path("a.md").write_text("text")
            Path("d").mkdir()
            os.chdir("d")
    finally:
        os.chdir(here)
    started = time.monotonic()
    source = opened(tmp_path)
    assert len(entries(source)) == 60
    assert time.monotonic() - started < 20
    told = [reason for reason in reasons(source).values() if "long ignore file" in reason]
    assert 45 <= len(told) < 60
