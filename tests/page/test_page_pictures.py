"""The pictures in the README: they are there, and can be taken again at any time."""

import struct
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.page.pictures import HEIGHT, IMAGES, NAMES, WIDTH, take_pictures
from tests.service import Service


def size_of(picture: Path) -> tuple[int, int]:
    """Return width and height of a PNG."""
    data = picture.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_in_the_readme_is_there(name: str) -> None:
    assert size_of(IMAGES / name) == (WIDTH, HEIGHT)
    assert (IMAGES / name).stat().st_size < 300_000


def test_the_pictures_are_taken_from_the_page(page: Page, service: Service, tmp_path: Path) -> None:
    take_pictures(page, service, tmp_path)
    for name in NAMES:
        assert size_of(tmp_path / name) == (WIDTH, HEIGHT)
