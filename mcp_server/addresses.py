"""The addresses of resources."""

from typing import Final
from urllib.parse import quote, unquote

STATUS: Final = "trawl://status"
CATALOG: Final = "catalog://info"
DOCUMENT: Final = "doc://{index}/{id}"
_SCHEME: Final = "doc://"


def canonical(address: str) -> str:
    """Percent-encode a document's id where a client did not, so that slashes match as part of it."""
    if not address.startswith(_SCHEME):
        return address
    index, _, document = address.removeprefix(_SCHEME).partition("/")
    return f"{_SCHEME}{index}/{quote(unquote(document), safe='')}"
