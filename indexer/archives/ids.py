"""IDs of archive documents: the same path or URL always gives the same ID."""

from hashlib import sha256
from unicodedata import normalize

from indexer.tenancy import DocumentId


def file_id(path: str) -> DocumentId:
    """Return the ID of a file; `path` is the name of the ingested folder and the path below it."""
    return _id("research", path)


def url_id(url: str) -> DocumentId:
    """Return the ID of a fetched page."""
    return _id("url", url)


def _id(source: str, name: str) -> DocumentId:
    named = f"{source}\0{normalize('NFC', name)}"
    return DocumentId(f"d_{sha256(named.encode(errors='surrogateescape')).hexdigest()[:24]}")
