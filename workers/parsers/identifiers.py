"""DOIs, arXiv ids and bare URLs, wherever they stand in a text."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from indexer.archives.parsed import LinkKind

_DOI: Final = r"10[.][0-9]{4,9}(?:\.[0-9]+)*/[^\s\"<>|`]{1,500}"
_ARXIV: Final = r"(?:[0-9]{4}\.[0-9]{4,5}|[a-z][a-z-]+(?:\.[A-Z]{2})?/[0-9]{7})"
# The frequent ones begin with a literal, which `re` finds quickly; all in one would cost ten times as much.
_URLS: Final = re.compile(r"https?://(?=[\w\[])[^\s<>\"`|\\^{}]{1,2000}")
_HOSTS: Final = re.compile(r"www\.(?<![\w./@-]www\.)(?=\w)[^\s<>\"`|\\^{}]{1,2000}")
_DOIS: Final = re.compile(rf"10\.(?:(?<![\w./]10\.)|(?<=doi\.org/10\.)){_DOI.removeprefix('10[.]')}")
_ARXIVS: Final = re.compile(rf"\barxiv(?:\.org/(?:abs|pdf)/|\s?:\s?|\s)({_ARXIV})(?![0-9])", re.IGNORECASE)
_WHOLE_DOI: Final = re.compile(rf"(?:https?://(?:dx\.|www\.)?doi\.org/|doi:\s*|info:doi/)?({_DOI})\Z", re.IGNORECASE)
_WHOLE_ARXIV: Final = re.compile(rf"arxiv:\s*({_ARXIV})(?:v[0-9]+)?\Z", re.IGNORECASE)
_TRAILING: Final = ".,;:!?'\"*_~”’»…，。、；：）】》"  # noqa: RUF001 (punctuation as texts have it)
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}


class Found(NamedTuple):
    """An identifier or a URL, and the span it takes in the text."""

    target: str
    kind: LinkKind
    start: int
    end: int


def find(text: str) -> list[Found]:
    """Return URLs as written (kind `link`), DOIs in lower case, arXiv ids without version; no two at one place."""
    found: list[Found] = []
    if "://" in text:
        found.extend(_spans(_URLS, text, "link"))
    if "www." in text:
        found.extend(_spans(_HOSTS, text, "link"))
    if "10." in text:
        found.extend(_spans(_DOIS, text, "doi"))
    if "rxiv" in text.lower():
        found.extend(Found(match[1].lower(), "arxiv", match.start(), match.end()) for match in _ARXIVS.finditer(text))
    separate: list[Found] = []
    for item in sorted(found, key=_place):
        if not separate or item.start >= separate[-1].end:
            separate.append(item)
    return separate


def doi(text: str) -> str | None:
    """Return the DOI that the whole text is, bare, as `doi:` or as a URL of the resolver; in lower case."""
    found = _WHOLE_DOI.match(text.strip())
    return _trimmed(found[1]).lower() if found else None


def arxiv(text: str) -> str | None:
    """Return the arXiv id that `arXiv:…` names, without its version."""
    found = _WHOLE_ARXIV.match(text.strip())
    return found[1].lower() if found else None


def _place(found: Found) -> int:
    return found.start


def _spans(pattern: re.Pattern[str], text: str, kind: LinkKind) -> Iterator[Found]:
    for match in pattern.finditer(text):
        written = _trimmed(match[0])
        end = match.start() + len(written)
        if kind == "link":
            yield Found(written if "://" in written else f"https://{written}", kind, match.start(), end)
        elif not written.endswith("/"):
            yield Found(written.lower(), kind, match.start(), end)


def _trimmed(target: str) -> str:
    """Leave out closing punctuation that belongs to the sentence; brackets stay where they are balanced."""
    end = len(target)
    while end and (target[end - 1] in _TRAILING or _closes_nothing(target, end)):
        end -= 1
    return target[:end]


def _closes_nothing(target: str, end: int) -> bool:
    last = target[end - 1]
    return last in _PAIRS and target.count(last, 0, end) > target.count(_PAIRS[last], 0, end)
