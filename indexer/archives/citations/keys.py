"""Keys: strings that identify a document. A document stores its own keys, a citation the keys that it may mean.

The prefix of a key is its kind: `p:` path, `u:` exact URL, `l:` loose URL, `d:` DOI, `a:` arXiv ID, `t:` title.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple
from unicodedata import normalize

from indexer.archives.citations import addresses
from indexer.archives.parsed import Link

_EXACT_CONFIDENCE: Final = 1.0
_LOOSE_URL_CONFIDENCE: Final = 0.9
_TITLE_CONFIDENCE: Final = 0.6
_NOTE_EXTENSIONS: Final = (".md", ".markdown", ".html", ".txt")


class Candidate(NamedTuple):
    """A key that a link may mean, with a confidence from 0 to 1."""

    key: str
    confidence: float


def own_keys(path: str | None, urls: tuple[str, ...], doi: str | None, title: str) -> list[str]:
    """Return all keys of a document."""
    keys = [f"p:{path}"] if path else []
    for url in urls:
        keys.extend(candidate.key for candidate in _url_candidates(url))
    if doi:
        keys.append(f"d:{doi.lower()}")
    if key := title_key(title):
        keys.append(key)
    return list(dict.fromkeys(keys))


def candidates(link: Link, path: str | None, base_url: str | None) -> list[Candidate]:
    """Return the keys that a link may mean, best first; `path` or `base_url` is the place of the citing document."""
    result: list[Candidate]
    match link.kind:
        case "doi":
            result = [Candidate(f"d:{link.target.lower()}", _EXACT_CONFIDENCE)]
        case "arxiv":
            result = [Candidate(f"a:{link.target.lower()}", _EXACT_CONFIDENCE)]
        case "wiki":
            result = [*_note_candidates(link.target, path), *_title_candidates(link.target)]
        case "link":
            result = list(_url_candidates(link.target)) or list(_relative_candidates(link.target, path, base_url))
    return list(dict.fromkeys(result))


def title_key(title: str) -> str | None:
    """Return the key of a title, independent of case and spacing."""
    folded = " ".join(normalize("NFKC", title).casefold().split())
    return f"t:{folded}" if folded else None


def _url_candidates(url: str) -> Iterator[Candidate]:
    exact = addresses.exact(url)
    if exact is None:
        return
    yield Candidate(f"u:{exact}", _EXACT_CONFIDENCE)
    if doi := addresses.doi_of(url):
        yield Candidate(f"d:{doi}", _EXACT_CONFIDENCE)
    if arxiv := addresses.arxiv_of(url):
        yield Candidate(f"a:{arxiv}", _EXACT_CONFIDENCE)
    if loose := addresses.loose(url):
        yield Candidate(f"l:{loose}", _LOOSE_URL_CONFIDENCE)


def _relative_candidates(target: str, path: str | None, base_url: str | None) -> Iterator[Candidate]:
    if path and (resolved := addresses.resolve_path(path, target)):
        yield Candidate(f"p:{resolved}", _EXACT_CONFIDENCE)
    elif base_url and (url := addresses.resolve_url(base_url, target)):
        yield from _url_candidates(url)


def _note_candidates(target: str, path: str | None) -> Iterator[Candidate]:
    """Yield the files that a wiki link may mean, relative to the citing document; the extension may be missing."""
    if path is None:
        return
    extensions = ("",) if target.lower().endswith(_NOTE_EXTENSIONS) else _NOTE_EXTENSIONS
    for extension in extensions:
        if resolved := addresses.resolve_path(path, addresses.quote_path(target + extension)):
            yield Candidate(f"p:{resolved}", _EXACT_CONFIDENCE)


def _title_candidates(target: str) -> Iterator[Candidate]:
    if key := title_key(target):
        yield Candidate(key, _TITLE_CONFIDENCE)
