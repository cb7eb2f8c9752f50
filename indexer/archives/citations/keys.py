"""Under which keys a document is known, and which keys a link may mean, each with how sure that is."""

from collections.abc import Iterator
from typing import Final, NamedTuple
from unicodedata import normalize

from indexer.archives.citations import addresses
from indexer.archives.parsed import Link

BY_ADDRESS: Final = 1.0
BY_LOOSENED_URL: Final = 0.9
BY_TITLE: Final = 0.6
_NOTE_ENDINGS: Final = (".md", ".markdown", ".html", ".txt")


class Candidate(NamedTuple):
    """A key that a link may mean."""

    key: str
    confidence: float


def own_keys(path: str | None, urls: tuple[str, ...], doi: str | None, title: str) -> list[str]:
    """Return all keys that mean this document."""
    keys = [f"p:{path}"] if path else []
    for url in urls:
        keys.extend(candidate.key for candidate in _of_url(url))
    if doi:
        keys.append(f"d:{doi.lower()}")
    if named := title_key(title):
        keys.append(named)
    return list(dict.fromkeys(keys))


def candidates(link: Link, path: str | None, base_url: str | None) -> list[Candidate]:
    """Return what a link may mean, surest first; the document that has it stands at this path or URL."""
    found: list[Candidate]
    match link.kind:
        case "doi":
            found = [Candidate(f"d:{link.target.lower()}", BY_ADDRESS)]
        case "arxiv":
            found = [Candidate(f"a:{link.target.lower()}", BY_ADDRESS)]
        case "wiki":
            found = [*_of_note(link.target, path), *_of_title(link.target)]
        case "link":
            found = list(_of_url(link.target)) or list(_relative(link.target, path, base_url))
    return list(dict.fromkeys(found))


def title_key(title: str) -> str | None:
    """Return the key of a title, whatever its case and spacing."""
    folded = " ".join(normalize("NFKC", title).casefold().split())
    return f"t:{folded}" if folded else None


def _of_url(url: str) -> Iterator[Candidate]:
    exact = addresses.exact(url)
    if exact is None:
        return
    yield Candidate(f"u:{exact}", BY_ADDRESS)
    if doi := addresses.doi_of(url):
        yield Candidate(f"d:{doi}", BY_ADDRESS)
    if arxiv := addresses.arxiv_of(url):
        yield Candidate(f"a:{arxiv}", BY_ADDRESS)
    if loosened := addresses.loosened(url):
        yield Candidate(f"l:{loosened}", BY_LOOSENED_URL)


def _relative(target: str, path: str | None, base_url: str | None) -> Iterator[Candidate]:
    if path and (found := addresses.beside(path, target)):
        yield Candidate(f"p:{found}", BY_ADDRESS)
    elif base_url and (joined := addresses.joined(base_url, target)):
        yield from _of_url(joined)


def _of_note(target: str, path: str | None) -> Iterator[Candidate]:
    """Yield the notes beside the document that a wiki link may name, with or without an ending."""
    if path is None:
        return
    endings = ("",) if target.lower().endswith(_NOTE_ENDINGS) else _NOTE_ENDINGS
    for ending in endings:
        if found := addresses.beside(path, addresses.quoted(target + ending)):
            yield Candidate(f"p:{found}", BY_ADDRESS)


def _of_title(target: str) -> Iterator[Candidate]:
    if key := title_key(target):
        yield Candidate(key, BY_TITLE)
