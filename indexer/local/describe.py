"""What an index holds: its fields with their types and most frequent values."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from indexer.engines.port import KeyCount, Reader, SearchRequest, Target
from indexer.index.record import IndexRecord
from indexer.local.results import DescribeResult, FieldEntry
from indexer.query.ast import Everything, Exists
from indexer.schema.values import Scalar
from indexer.text.clean import clean
from indexer.text.truncate import shorten_text

_SAMPLED_FIELDS: Final = 128
_FACETS_AT_ONCE: Final = 16
_SAMPLES: Final = 5
_SAMPLE_LENGTH: Final = 200


async def describe(reader: Reader, record: IndexRecord) -> DescribeResult:
    """Describe what readers find now; an index that was never written to has no fields."""
    target = record.serving_target()
    keys = await reader.keys(target) if target else []
    documents = (await reader.size(target)).documents if target else 0
    fields = await _fields(reader, target, keys) if target else []
    return DescribeResult(
        success=True,
        index_name=record.index,
        documents=documents,
        tokenizer_config=asdict(record.definition.analysis),
        fields=fields,
        sortable_fields=dict(record.definition.sortable),
    )


async def _fields(reader: Reader, target: Target, keys: Sequence[KeyCount]) -> list[FieldEntry]:
    by_name: dict[str, list[KeyCount]] = {}
    for key in keys:
        by_name.setdefault(key.field, []).append(key)
    common = sorted(by_name, key=lambda name: (-sum(key.documents for key in by_name[name]), name))
    samples = await _samples(reader, target, common[:_SAMPLED_FIELDS])
    return [
        FieldEntry(
            name=name,
            types=sorted(key.type for key in by_name[name]),
            documents=await _documents(reader, target, by_name[name]),
            sample_values=samples.get(name, []),
        )
        for name in sorted(by_name)
    ]


async def _documents(reader: Reader, target: Target, keys: Sequence[KeyCount]) -> int:
    """Count a document once, also where it has values of several types in a field."""
    if len(keys) == 1:
        return keys[0].documents
    return (await reader.search(target, SearchRequest(Exists(keys[0].field), size=0))).total


async def _samples(reader: Reader, target: Target, names: Sequence[str]) -> dict[str, list[Scalar]]:
    samples: dict[str, list[Scalar]] = {}
    for start in range(0, len(names), _FACETS_AT_ONCE):
        some = tuple(names[start : start + _FACETS_AT_ONCE])
        found = await reader.search(target, SearchRequest(Everything(), size=0, facets=some))
        for name, values in found.facets.items():
            samples[name] = [_sample(value.value) for value in values[:_SAMPLES]]
    return samples


def _sample(value: Scalar) -> Scalar:
    return shorten_text(clean(value), _SAMPLE_LENGTH) if isinstance(value, str) else value
