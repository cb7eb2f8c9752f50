"""Finds documents that an index holds already: writing them again would change scores and the order of ties."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from indexer.engines.port import Document, Target, Writer
from indexer.tenancy import DocumentId

_BATCH_SIZE: Final = 20
"""Documents that are read with their text at a time; each may have megabytes."""


def find_unchanged(writer: Writer, target: Target, documents: Sequence[Document]) -> list[Document | None]:
    """Return each document with the revision and payload that are stored if its content is the same, else None.

    A document that is given twice is compared with the one given before it.
    """
    found: list[Document | None] = []
    latest: dict[DocumentId, Document] = {}
    # Most documents are new. Their texts are not read, so this is one request for any number of them.
    stored_ids = writer.revisions(target, list(dict.fromkeys(document.id for document in documents)))
    for start in range(0, len(documents), _BATCH_SIZE):
        batch = documents[start : start + _BATCH_SIZE]
        ids = dict.fromkeys(document.id for document in batch)
        unread = [id_ for id_ in ids if id_ in stored_ids and id_ not in latest]
        if unread:
            latest |= {stored.id: stored for stored in writer.get_many(target, unread, text=True) if stored is not None}
        for document in batch:
            unchanged = _unchanged(document, latest.get(document.id))
            latest[document.id] = unchanged or document
            found.append(unchanged)
    return found


def _unchanged(document: Document, before: Document | None) -> Document | None:
    if before is None or before.text != document.text or not _is_same_json(before.payload, document.payload):
        return None
    return replace(document, revision=before.revision, payload=before.payload)


def _is_same_json(first: bytes, second: bytes) -> bool:
    """Compare payloads: the order of keys does not count, the type of a value does (1, 1.0 and true differ)."""
    return first == second or _canonical(first) == _canonical(second)


def _canonical(payload: bytes) -> str:
    return json.dumps(json.loads(payload), sort_keys=True)
