"""Lists a source again for some files of it that failed."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from workers.sources.interface import Entry, FailedFile, Listed, Source
from workers.sources.skipped import SkippedFile, SkippedFiles

_NOT_THERE: Final = "is not there any more"
_CHECK_EVERY: Final = 1_000


def list_again(source: Source, paths: Sequence[str], check: Callable[[], None]) -> Iterator[Listed]:
    """Yield what becomes now of each path that failed, once for each time it stands in `paths`.

    A folder on disk that could not be entered stands for all files that are in it now. `check` is called now and then,
    and ends the listing by an exception.
    """
    left = Counter(paths)
    named: list[tuple[str, Entry | FailedFile | SkippedFile]] = []
    for number, listed in enumerate(source.list()):
        if number % _CHECK_EVERY == 0:
            check()
        if isinstance(listed, SkippedFiles):
            continue
        if (path := _named_path(listed, left)) is not None:
            named.append((path, listed))
        elif not source.remote and (folder := _folder_above(listed.path, left)) is not None:
            left[folder] = 0
            yield listed
    # Two files may have one path, and only one of them may have failed: the one that fails again.
    for path, listed in sorted(named, key=lambda each: not isinstance(each[1], FailedFile)):
        if left[path] > 0:
            left[path] -= 1
            yield listed
    for path in left.elements():
        yield FailedFile(path, _NOT_THERE)


def _named_path(listed: Entry | FailedFile | SkippedFile, paths: Collection[str]) -> str | None:
    """Return the one of the paths that a listed file has; a folder that is skipped ends with a slash."""
    if listed.path in paths:
        return listed.path
    folder = listed.path.removesuffix("/")
    return folder if isinstance(listed, SkippedFile) and folder in paths else None


def _folder_above(path: str, paths: Collection[str]) -> str | None:
    above = path.rpartition("/")[0]
    while above:
        if above in paths:
            return above
        above = above.rpartition("/")[0]
    return None
