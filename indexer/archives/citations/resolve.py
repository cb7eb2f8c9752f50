"""Who is meant by a citation: joined when read, so that arrivals and deletions change nothing that is stored."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from indexer.archives.stored import CITES, KEY, Cited, StoredFields
from indexer.tenancy import DocumentId


@dataclass(frozen=True, slots=True)
class ArchiveRecord:
    """A document of the archive, as citations need it."""

    id: DocumentId
    fields: StoredFields


@dataclass(frozen=True, slots=True)
class Reference:
    """One citation by a known document; without a target as long as no document is known there."""

    source: ArchiveRecord
    cited: Cited
    target: ArchiveRecord | None
    confidence: float


@dataclass(frozen=True, slots=True)
class References:
    """What some documents cite and who cites them, by the documents' ids."""

    citing: Mapping[DocumentId, list[Reference]]
    cited: Mapping[DocumentId, list[Reference]]


KeyLookup = Callable[[str, Collection[str]], Awaitable[Sequence[ArchiveRecord]]]
"""Finds the documents that have one of these values as an internal term of this name."""

_TITLE: Final = "t:"


async def references(find: KeyLookup, documents: Sequence[ArchiveRecord]) -> References:
    """Resolve both directions around these documents by two batched queries."""
    own = {key for document in documents for key in document.fields["keys"]}
    citers = await find(CITES, own) if own else []
    inward = [(citer, cited) for citer in citers for cited in citer.fields["cites"] if own.intersection(_keys(cited))]
    outward = [(document, cited) for document in documents for cited in document.fields["cites"]]
    meant = {key for _, cited in (*inward, *outward) for key in _keys(cited)}
    by_key = _by_key(await find(KEY, meant) if meant else [], meant)
    around = {document.id for document in documents}
    citing, cited_by = defaultdict(list), defaultdict(list)
    for reference in _resolved(outward, by_key):
        citing[reference.source.id].append(reference)
    for reference in _resolved(inward, by_key):
        if reference.target is not None and reference.target.id in around:
            cited_by[reference.target.id].append(reference)
    return References(citing, cited_by)


def _resolved(
    citations: Iterable[tuple[ArchiveRecord, Cited]], by_key: Mapping[str, Sequence[ArchiveRecord]]
) -> Iterable[Reference]:
    for source, cited in citations:
        target, confidence = _meant(cited, by_key)
        if target is None or target.id != source.id:
            yield Reference(source, cited, target, confidence)


def _meant(cited: Cited, by_key: Mapping[str, Sequence[ArchiveRecord]]) -> tuple[ArchiveRecord | None, float]:
    """Return the best match: candidates stand surest first; a title counts only if one document alone has it."""
    for key, confidence in cited["candidates"]:
        found = by_key.get(key, ())
        if found and (len(found) == 1 or not key.startswith(_TITLE)):
            return min(found, key=lambda known: known.id), confidence
    return None, cited["candidates"][0][1]


def _by_key(found: Sequence[ArchiveRecord], meant: Collection[str]) -> dict[str, list[ArchiveRecord]]:
    by_key: dict[str, list[ArchiveRecord]] = defaultdict(list)
    for known in found:
        for key in set(known.fields["keys"]).intersection(meant):
            by_key[key].append(known)
    return by_key


def _keys(cited: Cited) -> list[str]:
    return [key for key, _ in cited["candidates"]]
