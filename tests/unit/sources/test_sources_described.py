"""docs/reading.md says what the code does."""

import re
from pathlib import Path

from workers.parsers.kinds import EXTENSIONS
from workers.sources.ignore import BUILD_FOLDERS, MAX_CHARACTERS, MAX_PATTERNS

PAGE = (Path(__file__).parents[3] / "docs" / "reading.md").read_text("utf-8")


def test_every_extension_that_is_read_is_described_and_no_other() -> None:
    table = PAGE.partition("## Files that are read")[2].partition("##")[0]
    assert set(re.findall(r"`(\.[a-z]+)`", table)) == set(EXTENSIONS)


def test_every_folder_that_is_left_out_by_default_is_described() -> None:
    described = PAGE.partition("**Folders that programs fill.**")[2].partition(";")[0]
    assert {f"{name}/" for name in re.findall(r"`([^`]+)`", described)} == set(BUILD_FOLDERS)


def test_the_limits_of_ignore_files_are_described() -> None:
    assert f"{MAX_PATTERNS:,} patterns with {MAX_CHARACTERS:,} characters" in PAGE
