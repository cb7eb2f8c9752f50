"""Describes an index: its fields with their types and most frequent values."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from indexer.engines.counts import KeyCount
from indexer.engines.port import Reader, SearchRequest, Target
from indexer.index.index import Snapshot, on_snapshot
from indexer.local.results import DescribeResult, FieldEntry
from indexer.query.ast import Everything, Exists
from indexer.schema.values import Scalar
from indexer.text.clean import clean
from indexer.text.truncate import shorten_text

_MAX_SAMPLED_FIELDS: Final = 128
_FACETS_PER_SEARCH: Final = 16
_SAMPLES_PER_FIELD: Final = 5
_MAX_SAMPLE_LENGTH: Final = 200


@on_snapshot
async def describe(snapshot: Snapshot) -> DescribeResult:
    """Describe the index as searches see it now; an index that was never written to has no fields."""
    reader, target = snapshot.reader, snapshot.target
    keys = await reader.keys(target) if target else []
    documents = (await reader.size(target)).documents if target else 0
    fields = await _build_fields(reader, target, keys) if target else []
    return DescribeResult(
        success=True,
        index_name=snapshot.index.name,
        documents=documents,
        tokenizer_config=asdict(snapshot.definition.analysis),
        fields=fields,
        sortable_fields=dict(snapshot.definition.sortable),
    )


async def _build_fields(reader: Reader, target: Target, keys: Sequence[KeyCount]) -> list[FieldEntry]:
    by_name: dict[str, list[KeyCount]] = {}
    for key in keys:
        by_name.setdefault(key.field, []).append(key)
    by_frequency = sorted(by_name, key=lambda name: (-sum(key.documents for key in by_name[name]), name))
    samples = await _read_samples(reader, target, by_frequency[:_MAX_SAMPLED_FIELDS])
    return [
        FieldEntry(
            name=name,
            types=sorted(key.type for key in by_name[name]),
            documents=await _count_documents(reader, target, by_name[name]),
            sample_values=samples.get(name, []),
        )
        for name in sorted(by_name)
    ]


async def _count_documents(reader: Reader, target: Target, keys: Sequence[KeyCount]) -> int:
    """Count the documents with a value in a field; a document with values of several types counts once."""
    if len(keys) == 1:
        return keys[0].documents
    return (await reader.search(target, SearchRequest(Exists(keys[0].field), size=0))).total


async def _read_samples(reader: Reader, target: Target, names: Sequence[str]) -> dict[str, list[Scalar]]:
    samples: dict[str, list[Scalar]] = {}
    for start in range(0, len(names), _FACETS_PER_SEARCH):
        batch = tuple(names[start : start + _FACETS_PER_SEARCH])
        response = await reader.search(target, SearchRequest(Everything(), size=0, facets=batch))
        for name, values in response.facets.items():
            samples[name] = [_shorten_sample(value.value) for value in values[:_SAMPLES_PER_FIELD]]
    return samples


def _shorten_sample(value: Scalar) -> Scalar:
    return shorten_text(clean(value), _MAX_SAMPLE_LENGTH) if isinstance(value, str) else value
