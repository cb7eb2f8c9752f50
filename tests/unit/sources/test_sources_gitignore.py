"""Patterns of ignore files: read as git reads them, which a comparison with git itself shows."""

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from workers.sources.files import FileSource
from workers.sources.gitignore import PatternList, read_pattern
from workers.sources.interface import Entry
from workers.sources.tree import Tree

EXAMPLES = 3_000 if os.environ.get("TRAWL_THOROUGH") else 150
TREE = (
    "a.md",
    "b.md",
    "ab.md",
    "x y.md",
    "[a].md",
    "!a.md",
    "#a.md",
    "a/a.md",
    "a/b/a.md",
    "a/b/ab.md",
    "b/a/b.md",
    "b/ab/a.md",
    "ab/a/b/ab.md",
)
FOLDERS = ("", "a", "a/b", "b", "ab")
PIECES = (
    "a",
    "b",
    "ab",
    ".md",
    "*",
    "?",
    "**",
    "/",
    "/**/",
    "[ab]",
    "[!a]",
    "[^b-z]",
    "[[:alpha:]]",
    "\\",
    " ",
    "#",
    "!",
)
LINES = st.one_of(
    # In `a**/b`, git forgets what stands before the stars, which its documentation says are plain ones.
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=6)
    .map("".join)
    .filter(lambda line: not re.search(r"[^/*!]\*\*", line)),
    st.sampled_from(["*", "!*/", "!*.md", "a/", "!a/", "/a", "b/", "!b/", "a/*", "!a/b", "**/b", "a/**", "a/**/"]),
)
IGNORE_FILES = st.dictionaries(st.sampled_from(FOLDERS), st.lists(LINES, min_size=1, max_size=5), max_size=3)


def matches(pattern: str, path: str, *, is_folder: bool = False) -> bool:
    read = read_pattern(pattern)
    return read is not None and PatternList([read]).last_match(path.split("/"), is_folder=is_folder) is not None


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("foo/**", "foo/a/b"),
        ("foo/**/bar", "foo/bar"),
        ("foo/**/bar", "foo/a/b/bar"),
        ("**/foo", "foo"),
        ("**/foo/bar", "a/foo/bar"),
        ("a**b", "axb"),
        ("***/foo", "a/foo"),
        ("trailing\\ ", "trailing "),
        ("trailing  ", "trailing"),
        ("\\!a", "!a"),
        ("\\#a", "#a"),
        ("[]-]", "]"),
        ("[!]a-]", "b"),
        ("[a-c-]", "-"),
        ("[\\]]", "]"),
        ("[[:digit:]a]", "7"),
        ("a[[:punct:]]b", "a-b"),
        ("[z-a]", "z"),
        ("a.b", "a.b"),
        ("caf?", "caf\u00e9"),
        ("a\nb", "a\nb"),
    ],
)
def test_a_pattern_matches(pattern: str, path: str) -> None:
    assert matches(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("foo/**", "foo"),
        ("a**b", "a/b"),
        ("foo/*", "foo/a/b"),
        ("[a-c", "a"),
        ("a\\", "a"),
        ("[[:nope:]]", "n"),
        ("a[[:punct:]]b", "a/b"),
        ("a[+-9]b", "a/b"),
        ("a[!x]b", "a/b"),
        ("a?b", "a/b"),
        ("A", "a"),
        ("", "a"),
        ("/", "a"),
        ("# a", "# a"),
    ],
)
def test_a_pattern_does_not_match(pattern: str, path: str) -> None:
    assert not matches(pattern, path)


def test_a_pattern_with_a_slash_at_its_end_is_for_folders() -> None:
    assert matches("build/", "deep/build", is_folder=True)
    assert not matches("build/", "deep/build")


def test_the_last_pattern_that_matches_decides() -> None:
    patterns = [pattern for line in ("*.md", "!keep.md", "docs/*") if (pattern := read_pattern(line)) is not None]
    rules = PatternList(patterns)
    assert rules.last_match(["keep.md"], is_folder=False) == patterns[1]
    assert rules.last_match(["a.md"], is_folder=False) == patterns[0]
    assert rules.last_match(["docs", "keep.md"], is_folder=False) == patterns[2]
    assert rules.last_match(["a.txt"], is_folder=False) is None


def test_patterns_that_are_made_to_be_slow_or_large_are_matched_all_the_same() -> None:
    lines = [("*" + "abcd"[number % 4]) * 200 + str(number) for number in range(300)]
    lines += ["[!\u4e00-\u4e05]" * 100 + str(number) for number in range(300)]
    lines += [f"name-{number}" for number in range(5_000)]
    started = time.monotonic()
    rules = PatternList(pattern for line in lines if (pattern := read_pattern(line)) is not None)
    for _ in range(100):
        assert rules.last_match(["abcd" * 50], is_folder=False) is None
    found = rules.last_match(["name-4999"], is_folder=False)
    assert found is not None
    assert found.text == "name-4999"
    assert time.monotonic() - started < 20


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)
@given(ignored=IGNORE_FILES)
@example(ignored={"": ["*.md"], "a": ["!b/"]})
@example(ignored={"": ["b/"], "a": ["!b/"]})
@example(ignored={"": ["*", "!*/", "!a.md"]})
@example(ignored={"": ["a/*", "!a/b/", "a/b/*", "!a/b/ab.md"]})
@example(ignored={"": ["a/**/"], "b": ["/a"]})
def test_the_files_that_are_read_are_those_that_git_does_not_ignore(ignored: Mapping[str, list[str]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "tree"
        lay_out(folder, ignored)
        assert listed_by_us(folder) == listed_by_git(folder)


@settings(max_examples=50, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(ours=IGNORE_FILES, gits=IGNORE_FILES)
def test_trawlignore_counts_as_if_it_stood_at_the_end_of_gitignore(
    ours: Mapping[str, list[str]], gits: Mapping[str, list[str]]
) -> None:
    joined = {folder: [*gits.get(folder, ()), *ours.get(folder, ())] for folder in {*gits, *ours}}
    with tempfile.TemporaryDirectory() as name:
        one, two = Path(name) / "one", Path(name) / "two"
        lay_out(one, gits)
        lay_out(one, ours, ".trawlignore")
        lay_out(two, joined)
        assert listed_by_us(one) == listed_by_us(two)


def lay_out(folder: Path, ignored: Mapping[str, list[str]], name: str = ".gitignore") -> None:
    for path in TREE:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("text")
    for below, lines in ignored.items():
        (folder / below / name).write_text("\n".join(lines))


def listed_by_us(folder: Path) -> set[str]:
    source = FileSource("tree", "tree", Tree(folder.resolve()), limit=1_000, ignore=True)
    listed = {each.locator for each in source.list() if isinstance(each, Entry)}
    assert {path for path in TREE if source.still_there(f"tree/{path}")} == listed
    return listed


def listed_by_git(folder: Path) -> set[str]:
    environment = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(["git", "init", "-q"], cwd=folder, env=environment, check=True)
    command = ["git", "ls-files", "-z", "--others", "--exclude-per-directory=.gitignore"]
    found = subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True).stdout
    return {path for path in found.decode().split("\0") if path.endswith(".md")}
