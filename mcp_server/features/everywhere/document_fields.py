"""What records say about themselves in fields of any spelling: address, DOI, name; and text as results show it."""

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

from indexer.archives.citations import addresses
from indexer.archives.citations.keys import own_keys
from indexer.text.clean import clean_text
from indexer.text.truncate import shorten_highlight, shorten_text

_URL: Final = ("url", "canonical_url")
_DOI: Final = ("doi",)
_DOI_FORM: Final = re.compile(r"10\.[0-9]{4,9}/\S+")
_LONGEST_TITLE: Final = 200
_LONGEST_SNIPPET: Final = 300
_LONGEST_URL: Final = 2_000


def stated_url(fields: Mapping[str, Any]) -> str | None:
    """Return the web address that a field of this name gives; anything but http and https is none."""
    return web_address(text_of(fields, _URL))


def stated_doi(fields: Mapping[str, Any]) -> str | None:
    """Return the DOI that a field of this name gives, however it is written there."""
    given = text_of(fields, _DOI)
    if given is None:
        return None
    doi = addresses.doi_of(given) or given.lower().removeprefix("doi:").strip()
    return doi if _DOI_FORM.fullmatch(doi) else None


def text_of(fields: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    """Return the text of the first of these fields that has one; names are compared without case."""
    texts = {
        name.casefold(): value.strip() for name, value in fields.items() if isinstance(value, str) and value.strip()
    }
    return next((texts[name] for name in names if name in texts), None)


def web_address(url: str | None) -> str | None:
    """Return a URL as it is where it is one of the web, and of a length that can be shown."""
    return url if url and len(url) <= _LONGEST_URL and addresses.exact(url) else None


def keys_of(url: str | None, doi: str | None = None) -> frozenset[str]:
    """Return the keys by which the same thing is recognised elsewhere."""
    return frozenset(own_keys(None, (url,) if url else (), doi, ""))


def title(text: str) -> str:
    """Return a title in one short line."""
    return shorten_text(" ".join(clean_text(text).split()), _LONGEST_TITLE)


def marked(highlight: str) -> str:
    """Return a short snippet of a highlight, which is escaped already."""
    return shorten_highlight(" ".join(clean_text(highlight).split()), _LONGEST_SNIPPET)


def plain(text: str) -> str:
    """Return a short snippet of plain text."""
    return marked(escape(text[: _LONGEST_SNIPPET * 4], quote=False))


def scalars(value: Any, path: str = "", levels: int = 5) -> Iterator[tuple[str, str]]:
    """Yield the paths and texts of the values in a JSON object, those of lists under the list's path."""
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
