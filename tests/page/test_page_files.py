"""The page's files: what they never use, what they import, how they are served, and how large they are."""

import gzip
import re
from pathlib import Path

import pytest

from app.page.files import FOLDER, PREFIX, PageFiles, page_files
from tests.service import application

SCRIPTS = sorted(FOLDER.rglob("*.js"))
FILES = [*SCRIPTS, *sorted(FOLDER.rglob("*.css")), *sorted(FOLDER.rglob("*.html"))]
LINES = 250
BYTES = 150_000
FORBIDDEN = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|DOMParser|srcdoc|document\.write|\beval\("
    r"|new Function|\sstyle=|setAttribute\(\s*[\"'](?:style|on)|[\"']javascript:|<script>|<style",
    re.IGNORECASE,
)
ELSEWHERE = re.compile(
    r"\b(?:src|href)=[\"'](?![/#])|\burl\(\s*[\"']?(?!data:)|@import\b|\bimport\s*\(\s*[\"'](?!\.)"
    r"|\bfrom\s+[\"'](?!\.)"
)
IMPORTED = re.compile(r"(?:\bfrom\s+|\bimport\s*\(?\s*)[\"'](\.{1,2}/[^\"']+)[\"']")
TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}


def name_of(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_file_makes_no_markup_of_texts_and_loads_nothing_from_elsewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert FORBIDDEN.findall(text) == []
    assert ELSEWHERE.findall(text) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_a_script_is_short_says_what_it_is_and_imports_what_exists(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LINES
    assert re.match(r"// [A-Z].+", lines[0])
    # Some disks take names in any case, the service does not.
    known = {each.as_posix() for each in SCRIPTS}
    for target in IMPORTED.findall("\n".join(lines)):
        assert (path.parent / target).resolve().as_posix() in known, target


def test_every_file_of_the_page_is_used() -> None:
    used = set(re.findall(rf"{PREFIX}{{version}}/([^\"]+)", (FOLDER / "shell.html").read_text(encoding="utf-8")))
    waiting = sorted(used)
    while waiting:
        path = FOLDER / waiting.pop()
        if path.suffix != ".js":
            continue
        for target in IMPORTED.findall(path.read_text(encoding="utf-8")):
            name = (path.parent / target).resolve().relative_to(FOLDER.resolve()).as_posix()
            if name not in used:
                used.add(name)
                waiting.append(name)
    assert used == {name_of(path) for path in FILES if path.suffix != ".html"}


async def test_files_are_kept_for_ever_under_their_version_alone(tmp_path: Path) -> None:
    files = page_files()
    async with application(tmp_path) as client:
        shell = (await client.get("/")).text
        assert f'src="{PREFIX}{files.version}/js/main.js"' in shell
        for name in files.files:
            answer = await client.get(f"{PREFIX}{files.version}/{name}", headers={"accept-encoding": "gzip"})
            assert answer.status_code == 200
            assert answer.content == (FOLDER / name).read_bytes()
            assert answer.headers["content-type"] == TYPES[Path(name).suffix]
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert (answer.headers["content-encoding"], answer.headers["vary"]) == ("gzip", "accept-encoding")
            plain = await client.get(answer.request.url, headers={"accept-encoding": "identity"})
            assert (plain.content, "content-encoding" in plain.headers) == (answer.content, False)
        other = await client.get(f"{PREFIX}000000000000/js/main.js")
        assert (other.status_code, other.headers["cache-control"]) == (200, "no-store")
        assert (await client.get("/")).headers["cache-control"] == "no-cache"
        for missing in (
            "js/none.js",
            "../pages.py",
            "%2e%2e/files.py",
            "js/%2e%2e/%2e%2e/files.py",
            "jsconfig.json",
            "files.py",
        ):
            answer = await client.get(f"{PREFIX}{files.version}/{missing}")
            assert answer.status_code == 404, missing


def test_a_change_of_any_file_changes_the_version(tmp_path: Path) -> None:
    (tmp_path / "shell.html").write_text("{version}")
    (tmp_path / "one.js").write_text("1")
    (tmp_path / "two.js").write_text("23")
    before = PageFiles.read(tmp_path).version
    (tmp_path / "one.js").write_text("12")
    (tmp_path / "two.js").write_text("3")
    assert PageFiles.read(tmp_path).version != before


def test_all_files_together_are_small() -> None:
    contents = [path.read_bytes() for path in FILES]
    raw, packed = sum(map(len, contents)), sum(len(gzip.compress(content)) for content in contents)
    print(f"\nthe page: {len(FILES)} files, {raw:,} bytes, {packed:,} with gzip")
    assert packed < BYTES
