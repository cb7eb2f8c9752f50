"""The files of the page, in memory, and the frame that all views share."""

import gzip
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Final, Self

FOLDER: Final = Path(__file__).parent
PREFIX: Final = "/page/"
_MEDIA_TYPES: Final = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
_PLACEHOLDER: Final = re.compile(r"\{(version|title|content)\}")
_WAITING: Final = (
    "<noscript><p>Searching here needs JavaScript. Agents and programs use /mcp and /api/v1.</p></noscript>"
)


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file."""

    content: bytes
    media_type: str

    @cache  # noqa: B019 - the files live as long as the process
    def gzipped(self) -> bytes:
        """Return the file as browsers fetch it."""
        return gzip.compress(self.content, mtime=0)


@dataclass(frozen=True, slots=True)
class PageFiles:
    """All files by their path below the folder."""

    files: dict[str, PageFile]
    version: str
    """Stands in the address of each file, which a browser may then keep for ever."""
    frame: str

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read all files."""
        paths = sorted(path for path in folder.rglob("*") if path.suffix in _MEDIA_TYPES)
        files = {
            path.relative_to(folder).as_posix(): PageFile(path.read_bytes(), _MEDIA_TYPES[path.suffix])
            for path in paths
        }
        digest = hashlib.sha256()
        for name, file in files.items():
            digest.update(f"{name}\0{len(file.content)}\0".encode() + file.content)
        return cls(files, digest.hexdigest()[:12], (folder / "shell.html").read_text("utf-8"))

    def shell(self, title: str = "Trawl", content: str = _WAITING) -> str:
        """Return the frame of all views; `content` is HTML, whose texts are escaped already."""
        values = {"version": self.version, "title": escape(title), "content": content}
        return _PLACEHOLDER.sub(lambda found: values[found[1]], self.frame)


@cache
def page_files() -> PageFiles:
    """Return the files of this package. They are read at the first request for the page, not at the start."""
    return PageFiles.read(FOLDER)
