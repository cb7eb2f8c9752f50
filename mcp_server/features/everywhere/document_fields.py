"""Reads URL, DOI and title from the fields of a document, and shortens texts for results."""

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

from indexer.archives.citations import addresses
from indexer.archives.citations.keys import own_keys
from indexer.text.clean import clean_text
from indexer.text.fields import text_of
from indexer.text.truncate import shorten_highlight, shorten_text

_URL_FIELDS: Final = ("url", "canonical_url")
_DOI_FIELDS: Final = ("doi",)
_DOI_PATTERN: Final = re.compile(r"10\.[0-9]{4,9}/\S+")
_MAX_TITLE_LENGTH: Final = 200
_MAX_SNIPPET_LENGTH: Final = 300
_MAX_URL_LENGTH: Final = 2_000


def stated_url(fields: Mapping[str, Any]) -> str | None:
    """Return the URL in a field named like one, if it is http or https."""
    return web_address(text_of(fields, _URL_FIELDS))


def stated_doi(fields: Mapping[str, Any]) -> str | None:
    """Return the DOI in a field named like one, without `doi:` or the resolver's address."""
    value = text_of(fields, _DOI_FIELDS)
    if value is None:
        return None
    doi = addresses.doi_of(value) or value.lower().removeprefix("doi:").strip()
    return doi if _DOI_PATTERN.fullmatch(doi) else None


def web_address(url: str | None) -> str | None:
    """Return the URL if it is http or https and not too long to show."""
    return url if url and len(url) <= _MAX_URL_LENGTH and addresses.exact(url) else None


def keys_of(url: str | None, doi: str | None = None) -> frozenset[str]:
    """Return the keys that identify the same document in other sources."""
    return frozenset(own_keys(None, (url,) if url else (), doi, ""))


def title(text: str) -> str:
    """Return a title, cleaned and shortened to one line."""
    return shorten_text(" ".join(clean_text(text).split()), _MAX_TITLE_LENGTH)


def marked(highlight: str) -> str:
    """Return a snippet from a highlight, which is HTML-escaped already."""
    return shorten_highlight(" ".join(clean_text(highlight).split()), _MAX_SNIPPET_LENGTH)


def plain(text: str) -> str:
    """Return a snippet from plain text."""
    return marked(escape(text[: _MAX_SNIPPET_LENGTH * 4], quote=False))


def flattened(value: Any) -> dict[str, str | list[str]]:
    """Return the scalars in a JSON value by their paths; several at one path as a list."""
    texts: dict[str, list[str]] = {}
    for path, text in scalars(value):
        texts.setdefault(path, []).append(text)
    return {path: found if len(found) > 1 else found[0] for path, found in texts.items()}


def scalars(value: Any, path: str = "", levels: int = 5) -> Iterator[tuple[str, str]]:
    """Yield path and text of each scalar in a JSON value; items of a list have the path of the list."""
    match value:
        case dict() if levels:
            for name, item in value.items():
                yield from scalars(item, f"{path}.{name}" if path else name, levels - 1)
        case list() if levels:
            for item in value:
                yield from scalars(item, path, levels - 1)
        case str() | int() | float():
            yield path, str(value)
        case _:
            return
