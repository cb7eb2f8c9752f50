"""What an engine counts: values, words, fields, and documents with their bytes."""

from dataclasses import dataclass

from indexer.schema.definition import SortType
from indexer.schema.values import Scalar


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A metadata value and the number of matching documents that have it."""

    value: Scalar
    count: int


@dataclass(frozen=True, slots=True)
class WordCount:
    """A word of the unstemmed text, and the number of documents that contain it."""

    word: str
    documents: int


@dataclass(frozen=True, slots=True)
class KeyCount:
    """A metadata field, a type, and the number of documents with a value of that type in that field."""

    field: str
    type: SortType
    documents: int


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a physical index, without replicas."""

    documents: int
    size_bytes: int
