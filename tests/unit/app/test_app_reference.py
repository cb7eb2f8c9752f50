from pathlib import Path

import pytest

from tests.reference import pages

PAGES = pages()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_generated_pages_are_those_of_the_code(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == PAGES[path], "run `make docs`"
