"""Decides what becomes of each entry of a folder: entered, read, failed or skipped.

Failed is what should be in the archive and cannot be: its name has a readable extension, or it is a folder that cannot
be entered. All else that is not read is skipped. docs/reading.md tells users the same.
"""

import os
import stat
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from workers.sources import names
from workers.sources.ignore import IgnoreRules, marked_by_programs
from workers.sources.interface import Entry, FailedFile
from workers.sources.patterns import Selection
from workers.sources.skipped import HIDDEN, NO_READER, SkippedFile
from workers.sources.tree import Child, PathParts, Tree

LEADS_OUT: Final = "is a link that leads out of the folder"
NOT_REGULAR: Final = "is not a regular file"
NOT_INCLUDED: Final = "left out by include: no pattern matches"


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder to enter."""

    parts: PathParts
    path: PathParts
    """The same in NFC, in which patterns are matched."""
    rules: IgnoreRules | None
    """None where ignore rules do not count."""
    included: bool
    """Whether all that is in it is included."""


@dataclass(frozen=True, slots=True)
class Walk:
    """The rules of one source."""

    root_name: str
    tree: Tree
    limit: int
    selection: Selection
    ignore: bool
    """Whether ignore files and folders of programs count."""

    def top(self) -> Folder:
        """Return the folder to start with; no rule leaves it out."""
        return Folder((), (), IgnoreRules().enter(self.tree, ()) if self.ignore else None, included=False)

    def outcome(self, folder: Folder, child: Child) -> Folder | Entry | FailedFile | SkippedFile:
        """Return what becomes of an entry of a folder."""
        parts = (*folder.parts, child.name)
        path = (*folder.path, normalize("NFC", child.name))
        is_folder = child.kind == "folder"
        rules = folder.rules
        reason = _hidden(folder, child)
        if reason is None and rules is not None and (rule := self._rule(rules, parts, path, is_folder=is_folder)):
            if self.selection.names(path):
                rules = None
            else:
                reason = f"left out by {rule}"
        if reason is None and (pattern := self.selection.excluded_by(path, is_folder=is_folder)):
            reason = f"left out by exclude: {pattern}"
        if reason is not None:
            return SkippedFile(self.path(parts) + "/" * is_folder, reason)
        included = folder.included or self.selection.includes(path, is_folder=is_folder)
        if is_folder:
            return self._enter(parts, path, rules, included=included)
        return self._file(parts, child) if included else SkippedFile(self.path(parts), NOT_INCLUDED)

    def path(self, parts: PathParts) -> str:
        """Return the path that the archive shows."""
        return names.shown((self.root_name, *parts))

    @property
    def too_large(self) -> str:
        return f"is larger than {self.limit / 1e6:g} MB"

    def _rule(self, rules: IgnoreRules, parts: PathParts, path: PathParts, *, is_folder: bool) -> str | None:
        """Return the rule by which an entry is left out."""
        verdict = rules.last_match(path, is_folder=is_folder)
        if verdict is not None:
            return verdict.rule
        return marked_by_programs(self.tree, parts) if is_folder else None

    def _enter(
        self, parts: PathParts, path: PathParts, rules: IgnoreRules | None, *, included: bool
    ) -> Folder | FailedFile:
        reason = names.name_problem(parts[-1])
        if reason is None and len(os.fsencode("/".join(parts))) > names.MAX_PATH_BYTES:
            reason = "is a folder in too many others"
        if reason is not None:
            return FailedFile(self.path(parts), reason)
        return Folder(parts, path, rules and rules.enter(self.tree, parts), included)

    def _file(self, parts: PathParts, child: Child) -> Entry | FailedFile | SkippedFile:
        path = self.path(parts)
        is_readable = names.is_readable(child.name)
        try:
            size = self._size(parts, child)
            if not is_readable:
                return SkippedFile(path, NO_READER, names.kind(child.name))
            self._check(parts, size)
        except _LinkToFolder:
            return SkippedFile(path, "is a link to a folder")
        except _Unreadable as unreadable:
            return FailedFile(path, unreadable.reason) if is_readable else SkippedFile(path, unreadable.reason)
        return Entry(path, "/".join(parts), size)

    def _check(self, parts: PathParts, size: int) -> None:
        if reason := names.name_problem(parts[-1]):
            raise _Unreadable(reason)
        if size > self.limit:
            raise _Unreadable(self.too_large)
        composed = normalize("NFC", parts[-1])
        if composed != parts[-1] and self.tree.present(parts[:-1], [composed]):
            raise _Unreadable("has the same name as another file, but for its Unicode form")

    def _size(self, parts: PathParts, child: Child) -> int:
        """Return the size of a file, or of a link's target inside the folder."""
        if child.kind == "other":
            raise _Unreadable(NOT_REGULAR)
        if child.kind != "link":
            return child.size
        try:
            target = self.tree.resolve_link(parts)
            status = None if target is None else self.tree.look(target)
        except OSError:
            raise _Unreadable("is a link that leads nowhere") from None
        if status is None:
            raise _Unreadable(LEADS_OUT)
        if stat.S_ISDIR(status.st_mode):
            raise _LinkToFolder
        return status.st_size


class _Unreadable(Exception):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _LinkToFolder(Exception):
    pass


def _hidden(folder: Folder, child: Child) -> str | None:
    if not names.is_hidden(child.name):
        return None
    return (folder.rules and folder.rules.problem_of(child.name)) or HIDDEN
