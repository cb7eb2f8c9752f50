"""Resolves citations to documents of the archive, at search time.

Stored citations hold only keys. So documents that are ingested or deleted later change nothing in the stored ones.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from indexer.archives.stored import CITES, KEY, Cited, StoredFields
from indexer.tenancy import DocumentId


@dataclass(frozen=True, slots=True)
class ArchiveRecord:
    """A document of the archive, without its text."""

    id: DocumentId
    fields: StoredFields


@dataclass(frozen=True, slots=True)
class Reference:
    """One citation; `target` is None if the archive has no such document."""

    source: ArchiveRecord
    cited: Cited
    target: ArchiveRecord | None
    confidence: float


@dataclass(frozen=True, slots=True)
class References:
    """The references from and to some documents, by the ID of the document."""

    citing: Mapping[DocumentId, list[Reference]]
    """References that the document makes."""
    cited: Mapping[DocumentId, list[Reference]]
    """References of others to the document."""


KeyLookup = Callable[[str, Collection[str]], Awaitable[Sequence[ArchiveRecord]]]
"""Takes the name of an internal term and values; finds the documents that have one of the values."""

_TITLE_PREFIX: Final = "t:"
_URL_PREFIX: Final = "u:"
_ABSOLUTE: Final = ("https://", "http://")


async def resolve_references(lookup: KeyLookup, documents: Sequence[ArchiveRecord]) -> References:
    """Resolve the references from and to these documents, in two batched lookups."""
    own_keys = {key for document in documents for key in document.fields["keys"]}
    citing_documents = await lookup(CITES, own_keys) if own_keys else []
    incoming = [
        (source, cited)
        for source in citing_documents
        for cited in source.fields["cites"]
        if own_keys.intersection(_candidate_keys(cited))
    ]
    outgoing = [(document, cited) for document in documents for cited in document.fields["cites"]]
    candidate_keys = {key for _, cited in (*incoming, *outgoing) for key in _candidate_keys(cited)}
    by_key = _group_by_key(await lookup(KEY, candidate_keys) if candidate_keys else [], candidate_keys)
    ids = {document.id for document in documents}
    citing, cited_by = defaultdict(list), defaultdict(list)
    for reference in _resolve(outgoing, by_key):
        citing[reference.source.id].append(reference)
    for reference in _resolve(incoming, by_key):
        if reference.target is not None and reference.target.id in ids:
            cited_by[reference.target.id].append(reference)
    return References(citing, cited_by)


def address_of(cited: Cited) -> str:
    """Return where a citation leads: a URL, also for a relative link of a page; else the link as written."""
    if cited["target"].startswith(_ABSOLUTE):
        return cited["target"]
    urls = (key.removeprefix(_URL_PREFIX) for key in _candidate_keys(cited) if key.startswith(_URL_PREFIX))
    return next(urls, cited["target"])


def _resolve(
    citations: Iterable[tuple[ArchiveRecord, Cited]], by_key: Mapping[str, Sequence[ArchiveRecord]]
) -> Iterable[Reference]:
    """Yield a reference for each citation, except those of a document to itself."""
    for source, cited in citations:
        target, confidence = _best_match(cited, by_key)
        if target is None or target.id != source.id:
            yield Reference(source, cited, target, confidence)


def _best_match(cited: Cited, by_key: Mapping[str, Sequence[ArchiveRecord]]) -> tuple[ArchiveRecord | None, float]:
    """Return the document of the best candidate; a title counts only if exactly one document has it."""
    for key, confidence in cited["candidates"]:
        matches = by_key.get(key, ())
        if matches and (len(matches) == 1 or not key.startswith(_TITLE_PREFIX)):
            return min(matches, key=lambda document: document.id), confidence
    return None, cited["candidates"][0][1]


def _group_by_key(documents: Sequence[ArchiveRecord], keys: Collection[str]) -> dict[str, list[ArchiveRecord]]:
    by_key: dict[str, list[ArchiveRecord]] = defaultdict(list)
    for document in documents:
        for key in set(document.fields["keys"]).intersection(keys):
            by_key[key].append(document)
    return by_key


def _candidate_keys(cited: Cited) -> list[str]:
    return [key for key, _ in cited["candidates"]]
