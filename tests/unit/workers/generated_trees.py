"""Trees of files, as hypothesis generates them: readable and broken files, kinds, ignore files, odd names, links."""

import os
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from hypothesis import strategies as st

from workers.sources.names import shown

LIMIT_BYTES = 1_000


@dataclass(frozen=True)
class Link:
    """A symbolic link."""

    target: str


Tree = Mapping[str, "bytes | Link | Tree"]

_TEXTS = st.sampled_from(
    [b"# A note\n", b"Another text", b"", b"   \n", b"x" * (LIMIT_BYTES + 1), b"\x89PNG\r\n\x1a\n"]
)
_READABLE = ("a.md", "b.txt", "c.html", "UPPER.MD", "broken.pdf", "letter.docx", "-rf *.md", "\u65e5\u672c.md")
_ODD = ("caf\u00e9.md", normalize("NFD", "caf\u00e9.md"), "two\nlines.md", os.fsdecode(b"\xff.md"), "back\\slash.md")
_KINDS = ("p.png", "q.dwg", "Q.DWG", "noext", "x.tar.gz", "end.", "too much of an extension.md is here", "pyvenv.cfg")
_HIDDEN = (".h.md", ".DS_Store", "..md")
_FOLDERS = (
    "sub",
    "sub",
    "build",
    "node_modules",
    ".git",
    ".git",
    "d.md",
    normalize("NFD", "\u00e9"),
    os.fsdecode(b"\xfe"),
)
_LINKS = st.sampled_from(["a.md", "sub", "..", "missing.md", "/etc", "../../outside.md", "l.md", "p.png"]).map(Link)
RULES = st.lists(
    st.sampled_from(
        ["build/", "*.txt", "!b.txt", "/sub", "sub/*", "!sub/a.md", "*", "!*/", "!*.md", "d.md", "!node_modules/"]
    ),
    min_size=1,
    max_size=4,
).map(lambda lines: "\n".join(lines).encode())

_files = st.dictionaries(st.sampled_from(_READABLE + _ODD + _KINDS + _HIDDEN), _TEXTS, max_size=6)
_links = st.dictionaries(st.sampled_from(["l.md", "link", "m.md", "link.png"]), _LINKS, max_size=2)
_rules = st.dictionaries(st.sampled_from([".gitignore", ".trawlignore"]), RULES, max_size=2)


def _folder(below: "st.SearchStrategy[Tree]") -> "st.SearchStrategy[Tree]":
    folders = st.dictionaries(st.sampled_from(_FOLDERS), below, max_size=3)
    return st.builds(
        lambda *parts: {name: each for part in parts for name, each in part.items()}, _files, _links, _rules, folders
    )


_SKELETON: "Tree" = {
    "kept.md": b"# Kept",
    "sub": {"kept.md": b"# Kept, too", "b.txt": b"text", "deep": {"a.md": b"# Deep"}},
    "build": {"kept.md": b"# Built", "b.txt": b"text"},
    ".git": {"one.md": b"# One", "two.md": b"# Two"},
}
"""What every tree has, unless the generated part replaces it, so that no example says nothing."""
TREES: "st.SearchStrategy[Tree]" = st.recursive(_folder(st.just({})), _folder, max_leaves=4).map(
    lambda tree: {**_SKELETON, **tree}
)


def lay_out(folder: Path, tree: Tree) -> None:
    """Write a tree in place of what is in the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in tree.items():
        if isinstance(content, bytes):
            (folder / name).write_bytes(content)
        elif isinstance(content, Link):
            (folder / name).symlink_to(content.target)
        else:
            lay_out(folder / name, content)


@dataclass(frozen=True)
class Inventory:
    """All that is on the disk, by the paths that a job shows."""

    files: Counter[str]
    folders: Counter[str]
    """With a slash at the end."""

    @classmethod
    def of(cls, top: Path) -> "Inventory":
        files, folders = Counter[str](), Counter[str]()
        for here, below, names in os.walk(top):
            relative = Path(here).relative_to(top.parent).parts
            links = [name for name in below if Path(here, name).is_symlink()]
            files.update(shown((*relative, name)) for name in [*names, *links])
            folders.update(shown((*relative, name)) + "/" for name in below if name not in links)
        return cls(files, folders)

    def not_in(self, told: Counter[str]) -> Counter[str]:
        """Return the files that were not told of; `AssertionError` if one was told of twice, or is not there."""
        left = self.files.copy()
        for path, count in told.items():
            # A folder that failed has no slash at its end.
            folder = path if path.endswith("/") else f"{path}/"
            if path in self.files:
                assert count <= left[path] + (self.folders[folder] > 0), path
                left[path] -= min(count, left[path])
            else:
                assert count <= self.folders[folder], path
            if path not in self.files:
                for below in [each for each in left if each.startswith(folder)]:
                    assert below not in told, f"{below} was told of with {folder}"
                    del left[below]
        return +left
